/** RxCollections that follow an engine on a real server. */
import { randomUUID } from 'node:crypto';
import { IDBFactory, IDBKeyRange } from 'fake-indexeddb';
import type { RxStorage } from 'rxdb';
import { getRxStorageDexie } from 'rxdb/plugins/storage-dexie';
import { filter } from 'rxjs/operators';
import { defer, firstValueFrom, throwError } from 'rxjs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runScope, type Gemba, type ScopedGemba } from '../../client/client.ts';
import { toCheckedGemba } from '../../client/entries/checked-gemba.ts';
import { replicateMaps, replicateRuns, runsSchema } from '../../client/entries/rxdb.ts';
import { current, device, eventually, manualSync, memoryStorage, network } from '../device/devices.ts';
import { restClient, testServer, type TestServer } from '../device/test-server.ts';
import { appDatabase, replicateBoth } from './collections.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.remove());

const steps = [
  { stage_name: 'Load', order: 1, duration_secs: 4 },
  { stage_name: 'Press', order: 2, duration_secs: 9, work_type: 'valuable' as const },
];

/** A device that syncs when it is told to, with a client of the same account. */
async function phone(options: { scope?: ReturnType<typeof runScope> } = {}) {
  const net = network();
  const token = await server.newAccount();
  const name = `phone-${randomUUID()}`;
  const open = () => device({ name, url: server.url, token, storage, ...manualSync(net), ...options });
  const storage = memoryStorage();
  return { net, open, gemba: await open(), rest: restClient(server.url, token) };
}

async function recordRun(gemba: Gemba, mapId: string, session: string = randomUUID()): Promise<string> {
  const { run_id } = await gemba.importRecording({ mapId, recording: { recording_session_id: session, steps } });
  return String(run_id);
}

test('[BRIDGE-1] [BRIDGE-2] [BRIDGE-3] [BRIDGE-4] [BRIDGE-6] collections show what the engine shows, unsent work included, and take no other writes', async () => {
  const { gemba, net, rest } = await phone();
  const database = await appDatabase();
  const { maps, runs } = database;
  await replicateBoth(gemba, database);

  net.online = false;
  const { map_id } = await gemba.createMap({ name: 'Press line' });
  await gemba.addStage(map_id, { stage: 'Load', wait_time_hrs: 1 });
  const runId = await recordRun(gemba, map_id);
  const shownMap = await eventually(maps.findOne(map_id).$, (doc) => doc?.run_count === 1);
  const { deleted: _deleted, deleted_at: _at, ...map } = (await current(gemba.map$(map_id)))!;
  expect(shownMap!.toJSON()).toEqual({ ...map, pending: true });
  const shownRun = await eventually(runs.findOne(runId).$, (doc) => doc !== null);
  expect(shownRun!.toJSON()).toEqual({ ...(await current(gemba.run$(Number(runId)))), id: runId, pending: true });
  expect(shownRun!.steps.map(({ stage_name }) => stage_name)).toEqual(['Load', 'Press']);

  net.online = true;
  await gemba.sync();
  await eventually(maps.findOne(map_id).$, (doc) => doc?.pending === false);
  await eventually(runs.findOne(runId).$, (doc) => doc?.pending === false);

  const { body: other } = await rest.send<{ id: string }>('POST', '/maps', { name: 'Paint shop' });
  await rest.send('PATCH', `/maps/${map_id}`, { name: 'Press line 2' });
  await gemba.sync();
  await gemba.correctRun(Number(runId), [steps[0]!]);
  await eventually(maps.findOne({ selector: { name: 'Paint shop' } }).$, (doc) => doc?.id === other.id);
  await eventually(maps.findOne(map_id).$, (doc) => doc?.name === 'Press line 2');
  await eventually(runs.findOne(runId).$, (doc) => doc?.steps_revision === 2 && doc.steps.length === 1);

  const shown = (await maps.findOne(map_id).exec())!;
  const refused = 'The collection maps follows Gemba and takes no writes. Call createMap(), updateMap() or deleteMap()';
  for (const write of [
    () => maps.insert({ ...shown.toMutableJSON(), id: randomUUID() }),
    () => maps.bulkInsert([{ ...shown.toMutableJSON(), id: randomUUID() }]),
    () => maps.upsert(shown.toMutableJSON()),
    () => shown.patch({ name: 'Mine' }),
    () => shown.incrementalPatch({ name: 'Mine' }),
    () => shown.remove(),
    () => maps.bulkRemove([map_id]),
  ]) {
    await expect(write()).rejects.toThrow(refused);
  }
  expect((await maps.find().exec()).map(({ name }) => name).toSorted()).toEqual(['Paint shop', 'Press line 2']);

  await gemba.deleteMap(map_id);
  await eventually(maps.findOne(map_id).$, (doc) => doc === null);
  expect(await runs.findOne(runId).exec()).not.toBeNull();
  await gemba.restoreMap(map_id);
  await eventually(maps.findOne(map_id).$, (doc) => doc?.name === 'Press line 2');
  await rest.send('PATCH', `/runs/${runId}`, { name: 'First' });
  await gemba.deleteRun(Number(runId));
  await eventually(runs.findOne(runId).$, (doc) => doc === null);
  await gemba.sync();
  await eventually(maps.findOne(map_id).$, (doc) => doc?.run_count === 0 && !doc.pending);
  expect(await runs.find().exec()).toEqual([]);
});

