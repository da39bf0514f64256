/** Work that is forwarded for another device: its clock, its place in the view, and its refusals. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { withChecksum } from '../../../client/transfer/unsent-file.ts';
import { problemOf } from '../../../shared/protocol/problem.ts';
import type { FullMap } from '../../../shared/schema/map.ts';
import type { RunRecord } from '../../../shared/schema/run.ts';
import { testServer, type TestServer } from '../../device/test-server.ts';
import { atRest, current, device, memoryStorage } from '../../device/devices.ts';
import { inDatabase } from '../../device/databases.ts';
import { phonesOf, sync } from '../../device/phones.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.remove());

const started_at = '2026-04-01T08:00:00.000Z';

/** A phone whose clock is ten days ahead brings the recording of another phone, on a map of its own, and syncs. */
async function bringRecording(newPhone: Awaited<ReturnType<typeof phonesOf>>['newPhone']) {
  const maker = await newPhone();
  const tenDaysMs = 10 * 86_400_000;
  const bringer = await newPhone({ clock: { wallMs: () => Date.now() + tenDaysMs, schedule: () => () => {} } });
  const { map_id } = await maker.phone.createMap({ name: 'Saw' });
  const steps = [{ stage_name: 'Cut', order: 1, duration_secs: 1 }];
  await maker.phone.importRecording({ mapId: map_id, recording: { recording_session_id: 's', started_at, steps } });
  await bringer.phone.importUnsent(await maker.phone.exportUnsent());
  await sync(bringer);
  return { bringer, map_id };
}

test('[TRANSFER-13] a wrong clock of the device that brings a recording does not move its start', async () => {
  const { rest, newPhone } = await phonesOf(server);
  const { map_id } = await bringRecording(newPhone);
  const [run] = await rest.list<RunRecord>(`/maps/${map_id}/runs`);
  expect(run).toMatchObject({ started_at });
  expect(run).not.toHaveProperty('device_started_at');
});

test('[TRANSFER-29] a recording of another device that was refused keeps its start when it is sent again', async () => {
  const { rest, newPhone } = await phonesOf(server, 'free');
  for (const name of ['One', 'Two']) await rest.send('POST', '/maps', { name });
  const { bringer, map_id } = await bringRecording(newPhone);
  const [refused] = await current(bringer.phone.attention$);
  const [one] = await rest.list<FullMap>('/maps');
  await rest.send('POST', `/maps/${one!.id}/delete`);
  await bringer.phone.resolve(refused!.seq, 'send_again');
  await sync(bringer);
  const [run] = await rest.list<RunRecord>(`/maps/${map_id}/runs`);
  expect(run).toMatchObject({ started_at });
  expect(run).not.toHaveProperty('device_started_at');
});

test('[TRANSFER-14] carried work that was answered is not shown again on records that have its effects', async () => {
  const { rest, newPhone } = await phonesOf(server);
  const maker = await newPhone();
  const name = 'carries';
  const { phone, net } = await newPhone({ name, storage: memoryStorage() });
  const { map_id } = await maker.phone.createMap({ name: 'Saw' });
  await sync(maker);
  await maker.phone.addStage(map_id, { stage: 'kept' });
  const shown: string[][] = [];
  const watching = phone.map$(map_id).subscribe((map) => shown.push((map?.stages ?? []).map(({ stage }) => stage)));
  await sync({ phone, net });
  await phone.importUnsent(await maker.phone.exportUnsent());
  expect(shown.at(-1)).toEqual(['kept']);
  net.answers('sync/pull', async (ask) => {
    const map = await rest.get<FullMap>(`/maps/${map_id}`);
    if (map.stages.some(({ stage }) => stage === 'kept')) {
      const steps = ['r1', 'r2'].map((stage_name, index) => ({ stage_name, order: index + 1, duration_secs: 1 }));
      await rest.send('POST', `/maps/${map_id}/recording`, { recording_session_id: 'theirs', steps });
    }
    return ask();
  });
  await sync({ phone, net });
  watching.unsubscribe();
  const distinct = shown.map((stages) => stages.join()).filter((text, index, all) => text !== all[index - 1]);
  expect(distinct.slice(distinct.indexOf('kept'))).toEqual(['kept', 'r1,r2']);
  await phone.close();
  const left = await inDatabase(name, ({ outbox }) =>
    Promise.resolve([...outbox.entries()].filter(([, body]) => body.kind === 'mutation')),
  );
  expect(left).toEqual([]);
});

test('[TRANSFER-21] [TRANSFER-24] a file with a stamp of no clock, or with refused work that could not be shown, is refused', async () => {
  const { newPhone } = await phonesOf(server);
  const [maker, bringer] = [await newPhone(), await newPhone()];
  const { map_id } = await maker.phone.createMap({ name: 'Saw' });
  await (await maker.phone.startRecording({ mapId: map_id })).step({ stage_name: 'Cut' });
  const { checksum: _checksum, ...work } = await maker.phone.exportUnsent();
  const [mutation] = work.mutations;
  const [started, ...taps] = work.draft;
  const stamped = (reading: object) => ({ draft: [{ ...started!, at: { ...started!.at, ...reading } }, ...taps] });
  const changed = (fields: object) => ({ mutations: [{ ...mutation!, ...fields }] });
  const error = problemOf({ code: 'map_not_found', detail: 'It is gone.' });
  for (const wrong of [
    stamped({ wall_ms: 1e16 }),
    stamped({ wall_ms: -1 }),
    stamped({ monotonic_ms: 1e300 }),
    changed({ error: {} }),
    changed({ error, args: { stage_ids: 5 } }),
    changed({ error, args: { map_id: {} } }),
    changed({ error, args: { steps: [null] } }),
  ]) {
    const importing = bringer.phone.importUnsent(await withChecksum({ ...work, ...wrong }));
    await expect(importing).rejects.toMatchObject({ code: 'unsent_file_invalid' });
  }
  expect(await current(bringer.phone.status$)).toMatchObject({ pending: 0, attention: 0 });
});

test('[STORAGE-50] a device that holds a tap with a stamp of no clock opens, and sends what it has', async () => {
  const { rest, newPhone } = await phonesOf(server);
  const options = { name: 'with-a-stamp', storage: memoryStorage() };
  const { phone: before } = await newPhone(options);
  const { map_id } = await before.createMap({ name: 'Saw' });
  await (await before.startRecording({ mapId: map_id })).step({ stage_name: 'Cut' });
  await before.close();
  await inDatabase(options.name, async ({ drafts }) => {
    for (const [id, body] of drafts.entries()) {
      await drafts.write([{ id, body: { ...body, at: { ...body.at, wall_ms: 1e16 } } }]);
    }
  });
  const phone = await device({ ...options, url: server.url });
  await (await current(phone.recording$))!.finish();
  for (let round = 0; round < 2; round++) await phone.sync();
  expect(await atRest(phone)).toMatchObject({ phase: 'idle', pending: 0, attention: 0 });
  expect(await rest.list(`/maps/${map_id}/runs`)).toHaveLength(1);
});
