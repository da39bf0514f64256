/** A device that holds a part of the account's runs: what it pulls, loads and drops. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runScope, type ScopedGemba } from '../../../client/client.ts';
import { current, device, manualSync, memoryStorage, network } from '../../device/devices.ts';
import { testServer, type TestServer } from '../../device/test-server.ts';
import { dropped, makeMap, numbersShown, record, scopedPhone, type Run } from './scoped-device.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.remove());

test('[SCOPE-12] [SCOPE-13] [SCOPE-14] it holds its scope, counts the rest, and loads it piece by piece', async () => {
  const { phone, mapId, rest } = await scopedPhone(server, 12, { runsPerMap: 4 });
  const other = await makeMap(rest, 2);
  await phone.sync();
  expect(await numbersShown(phone, mapId)).toEqual([12, 11, 10, 9]);
  expect(await numbersShown(phone, other.mapId)).toEqual([2, 1]);
  expect(await current(phone.runsOnServer$)).toEqual({ count: 8, ofMap: new Map([[mapId, 8]]) });
  const [deepLink] = (await rest.list<Run>(`/maps/${mapId}/runs`)).filter(({ number }) => number === 3);
  expect(await phone.loadRuns(mapId, [deepLink!.id, 999_999])).toEqual({ loaded: 1, missing: [999_999] });
  expect(await numbersShown(phone, mapId)).toEqual([12, 11, 10, 9, 3]);
  expect(await current(phone.run$(deepLink!.id))).toMatchObject({ ...(await rest.get<Run>(`/runs/${deepLink!.id}`)) });
  expect(await phone.loadRuns(mapId)).toEqual({ loaded: 7, missing: [] });
  expect(await phone.loadRuns(mapId)).toEqual({ loaded: 0, missing: [] });
  expect(await current(phone.runsOnServer$)).toEqual({ count: 0, ofMap: new Map() });
});

test('[SCOPE-12] a device without a scope asks for none', async () => {
  const { phone, mapId, net, rest } = await scopedPhone(server, 3, undefined);
  const asked: string[] = [];
  net.answers('sync/pull', (ask, { query }) => {
    asked.push(...query.keys());
    return ask();
  });
  await record(rest, mapId);
  await phone.sync();
  expect(asked).toContain('cursor');
  expect(asked.filter((name) => name.startsWith('runs_'))).toEqual([]);
  expect(phone).not.toHaveProperty('loadRuns');
});

test('[SCOPE-14] a load passes the gaps that deleted runs left', async () => {
  const { phone, mapId, runs, rest } = await scopedPhone(server, 10, { runsPerMap: 2 });
  for (const number of [8, 7, 4]) await rest.send('POST', `/runs/${runs[number - 1]!.id}/delete`, {});
  await phone.sync();
  await phone.loadRuns(mapId, [runs[5]!.id]);
  expect(await numbersShown(phone, mapId)).toEqual([10, 9, 6]);
  await phone.loadRuns(mapId);
  expect(await numbersShown(phone, mapId)).toEqual([10, 9, 6, 5, 3, 2, 1]);
});

test('[SCOPE-15] a run that changed since the last pull comes with the next one, with its map', async () => {
  const { phone, mapId, runs, rest } = await scopedPhone(server, 4, { runsMax: 1 });
  await rest.send('PATCH', `/runs/${runs[0]!.id}`, { name: 'Changed' });
  await rest.send('PATCH', `/maps/${mapId}`, { name: 'Changed, too' });
  const seen: (string | undefined)[] = [];
  phone.run$(runs[0]!.id).subscribe((run) => {
    if (run) seen.push(run.name);
  });
  expect(await phone.loadRuns(mapId, [runs[0]!.id])).toEqual({ loaded: 1, missing: [] });
  expect(seen).toEqual(['Changed']);
  expect(await current(phone.map$(mapId))).toMatchObject({ name: 'Changed, too' });
});

test('[SCOPE-15] a run that a pull deletes during its load does not come back', async () => {
  const { phone, mapId, runs, rest, net } = await scopedPhone(server, 4, { runsMax: 1 });
  const lost = runs[0]!.id;
  net.answers('sync/runs', async (ask) => {
    const answer = await ask();
    await rest.send('POST', `/runs/${lost}/delete`, {});
    await phone.sync();
    return answer;
  });
  expect(await phone.loadRuns(mapId, [lost])).toEqual({ loaded: 0, missing: [lost] });
  expect(await current(phone.run$(lost))).toBeUndefined();
});

test('[SCOPE-16] without the server a load rejects, and what is here stays', async () => {
  const { phone, mapId, runs, net } = await scopedPhone(server, 4, { runsMax: 2 });
  net.online = false;
  await expect(phone.loadRuns(mapId)).rejects.toMatchObject({ code: 'unreachable' });
  await expect(phone.updateRun(runs[0]!.id, { name: 'A' })).rejects.toMatchObject({ code: 'unreachable' });
  expect(await numbersShown(phone, mapId)).toEqual([4, 3]);
  expect((await current(phone.status$)).pending).toBe(0);
});

test('[SCOPE-17] what nobody looked at is dropped first, and nothing that is shown', async () => {
  const { phone, mapId, runs } = await scopedPhone(server, 8, { runsMax: 3 });
  const id = (number: number) => runs[number - 1]!.id;
  await phone.loadRuns(mapId, [id(1), id(2), id(3)]);
  const shown = phone.run$(id(2)).subscribe();
  await current(phone.run$(id(1)));
  await current(phone.run$(id(3)));
  await phone.sync();
  await dropped(phone, 5);
  shown.unsubscribe();
  expect(await numbersShown(phone, mapId)).toEqual([3, 2, 1]);
});

test('[SCOPE-18] no run of a shown list is dropped', async () => {
  const { phone, mapId, rest } = await scopedPhone(server, 6, { runsMax: 2 });
  const other = await makeMap(rest, 2);
  const shown = phone.runs$(mapId).subscribe();
  await phone.loadRuns(mapId);
  await phone.sync();
  await dropped(phone, 2);
  expect(await numbersShown(phone, mapId)).toEqual([6, 5, 4, 3, 2, 1]);
  expect(await numbersShown(phone, other.mapId)).toEqual([]);
  shown.unsubscribe();
});

test('[SCOPE-18] [SCOPE-22] a run that a refused change names stays, also over a first pull', async () => {
  const first = await scopedPhone(server, 6, { runsMax: 2 });
  const { rest, mapId, runs } = first;
  const made = await rest.send<{ api_key: string }>('POST', '/keys', { name: 'Recorder', scopes: ['read', 'record'] });
  const net = network();
  const fixed = { name: `device-${randomUUID()}`, url: server.url, token: made.body.api_key, storage: memoryStorage() };
  const open = async (runsMax: number) =>
    (await device({ ...fixed, ...manualSync(net), scope: runScope({ runsMax }) })) as ScopedGemba;
  const phone = await open(2);
  await phone.sync();
  await phone.updateRun(runs[0]!.id, { name: 'Refused' });
  await phone.sync();
  expect(await current(phone.attention$)).toHaveLength(1);
  await phone.loadRuns(mapId, [runs[1]!.id]);
  await phone.sync();
  await dropped(phone, 4);
  expect(await numbersShown(phone, mapId)).toContain(1);
  await phone.close();
  const wider = await open(3);
  await wider.sync();
  expect(await numbersShown(wider, mapId)).toEqual([6, 5, 4, 1]);
});

test('[SCOPE-19] a wider scope, and none, pull what is missing; a narrower one drops without a first pull', async () => {
  const { phone, mapId, net, open, openUnscoped } = await scopedPhone(server, 6, { runsMax: 3 });
  await phone.close();
  const wider = await open({ runsMax: 4, runsDays: 10 });
  await wider.sync();
  expect(await numbersShown(wider, mapId)).toEqual([6, 5, 4, 3]);
  await wider.close();
  const cursors: string[] = [];
  net.answers('sync/pull', (ask, { query }) => {
    cursors.push(query.get('cursor') ?? '');
    return ask();
  });
  const narrower = await open({ runsMax: 4, runsDays: 5, runsPerMap: 2 });
  await narrower.sync();
  await dropped(narrower, 4);
  expect(await numbersShown(narrower, mapId)).toEqual([6, 5]);
  expect(cursors).not.toContain('');
  await narrower.close();
  const again = await open({ runsMax: 4, runsDays: 5, runsPerMap: 2 });
  await again.sync();
  expect(cursors).not.toContain('');
  await again.close();
  const whole = await openUnscoped();
  await whole.sync();
  expect(await numbersShown(whole, mapId)).toEqual([6, 5, 4, 3, 2, 1]);
});
