import { RxDBDevModePlugin, disableWarnings } from 'rxdb/plugins/dev-mode';
import { getRxStorageMemory } from 'rxdb/plugins/storage-memory';
import { wrappedValidateAjvStorage } from 'rxdb/plugins/validate-ajv';
import { addRxPlugin } from 'rxdb';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AnyRxStorage } from '../../rx-storage.ts';
import { testServer, type TestServer } from '../../device/test-server.ts';
import { atRest, current, device } from '../../device/devices.ts';

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
