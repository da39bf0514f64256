/** A device's database: three tables. */
import { StorageHealth } from './health.ts';
import type { Clock } from '../core/clock.ts';
import { Journal } from './journal/journal.ts';
import type { Mirror } from './journal/mirror.ts';
import { fenceOff } from './fence.ts';
import { locksOf } from '../core/locks.ts';
import { migrate, migrations as ourMigrations, type Migration } from './migrations.ts';
import { opfsJournal } from './journal/opfs.ts';
import { rowStorageFor, type DeviceStorage } from './row-storage.ts';
import type { Collection } from './row-store.ts';
import { cursorRowId, deviceRowId, type DraftBody, type OutboxBody, type RecordBody } from './rows.ts';
import { Table, type TableOptions } from './table.ts';

export interface DeviceStore {
  /** Not read yet, since they may be many: `refreshAll` does. */
  records: Table<RecordBody>;
  outbox: Table<OutboxBody>;
  drafts: Table<DraftBody>;
  health: StorageHealth;
  /** Of the outbox and the drafts. */
  journal: Journal;
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
  const release = given && !hasTabs ? claim(given, name) : () => {};
  // The journal's worker starts while the tables are opened.
  const starting = mirror ?? (given ? undefined : opfsJournal(name));
  const opened: { close(): Promise<void> }[] = [];
  const close = async () => {
    health.end();
    await Promise.all(opened.map((store) => store.close()));
    release();
  };
  try {
    const storage = await rowStorageFor({ given, databaseName: name, health });
    const table = async <Body>(
      collection: Pick<Collection, 'name' | 'version'>,
      more: Pick<TableOptions<Body>, 'schedule' | 'witness' | 'fence'>,
    ): Promise<Table<Body>> => {
      const store = await storage.open<Body>({ ...collection, isShared: hasTabs });
      opened.push(store);
      return new Table({ store, health, ...more });
    };
    const version = migrations.length;
    const [records, outbox, drafts] = await Promise.all([
      // The sync watches a long write of records.
      table<RecordBody>({ name: recordsCollection, version: 0 }, { witness: cursorRowId }),
      table<OutboxBody>({ name: 'outbox', version }, { schedule, fence: deviceRowId }),
      table<DraftBody>({ name: 'drafts', version }, { schedule }),
    ]);
    const tables = { records, outbox, drafts };
    await Promise.all([outbox.refreshAll(), drafts.refreshAll()]);
    // Of the tabs that open at once one mends, and none makes a mutation meanwhile.
    const journal = await locksOf(name, schedule).exclusiveStealing('outbox', async (isStolen) => {
      if (isStolen) await fenceOff(outbox);
      await migrate({ ...tables, storage, steps: migrations });
      return Journal.open({
        ...tables,
        migrations,
        mirror: await starting,
        schedule,
      });
    });
    return {
      ...tables,
      health,
      journal,
      close: async () => {
        await close();
        journal.close();
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