test('[BRIDGE-5] [BRIDGE-7] [BRIDGE-8] a restart writes what differs alone, also what was written while nothing followed', async () => {
  const { gemba, open, rest } = await phone();
  const storage = getRxStorageDexie({ indexedDB: new IDBFactory(), IDBKeyRange }) as unknown as RxStorage<
    unknown,
    unknown
  >;
  const name = `app-${randomUUID()}`;
  const { map_id } = await gemba.createMap({ name: 'Press line' });
  const { map_id: otherMap } = await gemba.createMap({ name: 'Paint shop' });
  const runIds: string[] = [];
  for (let run = 0; run < 4; run++) runIds.push(await recordRun(gemba, run === 3 ? otherMap : map_id));
  await gemba.sync();

  const first = await appDatabase({ name, storage });
  const { written } = await replicateBoth(gemba, first);
  expect(written.toSorted()).toEqual([map_id, otherMap, ...runIds].toSorted());
  const ofMap = first.runs.find({
    selector: { map_id, number: { $gte: 2 } },
    sort: [{ map_id: 'asc' }, { number: 'asc' }],
  });
  expect((await ofMap.exec()).map(({ number }) => number)).toEqual([2, 3]);
  expect(ofMap.getPreparedQuery().queryPlan).toMatchObject({
    index: ['_deleted', 'map_id', 'number', 'id'],
    selectorSatisfiedByIndex: true,
    sortSatisfiedByIndex: true,
  });
  await first.close();
  await rest.send('PATCH', `/maps/${map_id}`, { name: 'Press line 2' });
  await gemba.sync();
  await gemba.deleteRun(Number(runIds[0]));
  await gemba.updateRun(Number(runIds[1]), { name: 'Second' });
  await gemba.close();

  const second = await appDatabase({ name, storage });
  await (await second.maps.findOne(otherMap).exec())!.patch({ name: 'Mine' });
  const reopened = await open();
  const read: number[] = [];
  const run$: Gemba['run$'] = (runId) => {
    read.push(runId);
    return reopened.run$(runId);
  };
  const { written: rewritten } = await replicateBoth({ ...reopened, run$ }, second);
  expect(read).toEqual([Number(runIds[1])]);
  expect(rewritten.toSorted()).toEqual([map_id, otherMap, runIds[0], runIds[1]].toSorted());
  expect((await second.maps.findOne(otherMap).exec())!.name).toBe('Paint shop');
  expect((await second.runs.find().exec()).map(({ id }) => id).toSorted()).toEqual(runIds.slice(1).toSorted());
  expect((await second.runs.findOne(runIds[1]!).exec())!.toJSON()).toMatchObject({ name: 'Second', pending: true });
});

