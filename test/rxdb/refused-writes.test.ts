/** RxCollections whose storage refuses what the bridge writes. */
import { randomUUID } from 'node:crypto';
import type { RxStorage } from 'rxdb';
import { getRxStorageMemory } from 'rxdb/plugins/storage-memory';
import { wrappedValidateAjvStorage } from 'rxdb/plugins/validate-ajv';
import { expect, test } from 'vitest';
import { mapsSchema, replicateMaps } from '../../client/entries/rxdb.ts';
import { device, eventually, manualSync, network } from '../device/devices.ts';
import { appDatabase, replicateBoth } from './collections.ts';
import { refusingStorage } from './refusing-storage.ts';

const steps = [{ stage_name: 'Load', order: 1, duration_secs: 4 }];

/** A device without a server: what it shows is unsent. */
const unsentDevice = () =>
  device({ name: `phone-${randomUUID()}`, url: 'http://127.0.0.1:1', token: 'none', ...manualSync(network()) });

test('[BRIDGE-19] what a full storage refused is written once it has room, without a further change and not twice', async () => {
  const gemba = await unsentDevice();
  const { map_id } = await gemba.createMap({ name: 'Press line' });
  const record = async () => {
    const { run_id } = await gemba.importRecording({
      mapId: map_id,
      recording: { recording_session_id: randomUUID(), steps },
    });
    return String(run_id);
  };
  const gone = await record();
  const kept = await record();
  const refusing = refusingStorage();
  const database = await appDatabase(refusing);
  const { maps, runs } = database;
  const { written, errors, runReplication } = await replicateBoth(gemba, database);
  expect(written.toSorted()).toEqual([map_id, gone, kept].toSorted());

  refusing.isFull = true;
  written.length = 0;
  const late = await record();
  await gemba.deleteRun(Number(gone));
  await gemba.updateRun(Number(kept), { name: 'Kept' });
  await eventually(runReplication.error$, ({ name }) => name === 'QuotaExceededError');
  await eventually(runReplication.error$, ({ name }) => name === 'QuotaExceededError');
  expect((await runs.find().exec()).map(({ id }) => id).toSorted()).toEqual([gone, kept].toSorted());

  refusing.isFull = false;
  await eventually(runs.findOne(late).$, (doc) => doc !== null);
  await eventually(runs.findOne(gone).$, (doc) => doc === null);
  await eventually(runs.findOne(kept).$, (doc) => doc?.name === 'Kept');
  await eventually(maps.findOne(map_id).$, (doc) => doc?.run_count === 2);
  expect(written.toSorted()).toEqual([map_id, gone, kept, late].toSorted());
  expect(errors.length).toBeGreaterThan(1);
});

test('[BRIDGE-19] a validator that refuses one document holds up no other, and takes that one when it is right', async () => {
  const gemba = await unsentDevice();
  const database = await appDatabase({
    storage: wrappedValidateAjvStorage({ storage: getRxStorageMemory() }) as unknown as RxStorage<unknown, unknown>,
  });
  const properties = { ...mapsSchema.properties, name: { type: 'string', maxLength: 10 } };
  const collections = await database.addCollections({
    short: { schema: { ...mapsSchema, properties } as typeof mapsSchema },
  });
  const short = collections.short!;
  const { map_id: long } = await gemba.createMap({ name: 'Press line of the second hall' });
  const { map_id: other } = await gemba.createMap({ name: 'Paint shop' });
  const replication = replicateMaps({ gemba, collection: short, retryTime: 10 });
  const refused = eventually(replication.error$, ({ parameters }) => parameters.writeError !== undefined);
  await replication.awaitInitialReplication();
  expect((await refused).parameters.writeError).toMatchObject({ status: 422, documentId: long });
  expect((await short.find().exec()).map(({ id }) => id)).toEqual([other]);

  await gemba.updateMap(long, { name: 'Press 2' });
  await eventually(short.findOne(long).$, (doc) => doc?.name === 'Press 2');
});
