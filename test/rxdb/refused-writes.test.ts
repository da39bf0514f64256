/** RxCollections whose storage refuses what the bridge writes. */
import { randomUUID } from 'node:crypto';
import type { RxStorage } from 'rxdb';
import { getRxStorageMemory } from 'rxdb/plugins/storage-memory';
import { wrappedValidateAjvStorage } from 'rxdb/plugins/validate-ajv';
import { expect, test } from 'vitest';
import type { Gemba } from '../../client/client.ts';
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

  refusing.refuses = () => true;
  written.length = 0;
  const late = await record();
  await gemba.deleteRun(Number(gone));
  await gemba.updateRun(Number(kept), { name: 'Kept' });
  await eventually(runReplication.error$, ({ name }) => name === 'QuotaExceededError');
  await eventually(runReplication.error$, ({ name }) => name === 'QuotaExceededError');
  expect((await runs.find().exec()).map(({ id }) => id).toSorted()).toEqual([gone, kept].toSorted());

  refusing.refuses = () => false;
  await eventually(runs.findOne(late).$, (doc) => doc !== null);
  await eventually(runs.findOne(gone).$, (doc) => doc === null);
  await eventually(runs.findOne(kept).$, (doc) => doc?.name === 'Kept');
  await eventually(maps.findOne(map_id).$, (doc) => doc?.run_count === 2);
  // The bridge tells of a written document after the collection has it.
  await expect.poll(() => written.toSorted()).toEqual([map_id, gone, kept, late].toSorted());
  expect(errors.length).toBeGreaterThan(1);
});

async function createMaps(gemba: Gemba, count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let made = 0; made < count; made++) ids.push((await gemba.createMap({ name: `Line ${made}` })).map_id);
  return ids;
}

test('[BRIDGE-19] a storage that throws for some documents takes the others, and later ones without a long wait', async () => {
  const gemba = await unsentDevice();
  const ids = await createMaps(gemba, 12);
  const bad = new Set(ids.slice(0, 5));
  const throwing = refusingStorage();
  throwing.refuses = (written) => written.some((id) => bad.has(id));
  const { maps } = await appDatabase(throwing);
  const replication = replicateMaps({ gemba, collection: maps, retryTime: 10 });
  await eventually(maps.find().$, (docs) => docs.length === 7);
  expect((await maps.findByIds([...bad]).exec()).size).toBe(0);
  // Long waits lie behind the refused documents by now. A good document that is refused with one of them does not have these.
  await eventually(replication.error$, () => throwing.refused.filter(({ size }) => size === 1).length > 30);
  const [changed, good] = [ids[0]!, ids[9]!];
  await Promise.all([gemba.updateMap(changed, { name: 'Still refused' }), gemba.updateMap(good, { name: 'Taken' })]);
  await eventually(maps.findOne(good).$, (doc) => doc?.name === 'Taken');
  bad.clear();
  await eventually(maps.find().$, (docs) => docs.length === 12);
});

test('[BRIDGE-19] a storage with room for some documents alone takes these, and the others once it has room', async () => {
  const gemba = await unsentDevice();
  await createMaps(gemba, 7);

  let room = 3;
  const small = refusingStorage();
  small.refuses = (written) => written.length > room || ((room -= written.length), false);
  const { maps: kept } = await appDatabase(small);
  const replication = replicateMaps({ gemba, collection: kept, retryTime: 10 });
  await eventually(replication.error$, () => room === 0);
  expect(await kept.find().exec()).toHaveLength(3);
  room = Infinity;
  await eventually(kept.find().$, (docs) => docs.length === 7);
});

test('[BRIDGE-19] a full storage is offered eight documents alone before each wait, which doubles, and all once it takes one', async () => {
  const gemba = await unsentDevice();
  await createMaps(gemba, 8);
  const refusing = refusingStorage();
  refusing.refuses = () => true;
  const { maps } = await appDatabase(refusing);
  const replication = replicateMaps({ gemba, collection: maps, retryTime: 5 });
  await eventually(replication.error$, () => refusing.refused.length === 37);
  expect(refusing.refused.map(({ size }) => size)).toEqual([8, 8, 4, 2, ...Array.from({ length: 33 }, () => 1)]);
  // The waits are 10, 20, 40 and 80 ms, and a timer may be a millisecond early.
  const alone = refusing.refused.slice(4).map(({ at }) => at);
  expect(alone.at(-1)! - alone[0]!).toBeGreaterThan(145);

  refusing.refuses = () => false;
  await gemba.createMap({ name: 'One more' });
  await eventually(maps.find().$, (docs) => docs.length === 9);
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
