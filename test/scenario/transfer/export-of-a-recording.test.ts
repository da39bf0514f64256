/** Recordings under way in an exported file. */
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { withChecksum } from '../../../client/transfer/unsent-file.ts';
import type { MapRecord } from '../../../shared/schema/map.ts';
import type { RunRecord } from '../../../shared/schema/run.ts';
import { testServer, type TestServer } from '../../device/test-server.ts';
import { current, device, network } from '../../device/devices.ts';
import { phonesOf, sync } from '../../device/phones.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.remove());

const account = (plan?: 'free' | 'team') => phonesOf(server, plan);

test('[TRANSFER-4] [TRANSFER-23] a recording under way goes along, and stands beside one that is under way there', async () => {
  const { newPhone } = await account();
  const [old, fresh, busy] = [await newPhone(), await newPhone(), await newPhone()];
  const recording = await old.phone.startRecording({ newMap: { name: 'Saw' } });
  await recording.step({ stage_name: 'Cut' });
  await recording.note('blunt');
  const file = await old.phone.exportUnsent();
  expect(await fresh.phone.importUnsent(file)).toEqual({ mutations: 0, recording: true });
  expect(await fresh.phone.importUnsent(file)).toEqual({ mutations: 0, recording: false });
  const taken = (await current(fresh.phone.recording$))!;
  expect(taken).toMatchObject({ recording_session_id: recording.recording_session_id, steps: [{ notes: 'blunt' }] });
  await taken.step({ stage_name: 'Weld' });
  const { run_id } = await taken.finish();
  await sync(fresh);
  expect(await current(fresh.phone.run$(run_id))).toMatchObject({ step_count: 2, pending: false });

  const own = await busy.phone.startRecording({ newMap: { name: 'Press' } });
  await busy.phone.importUnsent(file);
  expect((await current(busy.phone.recording$))?.recording_session_id).toBe(own.recording_session_id);
  expect(await current(busy.phone.discardedRecordings$)).toMatchObject([
    { recording_session_id: recording.recording_session_id },
  ]);

  // The recording is finished on both devices with different steps: the second finish makes no second run and waits for
  // a person.
  await recording.finish();
  await sync(old);
  const [refused] = await current(old.phone.attention$);
  expect(refused).toMatchObject({ error: { code: 'recording_session_mismatch' }, remedies: ['new_id', 'discard'] });
});

test('[TRANSFER-4] a recording whose device crashed as it was finished is finished where it is imported', async () => {
  const { newPhone, rest } = await account();
  const [old, fresh] = [await newPhone(), await newPhone()];
  const recording = await old.phone.startRecording({ newMap: { name: 'Saw' } });
  await recording.step({ stage_name: 'Cut' });
  const { checksum: _checksum, ...work } = await old.phone.exportUnsent();
  const { at } = work.draft.at(-1)!;
  const file = await withChecksum({ ...work, draft: [...work.draft, { kind: 'finished', at }] });
  expect(await fresh.phone.importUnsent(file)).toEqual({ mutations: 0, recording: true });
  expect(await current(fresh.phone.recording$)).toBeNull();
  await sync(fresh);
  expect(await rest.list<MapRecord>('/maps')).toMatchObject([{ name: 'Saw', run_count: 1 }]);
});

test('[RECORDER-42] an export during the undo times of three cycles holds each, and an import makes each a run, once', async () => {
  const { newPhone, rest } = await account();
  const [old, fresh] = [await newPhone(), await newPhone()];
  const [undoMs, step] = [10_000, { stage_name: 'Cut' }];
  const recording = await old.phone.startRecording({ newMap: { name: 'Saw' } });
  await recording.step(step);
  const second = await recording.nextCycle(step, { undoMs });
  const third = await second.recording.nextCycle(step, { undoMs });
  const last = await third.recording.finish({ undoMs });
  expect((await old.phone.exportUnsent()).mutations).toHaveLength(2);
  await third.recording.unfinish();
  expect(await third.recording.finish({ undoMs })).toMatchObject({ map_id: last.map_id });
  const file = await old.phone.exportUnsent();
  expect(file.mutations.map(({ name }) => name)).toEqual(['record_new_map', 'upload_recording']);
  expect(file.draft.map(({ kind }) => kind)).toEqual(['started', 'stepped', 'finished', 'restored', 'finished']);
  expect(await fresh.phone.importUnsent(file)).toEqual({ mutations: 2, recording: true });
  for (const phone of [fresh, old, fresh]) await sync(phone);
  expect(await fresh.phone.importUnsent(file)).toEqual({ mutations: 0, recording: false });
  const sessions = [recording, second.recording, third.recording].map((it) => it.recording_session_id);
  const runs = await rest.list<RunRecord>(`/maps/${last.map_id}/runs`);
  expect(runs.map((run) => run.recording_session_id)).toEqual(sessions.toReversed());
  for (const { phone } of [old, fresh]) {
    expect(await current(phone.status$)).toMatchObject({ pending: 0, attention: 0 });
    expect(await current(phone.recording$)).toBeNull();
  }
});

test('[TRANSFER-4] a recording that is finished while it is exported is in the file, once', async () => {
  const phone = await device({ url: server.url, fetch: network(false).fetch });
  await phone.createMap({ name: 'Saw' });
  const recording = await phone.startRecording({ newMap: { name: 'Press' } });
  await recording.step({ stage_name: 'Cut' });
  let tellFinished: (ended: unknown) => void = () => {};
  const finished = new Promise((resolve) => (tellFinished = resolve));
  const digest = crypto.subtle.digest.bind(crypto.subtle);
  const lateForMarks: typeof digest = async (algorithm, data) => {
    if (new TextDecoder().decode(data).startsWith('["create_map"')) await finished;
    return digest(algorithm, data);
  };
  vi.spyOn(crypto.subtle, 'digest').mockImplementation(lateForMarks);
  onTestFinished(() => void vi.restoreAllMocks());
  const exporting = phone.exportUnsent();
  await recording.finish().then(tellFinished);
  const file = await exporting;
  const inFile = [...file.mutations.map(({ name }) => name), ...file.draft.map(({ kind }) => kind)];
  expect(inFile.filter((one) => one === 'record_new_map' || one === 'started')).toHaveLength(1);
});
