/** A device's database: three collections of RxDB, the only place that imports it. */
import { fillWithDefaultSettings, randomToken, type RxJsonSchema, type RxStorage } from 'rxdb';
import { cleanUp, lookThenWrite, type RowStorage } from './atomic-write.ts';
import { browserStorage } from './browser-storage.ts';
import { purgeDirectly, writeDirectly, type DexieInstance } from './dexie-directly.ts';
import { StorageHealth } from './health.ts';
import { draftBody, outboxBody, recordBody } from '../generated/row-schemas.ts';
import type { Clock } from '../core/clock.ts';
import type { Mirror } from './journal/journal.ts';
import { fenceOff } from './fence.ts';
import { locksOf } from '../core/locks.ts';
import { migrate, migrations as ourMigrations, type Migration } from './migrations.ts';
import { rowSchema } from './row-schema.ts';
import { opfsMirror } from './journal/opfs.ts';
import { SecondCopy } from './journal/second-copy.ts';
import { cursorRowId, deviceRowId, type DraftBody, type OutboxBody, type RecordBody, type Row } from './rows.ts';
import { Table, type TableOptions } from './table.ts';

export type DeviceStorage = RxStorage<unknown, unknown>;

export interface DeviceStore {
  /** Not read yet, since they may be many: `refreshAll` does. */
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
  const release = hasTabs ? () => {} : claim(storage, name);
  // It starts while the tables are opened.
  const starting = mirror ?? (given ? undefined : opfsMirror(name));
  const version = migrations.length;
  const opened: { close(): Promise<void> }[] = [];
  const databaseInstanceToken = randomToken(10);
  const open = async <Body>(
    collectionName: string,
    schema: RxJsonSchema<Row<never>>,
    more: Pick<TableOptions<Body>, 'schedule' | 'witness' | 'fence'>,
  ): Promise<Table<Body>> => {
    const instance = (await storage.createStorageInstance<Row<never>>({
      databaseInstanceToken,
      databaseName: name,
      collectionName,
      schema: fillWithDefaultSettings(schema),
      options: {},
      multiInstance: hasTabs,
      devMode: false,
    })) as unknown as RowStorage<Body>;
    opened.push(instance);
    const options = { storage: instance, health, ...more };
    if (given) return Table.unread({ ...options, write: lookThenWrite(instance), purge: cleanUp(instance) });
    const dexie = instance as unknown as DexieInstance;
    return Table.unread({ ...options, write: writeDirectly(dexie), purge: purgeDirectly(dexie) });
  };
  const close = async () => {
    health.end();
    await Promise.all(opened.map((instance) => instance.close()));
    release();
  };
  try {
    const [records, outbox, drafts] = await Promise.all([
      // A long write of these is watched by the sync.
      open<RecordBody>(recordsCollection, rowSchema(recordBody, 0), { witness: cursorRowId }),
      open<OutboxBody>('outbox', rowSchema(outboxBody, version), { schedule, fence: deviceRowId }),
      open<DraftBody>('drafts', rowSchema(draftBody, version), { schedule }),
    ]);
    const tables = { records, outbox, drafts };
    await Promise.all([outbox.refreshAll(), drafts.refreshAll()]);
    // Of the tabs that open at once one mends, and none makes a mutation meanwhile.
    const secondCopy = await locksOf(name, schedule).exclusiveStealing('outbox', async (isStolen) => {
      if (isStolen) await fenceOff(outbox);
      await migrate({ ...tables, storage, databaseName: name, steps: migrations });
      return SecondCopy.open({
        ...tables,
        migrations,
        mirror: await starting,
        schedule,
      });
    });
    return {
      ...tables,
      health,
      secondCopy,
      close: async () => {
        await close();
        secondCopy.close();
      },
    };
  } catch (error) {
    (await starting)?.giveUp();
    await close();
    throw error;
  }
}

const openDevices = new WeakMap<DeviceStorage, Set<string>>();

/** Without tabs there is nobody to tell a second engine what the first one wrote. */
function claim(storage: DeviceStorage, name: string): () => void {
  const names = openDevices.get(storage) ?? new Set();
  if (names.has(name)) throw new Error(`The device ${name} is open in this process already: close it first.`);
  openDevices.set(storage, names.add(name));
  return () => void names.delete(name);
}

/** Only a browser has several of us on one database. */
const hasTabs = typeof window !== 'undefined' && typeof BroadcastChannel !== 'undefined';
