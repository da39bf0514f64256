import { readFile } from 'node:fs/promises';
import { RxDBDevModePlugin, disableWarnings } from 'rxdb/plugins/dev-mode';
import { getRxStorageMemory } from 'rxdb/plugins/storage-memory';
import { wrappedValidateAjvStorage } from 'rxdb/plugins/validate-ajv';
import { addRxPlugin } from 'rxdb';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { replicateRuns, runsSchema } from '../../../client/entries/rxdb.ts';
import type { AnyRxStorage } from '../../rx-storage.ts';
import { testServer, type TestServer } from '../../device/test-server.ts';
import { atRest, current, device, eventually } from '../../device/devices.ts';
import { appDatabase, replicateBoth } from '../../rxdb/collections.ts';

let server: TestServer;
beforeAll(async () => {
  disableWarnings();
  addRxPlugin(RxDBDevModePlugin);
  server = await testServer();
});
afterAll(() => server.remove());

const checkedStorage = () => wrappedValidateAjvStorage({ storage: getRxStorageMemory() }) as unknown as AnyRxStorage;

test('[DEVICE-8] RxDB in its dev mode finds nothing wrong: schemas hold, and no row is changed after it was written', async () => {
  const phone = await device({ url: server.url, token: await server.newAccount(), storage: checkedStorage() });
  const { map_id } = await phone.createMap({ name: 'Saw', description: 'the big one' });
  await phone.addStage(map_id, { stage: 'Cut', wait_time_hrs: 1 });
  const recording = await phone.startRecording({ mapId: map_id });
  await recording.step({ stage_name: 'Cut', work_type: 'valuable', notes: 'x' });
  await recording.note('y');
  await recording.step({ stage_name: 'Pack' });
  await recording.undo();
  const { run_id } = await recording.finish();
  await phone.sync();
  expect(await current(phone.run$(run_id))).toMatchObject({ pending: false, step_count: 1 });
  const discarded = await phone.startRecording({ newMap: { name: 'No' } });
  await discarded.discard();
  await phone.deleteRun(run_id);
  await phone.deleteMap(map_id);
  await phone.sync();
  expect(await atRest(phone)).toMatchObject({ phase: 'idle', pending: 0, attention: 0 });
  expect(await current(phone.run$(run_id))).toBeUndefined();
});

test('[BRIDGE-8] RxDB in its dev mode finds nothing wrong with the collections of an app, and no record is changed there', async () => {
  const phone = await device({ url: server.url, token: await server.newAccount(), storage: checkedStorage() });
  const database = await appDatabase({ storage: checkedStorage() });
  const { maps, runs } = database;
  const { errors } = await replicateBoth(phone, database);
  const { map_id } = await phone.createMap({ name: 'Saw' });
  await phone.addStage(map_id, { stage: 'Cut', wait_time_hrs: 1 });
  const recording = { recording_session_id: 'first', steps: [{ stage_name: 'Cut', order: 1, duration_secs: 2 }] };
  const { run_id } = await phone.importRecording({ mapId: map_id, recording });
  await phone.updateRun(run_id, { name: 'First', tags: ['night'], excluded: { reason: 'A fire alarm' } });
  await phone.correctRun(run_id, [{ stage_name: 'Saw', order: 1, duration_secs: 3 }]);
  await phone.sync();
  await eventually(maps.findOne(map_id).$, (doc) => doc?.pending === false && doc.run_count === 1);
  await eventually(runs.findOne(String(run_id)).$, (doc) => doc?.pending === false && doc.recorded_steps?.length === 1);
  await phone.deleteRun(run_id);
  await phone.deleteMap(map_id);
  await eventually(maps.find().$, ({ length }) => length === 0);
  await eventually(runs.find().$, ({ length }) => length === 0);
  expect(errors).toEqual([]);
});

test('[BRIDGE-21] the indexes of docs/rxdb.md are right in the dev mode and used, and without their bounds they are refused', async () => {
  const markdown = await readFile('docs/rxdb.md', 'utf8');
  const [, example] = /^```js own-indexes\.js\n([^]*?)^```$/m.exec(markdown)!;
  const module = `export default (runsSchema) => {\n${example}\nreturn schema;\n};`;
  const guide = await import(/* @vite-ignore */ `data:text/javascript,${encodeURIComponent(module)}`);
  const schema: typeof runsSchema = guide.default(runsSchema);

  const phone = await device({ url: server.url, token: await server.newAccount() });
  const { map_id } = await phone.createMap({ name: 'Saw' });
  for (const name of ['Second', 'First']) {
    const recording = { recording_session_id: name, steps: [{ stage_name: 'Cut', order: 1, duration_secs: 2 }] };
    const { run_id } = await phone.importRecording({ mapId: map_id, recording });
    await phone.updateRun(run_id, { name });
  }
  const database = await appDatabase({ storage: checkedStorage() });
  const collections = await database.addCollections({ indexed: { schema } });
  const indexed = collections.indexed!;
  await replicateRuns({ gemba: phone, collection: indexed }).awaitInitialReplication();
  const byName = indexed.find({ selector: { map_id }, sort: [{ map_id: 'asc' }, { name: 'asc' }] });
  expect((await byName.exec()).map(({ name }) => name)).toEqual(['First', 'Second']);
  expect(byName.getPreparedQuery().queryPlan.index).toEqual(['_deleted', 'map_id', 'name', 'id']);

  const { name, step_count } = runsSchema.properties;
  for (const [code, unbounded] of Object.entries({ SC34: { name }, SC35: { step_count } })) {
    const properties = { ...schema.properties, ...unbounded };
    const adding = database.addCollections({ unbounded: { schema: { ...schema, properties } as typeof schema } });
    await expect(adding).rejects.toMatchObject({ code });
  }
});