test('[BRIDGE-9] [BRIDGE-10] [BRIDGE-11] a collection follows one engine until either side closes, and loses nothing then', async () => {
  const { gemba } = await phone();
  const { map_id } = await gemba.createMap({ name: 'Press line' });
  const database = await appDatabase();
  const { maps } = database;
  const { mapReplication, runReplication } = await replicateBoth(gemba, database);
  expect(() => replicateMaps({ gemba, collection: maps })).toThrow('The collection maps follows Gemba already.');
  await mapReplication.cancel();
  await (await maps.findOne(map_id).exec())!.patch({ name: 'Mine' });

  let failures = 1;
  const maps$ = defer(() => (failures-- > 0 ? throwError(() => new Error('the engine failed')) : gemba.maps$));
  const failing: Gemba = { ...gemba, maps$ };
  const again = replicateMaps({ gemba: failing, collection: maps, retryTime: 10, autoStart: false });
  const error = firstValueFrom(again.error$);
  await again.start();
  expect((await error).parameters.errors?.[0]?.message).toBe('the engine failed');
  await eventually(maps.findOne(map_id).$, (doc) => doc?.name === 'Press line');

  const cancelled = firstValueFrom(runReplication.canceled$.pipe(filter(Boolean)));
  await gemba.close();
  await cancelled;
  const late = replicateMaps({ gemba, collection: maps });
  await firstValueFrom(late.canceled$.pipe(filter(Boolean)));
  expect((await maps.find().exec()).map(({ id }) => id)).toEqual([map_id]);
});

test('[BRIDGE-10] an engine of the package that is closing cancels the replication, whose pull is under way or begins', async () => {
  const { gemba } = await phone();
  const { map_id } = await gemba.createMap({ name: 'Press line' });
  const { maps } = await appDatabase();
  const checked = toCheckedGemba(gemba, (status$) => status$);
  const replication = replicateMaps({ gemba: checked, collection: maps });
  await replication.awaitInitialReplication();
  const cancelled = firstValueFrom(replication.canceled$.pipe(filter(Boolean)));
  await gemba.updateMap(map_id, { name: 'Paint shop' });
  await Promise.all([checked.close(), cancelled]);

  const late = replicateMaps({ gemba: checked, collection: maps });
  await firstValueFrom(late.canceled$.pipe(filter(Boolean)));
  expect((await maps.find().exec()).map(({ id }) => id)).toEqual([map_id]);
});

test('[BRIDGE-12] [BRIDGE-13] [BRIDGE-22] a run is there while it is on the device, with the properties that the schema has', async () => {
  const { gemba: desk, rest } = await phone({ scope: runScope({ runsMax: 2 }) });
  const gemba = desk as ScopedGemba;
  const { body: map } = await rest.send<{ id: string }>('POST', '/maps', { name: 'Press line' });
  const ids: string[] = [];
  for (let run = 0; run < 4; run++) {
    const answer = await rest.send<{ run: { id: number } }>('POST', `/maps/${map.id}/recording`, { steps });
    ids.push(String(answer.body.run.id));
  }
  await gemba.sync();
  const database = await appDatabase();
  const { steps: _steps, recorded_steps: _recorded, ...properties } = runsSchema.properties;
  const required = runsSchema.required!.filter((name) => name in properties);
  const collections = await database.addCollections({
    totals: { schema: { ...runsSchema, properties, required } as typeof runsSchema },
  });
  const totals = collections.totals!;
  const replication = replicateRuns({ gemba, collection: totals });
  await replication.awaitInitialReplication();
  expect((await totals.find().exec()).map(({ id }) => id).toSorted()).toEqual(ids.slice(2).toSorted());
  expect(Object.keys((await totals.findOne(ids[3]!).exec())!.toJSON())).not.toContain('steps');

  await gemba.loadRuns(map.id, [Number(ids[0])]);
  await eventually(totals.findOne(ids[0]!).$, (doc) => doc !== null);

  await gemba.sync();
  expect(await current(gemba.runs$(map.id))).toHaveLength(3);
  await replication.cancel();
  await expect.poll(() => runsAfterSync(gemba, map.id)).toHaveLength(2);
  await replicateRuns({ gemba, collection: totals }).awaitInitialReplication();
  expect(await totals.find().exec()).toHaveLength(2);
});

async function runsAfterSync(gemba: Gemba, mapId: string) {
  await gemba.sync();
  return current(gemba.runs$(mapId));
}
