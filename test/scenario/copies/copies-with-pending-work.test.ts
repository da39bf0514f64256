/**
 * Work that was pending when a device was copied, or whose numbers another copy used, takes effect once and in order.
 */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { FullMap } from '../../../shared/schema/map.ts';
import { restClient, testServer, type TestServer } from '../../device/test-server.ts';
import { copyDatabase } from '../../device/databases.ts';
import { openFleet, record, readServerContent, syncCopy, type Copy } from '../../device/copied-fleet.ts';
import { atRest, current, device, idleStatus, manualSync, network } from '../../device/devices.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.remove());

test('[SYNC-36] what was pending when a device was copied is done once, and does not come back over what others did since', async () => {
  const added: { map_id: string; stage_id: number }[] = [];
  const { token, mapId, copies } = await openFleet(server, 2, async (phone, map_id) => {
    await phone.updateMap(map_id, { name: 'Saw 2' });
    added.push({ map_id, ...(await phone.addStage(map_id, { stage: 'Cut' })) });
    await phone.createMap({ name: 'Press' });
  });
  const [quick, slow] = copies as [Copy, Copy];
  await syncCopy(quick);
  await quick.phone.updateMap(mapId, { name: 'Saw 3' });
  await quick.phone.updateStage(mapId, added[0]!.stage_id, { stage: 'Cut off' });
  await syncCopy(quick);
  await slow.phone.createMap({ name: 'Drill' });
  await syncCopy(slow);
  await syncCopy(slow);
  expect((await readServerContent(server, token)).maps).toEqual(['Drill', 'Press', 'Saw 3']);
  const { stages } = await restClient(server.url, token).get<FullMap>(`/maps/${mapId}`);
  expect(stages.map(({ stage }) => stage)).toEqual(['Cut off']);
  expect(await atRest(slow.phone)).toMatchObject(idleStatus);
});

test('[SYNC-36] [SYNC-65] what was exported twice stays in its order where a copy gave the numbers to other work', async () => {
  const { token, mapId, copies } = await openFleet(server, 2);
  const [quick, slow] = copies as [Copy, Copy];
  for (const name of ['first', 'second']) {
    await slow.phone.updateMap(mapId, { name });
    await slow.phone.exportUnsent();
  }
  await quick.phone.createMap({ name: 'Press' });
  for (const copy of [quick, slow]) await syncCopy(copy);
  expect((await readServerContent(server, token)).maps).toEqual(['Press', 'second']);
});

test('[TRANSFER-16] work whose numbers clash goes under the same ones wherever it is imported, and is done once', async () => {
  const { token, mapId, copies } = await openFleet(server, 4);
  const [one, other, first, second] = copies as [Copy, Copy, Copy, Copy];
  await record(one.phone, mapId, 'one');
  await other.phone.updateMap(mapId, { name: 'Saw 2' });
  await other.phone.createMap({ name: 'Press' });
  const files = [await one.phone.exportUnsent(), await other.phone.exportUnsent()];
  for (const file of files) await first.phone.importUnsent(file);
  for (const file of files.toReversed()) await second.phone.importUnsent(file);
  await syncCopy(first);
  await restClient(server.url, token).send('PATCH', `/maps/${mapId}`, { name: 'Saw 3' });
  for (const copy of [second, other, one]) await syncCopy(copy);
  expect(await readServerContent(server, token)).toEqual({ maps: ['Press', 'Saw 3'], sessions: ['one'] });
  for (const { phone } of copies) expect(await atRest(phone)).toMatchObject(idleStatus);
});

test('[CUSTODY-4] a recording that a remedy gave another session is with the server once it is there itself', async () => {
  const { mapId, copies } = await openFleet(server, 2, (phone, map) => phone.startRecording({ mapId: map }));
  const [quick, slow] = copies as [Copy, Copy];
  for (const [copy, { phone }] of copies.entries()) {
    const recording = (await current(phone.recording$))!;
    await recording.step({ stage_name: `Cut ${copy}` });
    await recording.finish();
  }
  for (const copy of [quick, slow]) await syncCopy(copy);
  const [refused] = await current(slow.phone.attention$);
  const session = refused!.args['recording_session_id'] as string;
  await slow.phone.resolve(refused!.seq, 'new_id');
  expect(await current(slow.phone.custody$(session))).toBe('device');
  await syncCopy(slow);
  expect(await current(slow.phone.custody$(session))).toBe('server');
  expect(await current(slow.phone.runs$(mapId))).toHaveLength(2);
});

test('[SYNC-115] a change that a device made while it pulled from a restored server is made once, though a copy sends it, too', async () => {
  const token = await server.newAccount();
  const name = `copied-${randomUUID()}`;
  const net = network();
  const phone = await device({ url: server.url, token, name, ...manualSync(net) });
  const { map_id: mapId } = await phone.createMap({ name: 'Saw' });
  for (let round = 0; round < 2; round++) await phone.sync();
  await server.store.renewEpoch();
  net.answers('sync/pull', async (ask) => {
    net.answers('sync/pull', (later) => later());
    // The device pushes these under a new client id after this pull. Its copy does not know of the restore.
    await phone.updateMap(mapId, { name: 'Saw 2' });
    await phone.addStage(mapId, { stage: 'Plane' });
    await phone.createMap({ name: 'Press' });
    await copyDatabase({ from: name, to: `${name}-copy` });
    return ask();
  });
  for (let round = 0; round < 3; round++) await phone.sync();
  const rest = restClient(server.url, token);
  expect(await rest.get<FullMap>(`/maps/${mapId}`)).toMatchObject({ name: 'Saw 2', stage_count: 1 });
  await rest.send('PATCH', `/maps/${mapId}`, { name: 'Saw 3' });
  const copy = await device({ url: server.url, token, name: `${name}-copy`, ...manualSync(network()) });
  for (let round = 0; round < 3; round++) await copy.sync();
  expect(await readServerContent(server, token)).toEqual({ maps: ['Press', 'Saw 3'], sessions: [] });
  for (const gemba of [phone, copy]) {
    await gemba.sync();
    expect(await atRest(gemba)).toMatchObject(idleStatus);
    expect((await current(gemba.maps$)).map((map) => map.name).toSorted()).toEqual(['Press', 'Saw 3']);
  }
});
