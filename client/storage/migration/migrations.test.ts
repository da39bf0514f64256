import { createHash, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { IDBFactory, IDBKeyRange } from 'fake-indexeddb';
import { getRxStorageDexie } from 'rxdb/plugins/storage-dexie';
import { memoryStorage } from '../../../test/device/devices.ts';
import { folderJournal } from '../../../test/device/disk-journal.ts';
import { Faults } from '../../../test/simulation/faults.ts';
import { systemClock } from '../../core/clock.ts';
import { draftBody, outboxBody, recordBody } from '../../generated/row-schemas.ts';
import { carriedBody, handOverBody } from '../../generated/relay-row-schemas.ts';
import { openDeviceTables, recordsCollection, type DeviceTablesOptions } from '../device-tables.ts';
import { carriedCollection } from '../../relay/carried-table.ts';
import { handOverCollection } from '../../hand-over/hand-over-table.ts';
import { photoBody, photoBytesBody } from '../../generated/photo-row-schemas.ts';
import { photoBytesCollection } from '../../photos/photo-files.ts';
import { photosCollection } from '../../photos/photo-rows.ts';
import type { AnyRxStorage } from '../../../test/rx-storage.ts';
import { migrations, type Migration } from './migrations.ts';
import { deviceRowId, type TapBody, type OutboxBody } from '../rows.ts';

/** Hashes of the shapes of stored rows. The hash of a released version never changes; a new version adds one. */
const pinned = {
  'outbox and drafts, version 0': '732b94623e71056c',
  'records, records_v1': '228bcc11e75b5489',
  'carried messages, carried_v2': '9fe4d34d8e40e404',
  'hand-overs, handed_v2': '8154b57b2f88be00',
  'photos, photos_v1': '7177e93b99fa83e7',
  'photo bytes, photo_bytes_v1': '715e52be29a7a656',
};

test('[STORAGE-12] the shape of the rows changes only together with its version', () => {
  const hashOf = (...schemas: object[]) =>
    createHash('sha256').update(JSON.stringify(schemas)).digest('hex').slice(0, 16);
  const shapes = {
    [`outbox and drafts, version ${migrations.length}`]: hashOf(outboxBody, draftBody),
    [`records, ${recordsCollection}`]: hashOf(recordBody),
    [`carried messages, ${carriedCollection}`]: hashOf(carriedBody),
    [`hand-overs, ${handOverCollection}`]: hashOf(handOverBody),
    [`photos, ${photosCollection}`]: hashOf(photoBody),
    [`photo bytes, ${photoBytesCollection}`]: hashOf(photoBytesBody),
  };
  expect(
    shapes,
    'The shape of rows changed, and RxDB does not open what devices hold in the old one. Of outbox and drafts: add a step ' +
      'to client/storage/migration/migrations.ts. Of records: count up recordsCollection in client/storage/device-tables.ts. Then pin ' +
      'the new hashes here. For a new optional field, which the rows of devices fit, pinning anew is enough.',
  ).toEqual(pinned);
});

const device: OutboxBody = {
  kind: 'device',
  client_id: randomUUID(),
  last_seq: 1,
  device_id: randomUUID(),
  token: null,
  epoch: null,
} as OutboxBody;
const note: TapBody = { kind: 'noted', at: { wall_ms: 1, monotonic_ms: 1, boot_id: 'boot' }, text: 'seen' };

/** Imaginary second and third versions of the rows. */
const marking =
  (mark: string): Migration =>
  (table, body) => ({
    ...(body as object),
    marks: [...((body as { marks?: string[] }).marks ?? []), `${mark} ${table}`],
  });
const steps = [marking('second'), marking('third')];

const life = async (options: Partial<DeviceTablesOptions> & { name: string }) => {
  const store = await openDeviceTables({ storage: memoryStorage(), clock: systemClock, ...options });
  return {
    store,
    rows: () => ({
      device: store.outbox.get(deviceRowId),
      note: store.drafts.get('session|000000'),
    }),
  };
};

const inThird = {
  device: { ...device, marks: ['second outbox', 'third outbox'] },
  note: { ...note, marks: ['second drafts', 'third drafts'] },
};
const putBackInThird = { ...inThird, device: { ...inThird.device, is_put_back: true } };

const dexieStorage = () => getRxStorageDexie({ indexedDB: new IDBFactory(), IDBKeyRange }) as unknown as AnyRxStorage;

test.each([
  ['in memory', memoryStorage],
  ['in IndexedDB', dexieStorage],
])(
  '[STORAGE-13] rows of an earlier version are brought to the present one on opening, once: %s',
  async (_where, make) => {
    const storage = make();
    const name = `device-${randomUUID()}`;
    const first = await life({ name, storage });
    await first.store.drafts.write([{ id: 'session|000000', body: note }]);
    await first.store.outbox.write([{ id: deviceRowId, body: device }]);
    await first.store.close();

    const third = await life({ name, storage, migrations: steps });
    expect(third.rows()).toEqual(inThird);
    await third.store.drafts.write([], ['session|000000']);
    await third.store.close();
    const again = await life({ name, storage, migrations: steps });
    expect(again.rows()).toEqual({ ...inThird, note: undefined });
    await again.store.close();
    // The rows of the old version are removed.
    const old = await life({ name, storage });
    expect(old.rows()).toEqual({ device: undefined, note: undefined });
    await old.store.close();
  },
);

test('[STORAGE-13] so are those of an earlier version in the second copy, and those of a later one are not touched', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'gemba-migration-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const mirror = folderJournal(folder);
  const nameless = () => ({ name: `device-${randomUUID()}`, mirror });
  const first = await life(nameless());
  await first.store.drafts.write([{ id: 'session|000000', body: note }]);
  await first.store.outbox.write([{ id: deviceRowId, body: device }]);
  await first.store.close();

  for (let opening = 0; opening < 2; opening++) {
    const third = await life({ ...nameless(), migrations: steps });
    expect(third.rows()).toEqual(putBackInThird);
    await third.store.close();
  }
  await expect(life(nameless())).rejects.toMatchObject({ code: 'storage_lost' });
});

test.each([1, 2, 3, 4])(
  '[STORAGE-67] a crash while rows are migrated, or put back from the second copy, leaves all to do again: point %i',
  async (crashAt) => {
    const folder = mkdtempSync(join(tmpdir(), 'gemba-migration-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const mirror = folderJournal(folder);
    const storage = memoryStorage();
    const name = `device-${randomUUID()}`;
    const first = await life({ name, storage, mirror });
    await first.store.drafts.write([{ id: 'session|000000', body: note }]);
    await first.store.outbox.write([{ id: deviceRowId, body: device }]);
    await first.store.close();

    for (const [opening, rows] of [
      [{ name, migrations: steps }, inThird],
      [{ name: `device-${randomUUID()}`, mirror, migrations: steps }, putBackInThird],
    ] as const) {
      const crashing = new Faults((_point, count) => count === crashAt).storage(storage);
      const crashed = await life({ ...opening, storage: crashing }).catch(() => undefined);
      await crashed?.store.close();
      const third = await life({ ...opening, storage });
      expect(third.rows()).toEqual(rows);
      await third.store.close();
    }
  },
);
