/** Opens a device's database: the tables of records, outbox and drafts, and their journal. */
import { StorageHealth } from './health.ts';
import type { Clock } from '../core/clock.ts';
import { Journal } from './journal/journal.ts';
import type { Mirror } from './journal/mirror.ts';
import { fenceOff } from './fence.ts';
import { supportsTabs } from '../core/supports-tabs.ts';
import { createLocks } from '../core/locks.ts';
import { migrate, migrations as ourMigrations, type Migration } from './migrations.ts';
import { opfsJournal } from './journal/opfs.ts';
import { rowStorageFor, type DeviceStorage } from './row-storage.ts';
import type { Collection } from './row-store.ts';
import { cursorRowId, deviceRowId, type TapBody, type OutboxBody, type RecordBody } from './rows.ts';
import { Table, type TableOptions } from './table.ts';

export interface DeviceStore {
  /** Has no rows in memory before `refreshAll`: there may be many records, and the opening does not wait for them. */
  records: Table<RecordBody>;
  outbox: Table<OutboxBody>;
  drafts: Table<TapBody>;
  health: StorageHealth;
  /** Keeps a second copy of the outbox and the drafts. */
  journal: Journal;
  close(): Promise<void>;
}

/**
 * When the shape of the records changes, the collection gets a new name, and each device pulls its records again. The rows of
 * outbox and drafts are migrated instead.
 */
export const recordsCollection = 'records_v1';

export interface DeviceStoreOptions {
  name: string;
  /** The default is the browser's IndexedDB. */
  storage?: DeviceStorage | undefined;
  /** The default is the browser's private file system, or none if `storage` is given. */
  mirror?: Mirror | undefined;
  clock: Pick<Clock, 'schedule' | 'wallMs'>;
  /** The default is all migrations; tests pass their own. */
  migrations?: readonly Migration[];
}

export async function openDeviceStore({
  name,
  storage: suppliedStorage,
  mirror,
  clock: { schedule, wallMs },
  migrations = ourMigrations,
}: DeviceStoreOptions): Promise<DeviceStore> {
  const health = new StorageHealth();
  const release = suppliedStorage && !supportsTabs ? claimDevice(suppliedStorage, name) : () => {};
  // Do not wait here: the journal's worker starts while the tables are opened.
  const mirrorOpening = mirror ?? (suppliedStorage ? undefined : opfsJournal(name));
  const openStores: { close(): Promise<void> }[] = [];
  const close = async () => {
    health.stop();
    await Promise.all(openStores.map((store) => store.close()));
    release();
  };
  try {
    const storage = await rowStorageFor({ suppliedStorage, databaseName: name, health });
    const table = async <Body>(
      collection: Pick<Collection, 'name' | 'version'>,
      options: Pick<TableOptions<Body>, 'schedule' | 'witnessRowId' | 'fenceRowId'>,
    ): Promise<Table<Body>> => {
      const store = await storage.open<Body>({ ...collection, isShared: supportsTabs });
      openStores.push(store);
      return new Table({ store, health, wallMs, ...options });
    };
    const version = migrations.length;
    const [records, outbox, drafts] = await Promise.all([
      // The records get no `schedule`, and so no timeout, because writing a long pull takes long.
      table<RecordBody>({ name: recordsCollection, version: 0 }, { witnessRowId: cursorRowId }),
      table<OutboxBody>({ name: 'outbox', version }, { schedule, fenceRowId: deviceRowId }),
      table<TapBody>({ name: 'drafts', version }, { schedule }),
    ]);
    const tables = { records, outbox, drafts };
    await Promise.all([outbox.refreshAll(), drafts.refreshAll()]);
    // Under this lock, only one of several opening tabs recovers the database, and no tab makes a mutation meanwhile.
    const journal = await createLocks(name, schedule).exclusiveStealing('outbox', async (isStolen) => {
      if (isStolen) await fenceOff(outbox);
      await migrate({ ...tables, storage, steps: migrations });
      return Journal.open({
        ...tables,
        migrations,
        mirror: await mirrorOpening,
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
    (await mirrorOpening)?.giveUp();
    await close();
    throw error;
  }
}

const openDevices = new WeakMap<DeviceStorage, Set<string>>();

/** Refuses a second engine on the same database: outside a browser, no engine sees the writes of another. */
function claimDevice(storage: DeviceStorage, name: string): () => void {
  const names = openDevices.get(storage) ?? new Set();
  if (names.has(name)) throw new Error(`The device ${name} is open in this process already: close it first.`);
  openDevices.set(storage, names.add(name));
  return () => void names.delete(name);
}
