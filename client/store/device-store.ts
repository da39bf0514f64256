/** A device's database: three collections of RxDB, the only place that imports it. */
import { createRxDatabase, type RxCollection, type RxStorage } from 'rxdb';
import { browserStorage } from './browser-storage.ts';
import { StorageHealth } from './health.ts';
import { draftBody, outboxBody, recordBody } from '../generated/row-schemas.ts';
import type { Clock } from '../clock.ts';
import type { Mirror } from './mirror/mirror.ts';
import { locksOf } from './locks.ts';
import { migrate, migrations as ourMigrations, type Migration } from './migrations.ts';
import { rowSchema } from './row-schema.ts';
import { opfsMirror } from './mirror/opfs.ts';
import { SecondCopy } from './mirror/second-copy.ts';
import type { DraftBody, OutboxBody, RecordBody, Row } from './rows.ts';
import { Table } from './table.ts';

export type DeviceStorage = RxStorage<unknown, unknown>;

export interface DeviceStore {
  records: Table<RecordBody>;
  outbox: Table<OutboxBody>;
  drafts: Table<DraftBody>;
  health: StorageHealth;
  /** Of the outbox and the drafts. */
  secondCopy: SecondCopy;
  close(): Promise<void>;
}

/** A change of its rows' shape makes a new collection, pulled anew; the other two migrate. */
export const recordsCollection = 'records_v1';

export interface DeviceStoreOptions {
  name: string;
  /** Without one, that of a browser. */
  storage?: DeviceStorage | undefined;
  /** Without one, that of a browser where the storage is, too. */
  mirror?: Mirror | undefined;
  schedule: Clock['schedule'];
  /** Those that the rows have gone through, by default all that there are. */
  migrations?: readonly Migration[];
}

export async function openDeviceStore({
  name,
  storage: given,
  mirror,
  schedule,
  migrations = ourMigrations,
}: DeviceStoreOptions): Promise<DeviceStore> {
  const health = new StorageHealth();
  const storage = given ?? ((await browserStorage(health)) as DeviceStorage);
  const version = migrations.length;
  const database = await createRxDatabase({
    name,
    storage,
    multiInstance: hasTabs,
    eventReduce: false,
  });
  try {
    const collections = (await database.addCollections({
      [recordsCollection]: { schema: rowSchema(recordBody, 0) },
      outbox: { schema: rowSchema(outboxBody, version), autoMigrate: false },
      drafts: { schema: rowSchema(draftBody, version), autoMigrate: false },
    })) as unknown as Record<string, RxCollection<never>>;
    const tables = await openTables(collections, health);
    // Of the tabs that open at once one migrates; one of an old version makes no mutation meanwhile.
    await locksOf(name).exclusive('outbox', () =>
      migrate({ ...tables, storage, databaseName: name, steps: migrations }),
    );
    const secondCopy = await SecondCopy.open({
      ...tables,
      migrations,
      mirror: mirror ?? (given ? undefined : await opfsMirror(name)),
      schedule,
    });
    return {
      ...tables,
      health,
      secondCopy,
      close: async () => {
        health.end();
        await database.close();
        secondCopy.close();
      },
    };
  } catch (error) {
    health.end();
    await database.close();
    throw error;
  }
}

async function openTables(collections: Record<string, unknown>, health: StorageHealth) {
  return {
    records: await Table.open(collections[recordsCollection] as RxCollection<Row<RecordBody>>, health),
    outbox: await Table.open(collections['outbox'] as RxCollection<Row<OutboxBody>>, health),
    drafts: await Table.open(collections['drafts'] as RxCollection<Row<DraftBody>>, health),
  };
}

/** Only a browser has several of us on one database; a second instance in one Node process is refused by RxDB. */
const hasTabs = typeof window !== 'undefined' && typeof BroadcastChannel !== 'undefined';
