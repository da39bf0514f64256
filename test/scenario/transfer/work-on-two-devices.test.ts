/** The outcome of work that two devices hold. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Recording } from '../../../client/client.ts';
import type { PushResponse } from '../../../shared/protocol/push.ts';
import { testServer, type TestServer } from '../../device/test-server.ts';
import { current, device, json, memoryStorage, network, manualSync } from '../../device/devices.ts';
import { phonesOf, recordingOf, sync } from '../../device/phones.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.remove());

test('[TRANSFER-7] carried work of which the answer is missing is not done: a change needs attention, a recording is sent again', async () => {
  const { newPhone } = await phonesOf(server);
  const [old, fresh] = [await newPhone(), await newPhone()];
  const { map_id } = await old.phone.createMap({ name: 'Saw' });
  await old.phone.updateMap(map_id, { industry: 'Wood' });
  await old.phone.importRecording({ mapId: map_id, recording: recordingOf('s-1') });
  await fresh.phone.importUnsent(await old.phone.exportUnsent());
  fresh.net.answers('sync/push', async (ask) => {
    const { results, ...answer } = (await (await ask()).json()) as PushResponse;
    return json({ ...answer, results: results.slice(0, 1) });
  });
  await sync(fresh);
  const [unknown] = await current(fresh.phone.attention$);
  expect(unknown).toMatchObject({ name: 'update_map', error: { title: 'The outcome is not known' } });
  expect(await current(fresh.phone.status$)).toMatchObject({ attention: 1 });
  fresh.net.answers('sync/push', (ask) => ask());
  await fresh.phone.resolve(unknown!.seq, 'send_again');
  await sync(fresh);
  expect(await current(fresh.phone.status$)).toMatchObject({ phase: 'idle', pending: 0, attention: 0 });
  expect(await current(fresh.phone.runs$(map_id))).toHaveLength(1);
});

test('[TRANSFER-26] what was refused and acknowledged where it was made needs attention where it is imported, too', async () => {
  const { rest, newPhone } = await phonesOf(server);
  const [old, fresh] = [await newPhone(), await newPhone()];
  const { map_id } = await old.phone.createMap({ name: 'Saw' });
  await sync(old);
  await old.phone.importRecording({ mapId: map_id, recording: recordingOf('s-1') });
  const file = await old.phone.exportUnsent();
  await rest.send('POST', `/maps/${map_id}/delete`);
  await sync(old);
  // The next push acknowledges the answer.
  await old.phone.createMap({ name: 'Press' });
  await sync(old);
  await fresh.phone.importUnsent(file);
  await sync(fresh);
  for (const { phone } of [old, fresh]) {
    expect(await current(phone.attention$)).toMatchObject([{ error: { code: 'map_deleted' } }]);
    expect(await current(phone.custody$('s-1'))).toBe('device');
  }
});

const stepsOf = (taken: { steps: { stage_name: string }[] } | null | undefined) =>
  taken?.steps.map(({ stage_name }) => stage_name);

test('[TRANSFER-8] [CUSTODY-2] taps beyond what another device finished of the same recording stand, and wait for a person in the end', async () => {
  const { newPhone } = await phonesOf(server);
  const [old, fresh] = [await newPhone(), await newPhone()];
  const recording = await old.phone.startRecording({ newMap: { name: 'Saw' } });
  await recording.step({ stage_name: 'one' });
  await fresh.phone.importUnsent(await old.phone.exportUnsent());
  const here = (await current(fresh.phone.recording$))!;
  await here.step({ stage_name: 'two' });
  await recording.finish();
  await fresh.phone.importUnsent(await old.phone.exportUnsent());
  expect(stepsOf(await current(fresh.phone.recording$))).toEqual(['one', 'two']);
  await here.step({ stage_name: 'three' });
  await here.finish();
  await sync(fresh);
  const [refused] = await current(fresh.phone.attention$);
  expect(refused).toMatchObject({ error: { code: 'recording_session_mismatch' }, remedies: ['new_id', 'discard'] });
  expect(stepsOf(refused!.args as never)).toEqual(['one', 'two', 'three']);
  expect(await current(fresh.phone.custody$(here.recording_session_id))).toBe('device');
});

test('[TRANSFER-8] and where they were discarded they can be had back, also after a restart', async () => {
  const offline = { url: server.url, ...manualSync(network(false)) };
  const options = { ...offline, name: 'device-of-a-discarded-one', storage: memoryStorage() };
  const [old, fresh] = [await device(offline), await device(options)];
  const recording = await old.startRecording({ newMap: { name: 'Saw' } });
  await recording.step({ stage_name: 'one' });
  await fresh.importUnsent(await old.exportUnsent());
  const here = (await current(fresh.recording$))!;
  await here.step({ stage_name: 'two' });
  await here.discard();
  await recording.finish();
  await fresh.importUnsent(await old.exportUnsent());
  await fresh.close();
  const again = await device(options);
  expect((await current(again.discardedRecordings$)).map(stepsOf)).toEqual([['one', 'two']]);
});

test('[TRANSFER-12] what another device finished is not under way again at the next opening, neither before all is read', async () => {
  const { newPhone } = await phonesOf(server);
  const options = { name: 'device-that-handed-over', storage: memoryStorage() };
  const [old, fresh] = [await newPhone(options), await newPhone()];
  const recording = await old.phone.startRecording({ newMap: { name: 'Saw' } });
  await recording.step({ stage_name: 'one' });
  await fresh.phone.importUnsent(await old.phone.exportUnsent());
  await (await current(fresh.phone.recording$))!.finish();
  await sync(fresh);
  await sync(old);
  expect(await current(old.phone.recording$)).toBeNull();
  await old.phone.close();

  const seen: Promise<Recording | null>[] = [];
  await device({
    ...options,
    url: server.url,
    ...manualSync(network(false)),
    onBegun: (begun) => seen.push(current(begun.recording$)),
  });
  expect(await seen[0]).toBeNull();
});

test('[TRANSFER-9] [TRANSFER-28] a later file of a recording under way brings its later taps, and an earlier one takes none away', async () => {
  const offline = { url: server.url, ...manualSync(network(false)) };
  const [old, fresh] = [await device(offline), await device(offline)];
  const recording = await old.startRecording({ newMap: { name: 'Saw' } });
  await recording.step({ stage_name: 'one' });
  const earlier = await old.exportUnsent();
  await recording.step({ stage_name: 'two' });
  await recording.step({ stage_name: 'three' });
  const later = await old.exportUnsent();
  for (const file of [earlier, later])
    expect(await fresh.importUnsent(file)).toEqual({ mutations: 0, recording: true });
  expect(await fresh.importUnsent(earlier)).toEqual({ mutations: 0, recording: false });
  const here = (await current(fresh.recording$))!;
  expect(stepsOf(here)).toEqual(['one', 'two', 'three']);
  await here.step({ stage_name: 'here' });
  await recording.step({ stage_name: 'there' });
  await fresh.importUnsent(await old.exportUnsent());
  expect(stepsOf(await current(fresh.recording$))).toEqual(['one', 'two', 'three', 'here']);
});

test('[TRANSFER-10] a watch takes no file with more than recordings, so that none is refused under the numbers of a phone', async () => {
  const { newPhone } = await phonesOf(server);
  const [old, watch] = [await newPhone(), await newPhone({ kind: 'wearable' })];
  const { map_id } = await old.phone.createMap({ name: 'Saw' });
  await expect(watch.phone.importUnsent(await old.phone.exportUnsent())).rejects.toMatchObject({ code: 'forbidden' });
  expect(await current(watch.phone.status$)).toMatchObject({ pending: 0 });
  await sync(watch);
  await sync(old);
  expect(await current(old.phone.status$)).toMatchObject({ phase: 'idle', pending: 0, attention: 0 });

  await old.phone.importRecording({ mapId: map_id, recording: recordingOf('s-1') });
  expect(await watch.phone.importUnsent(await old.phone.exportUnsent())).toEqual({ mutations: 1, recording: false });
  await sync(watch);
  expect(await current(watch.phone.custody$('s-1'))).toBe('server');
});
