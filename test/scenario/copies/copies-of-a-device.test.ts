/** Copies of one device that work side by side: tablets set up from one image, a phone set up from a backup. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Custody, Gemba } from '../../../client/client.ts';
import type { PushRequest } from '../../../shared/protocol/push.ts';
import type { FullMap } from '../../../shared/schema/map.ts';
import { restClient, testServer, type TestServer } from '../../device/test-server.ts';
import { openFleet, record, readServerContent, syncCopy, type Copy } from '../../device/copied-fleet.ts';
import { atRest, current, idleStatus } from '../../device/devices.ts';
import { recordingOf } from '../../device/phones.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.remove());

test('[SYNC-24] the recordings of four copies of one device, all made offline, are each one run', async () => {
  const { token, mapId, copies } = await openFleet(server, 4);
  const sessions = copies.map((_, copy) => [0, 1, 2].map((nth) => `${copy}-${nth}`));
  for (const [copy, { phone }] of copies.entries()) {
    for (const session of sessions[copy]!) await record(phone, mapId, session);
  }
  for (const copy of copies) await syncCopy(copy);
  expect(await readServerContent(server, token)).toEqual({ maps: ['Saw'], sessions: sessions.flat() });
  for (const [copy, { phone }] of copies.entries()) {
    expect(await atRest(phone)).toMatchObject(idleStatus);
    for (const session of sessions[copy]!) expect(await current(phone.custody$(session))).toBe('server');
  }
});

test.each([
  ['a rename', (phone: Gemba, mapId: string) => phone.updateMap(mapId, { name: 'Sawmill' })],
  ['a new map', (phone: Gemba) => phone.createMap({ name: 'Press' })],
  ['a new stage', (phone: Gemba, mapId: string) => phone.addStage(mapId, { stage: 'Plane' })],
  ['a refused change', (phone: Gemba) => phone.updateMap(randomUUID(), { name: 'Nowhere' }).catch(() => {})],
])('[SYNC-24] [SYNC-66] a recording is not taken for %s that a copy made under its number', async (_of, change) => {
  for (const isAcknowledged of [false, true]) {
    const { token, mapId, copies } = await openFleet(server, 2);
    const [one, other] = copies as [Copy, Copy];
    await change(one.phone, mapId);
    await record(other.phone, mapId, 'mine');
    await syncCopy(one);
    if (isAcknowledged) {
      await one.phone.updateMap(mapId, { industry: 'Wood' });
      await syncCopy(one);
    }
    expect(await current(other.phone.custody$('mine'))).toBe('device');
    await syncCopy(other);
    expect((await readServerContent(server, token)).sessions).toEqual(['mine']);
    expect(await atRest(other.phone)).toMatchObject(idleStatus);
    expect(await current(other.phone.custody$('mine'))).toBe('server');
  }
});

test('[SYNC-24] what all copies had pending is done once, and what each made behind it once too', async () => {
  const { token, mapId, copies } = await openFleet(server, 3, async (phone, map) => {
    await record(phone, map, 'shared');
    await phone.createMap({ name: 'Shared' });
  });
  for (const [copy, { phone }] of copies.entries()) {
    await phone.createMap({ name: `Map ${copy}` });
    await record(phone, mapId, `own-${copy}`);
  }
  for (const copy of [...copies, ...copies]) await syncCopy(copy);
  expect(await readServerContent(server, token)).toEqual({
    maps: ['Map 0', 'Map 1', 'Map 2', 'Saw', 'Shared'],
    sessions: ['own-0', 'own-1', 'own-2', 'shared'],
  });
  for (const { phone } of copies) expect(await atRest(phone)).toMatchObject(idleStatus);
});

test('[SYNC-24] what a copy exports is not taken for other work either', async () => {
  const { token, mapId, copies } = await openFleet(server, 3);
  const [first, second, third] = copies as [Copy, Copy, Copy];
  await first.phone.updateMap(mapId, { industry: 'Wood' });
  await record(first.phone, mapId, 'a');
  for (const session of ['b', 'c', 'd']) await record(second.phone, mapId, session);
  await third.phone.importUnsent(await second.phone.exportUnsent());
  await record(third.phone, mapId, 'e');
  for (const copy of [first, third, second]) await syncCopy(copy);
  expect((await readServerContent(server, token)).sessions).toEqual(['a', 'b', 'c', 'd', 'e']);
  for (const { phone } of copies) expect(await atRest(phone)).toMatchObject(idleStatus);
});

test('[SYNC-24] [SYNC-66] nothing is taken for done when a copy was quicker between the push and the pull', async () => {
  const { token, mapId, copies } = await openFleet(server, 2);
  const [one, other] = copies as [Copy, Copy];
  await record(one.phone, mapId, 'a');
  await record(other.phone, mapId, 'b');
  await one.phone.updateMap(mapId, { industry: 'Wood' });
  let isFirst = true;
  other.net.answers('sync/push', async (ask) => {
    if (!isFirst) return ask();
    isFirst = false;
    await syncCopy(one);
    throw new TypeError('cut');
  });
  await syncCopy(other);
  await syncCopy(other);
  expect((await readServerContent(server, token)).sessions).toEqual(['a', 'b']);
  for (const session of ['a', 'b'])
    expect(await current(copies[session === 'a' ? 0 : 1]!.phone.custody$(session))).toBe('server');
});

test('[CUSTODY-3] [CUSTODY-5] a recording that a copy finished otherwise is not with the server', async () => {
  const { mapId, copies } = await openFleet(server, 2, (phone, map) => phone.startRecording({ mapId: map }));
  const [one, other] = copies as [Copy, Copy];
  for (const [copy, { phone }] of copies.entries()) {
    const recording = (await current(phone.recording$))!;
    await recording.step({ stage_name: `Cut ${copy}` });
  }
  const { recording_session_id } = await (await current(one.phone.recording$))!.finish();
  await syncCopy(one);
  await syncCopy(other);
  const seen: Custody[] = [];
  const watching = other.phone.custody$(recording_session_id).subscribe((custody) => seen.push(custody));
  expect((await current(other.phone.recording$))?.steps).toHaveLength(1);
  await (await current(other.phone.recording$))!.finish();
  await syncCopy(other);
  watching.unsubscribe();
  expect(seen).toEqual(['device']);
  expect(await current(other.phone.attention$)).toMatchObject([{ error: { code: 'recording_session_mismatch' } }]);
  expect(await current(other.phone.custody$(recording_session_id))).toBe('device');
  expect(await current(other.phone.runs$(mapId))).toHaveLength(1);
});

test('[SIM-5] a copy that imports what another made under numbers that it gave itself brings both', async () => {
  const { token, mapId, copies } = await openFleet(server, 2);
  const [maker, importer] = copies as [Copy, Copy];
  for (const session of ['a', 'b']) await maker.phone.importRecording({ mapId, recording: recordingOf(session) });
  for (const session of ['c', 'd']) await importer.phone.importRecording({ mapId, recording: recordingOf(session) });
  await importer.phone.importUnsent(await maker.phone.exportUnsent());
  await importer.phone.importRecording({ mapId, recording: recordingOf('e') });
  for (const copy of [importer, maker]) await syncCopy(copy);
  expect((await readServerContent(server, token)).sessions).toEqual(['a', 'b', 'c', 'd', 'e']);
  for (const { phone } of copies) expect(await atRest(phone)).toMatchObject({ pending: 0, attention: 0 });
});

test('[TRANSFER-15] a copy keeps the order of what another made and exported twice', async () => {
  const { token, mapId, copies } = await openFleet(server, 2);
  const [maker, importer] = copies as [Copy, Copy];
  // The importer has sent its number already, so the imported mutation is the one that gets a new number.
  await record(importer.phone, mapId, 'mine');
  importer.net.answers('sync/push', (ask, { body }) => {
    if ((JSON.parse(body) as PushRequest).mutations.length > 0) throw new TypeError('the push was lost');
    return ask();
  });
  await syncCopy(importer);
  importer.net.answers('sync/push', (ask) => ask());
  for (const name of ['first', 'second']) {
    await maker.phone.updateMap(mapId, { name });
    await importer.phone.importUnsent(await maker.phone.exportUnsent());
  }
  await syncCopy(importer);
  expect(await readServerContent(server, token)).toEqual({ maps: ['second'], sessions: ['mine'] });
});

test('[SYNC-36] [SYNC-65] a recording under a number that a copy gave to other work arrives before what was made behind it', async () => {
  const { token, copies } = await openFleet(server, 2);
  const [quick, slow] = copies as [Copy, Copy];
  const { map_id } = await recordNewMap(slow.phone);
  // The push is refused, so that the device learns from a pull first that its numbers are taken.
  slow.net.answers('sync/push', (ask, { body }) =>
    (JSON.parse(body) as PushRequest).mutations.length > 0 ? new Response('<h1>403</h1>', { status: 403 }) : ask(),
  );
  slow.net.online = true;
  await slow.phone.sync();
  slow.net.online = false;
  await slow.phone.addStage(map_id, { stage: 'Inspect', order: 2 });
  // The second push acknowledges the first, so that the server forgets its answers.
  for (const name of ['Saw 2', 'Saw 3', 'Saw 4']) {
    await quick.phone.createMap({ name });
    await syncCopy(quick);
  }
  slow.net.answers('sync/push', (ask) => ask());
  for (let round = 0; round < 3; round++) await syncCopy(slow);
  expect(await current(slow.phone.attention$)).toEqual([]);
  const { stages } = await restClient(server.url, token).get<FullMap>(`/maps/${map_id}`);
  expect(stages.map(({ stage }) => stage)).toEqual(['Cut', 'Inspect']);
});

async function recordNewMap(phone: Gemba) {
  const recording = await phone.startRecording({ newMap: { name: 'Press' } });
  await recording.step({ stage_name: 'Cut' });
  return recording.finish();
}
