/** Opens a device's database: the tables of records, outbox and drafts, and their journal. */
import { GembaError } from '../core/errors.ts';
import { StorageHealth } from './storage-health.ts';
import type { Clock } from '../core/clock.ts';
import { Journal } from './journal/journal.ts';
import type { Mirror } from './journal/mirror.ts';
import { fenceOff } from './fence.ts';
import { supportsTabs, type TabPlatform } from '../core/supports-tabs.ts';
import { createLocks } from '../core/locks.ts';
import { migrations as ourMigrations, type Migration } from './migration/migrations.ts';
import { openOpfsJournal } from './journal/opfs.ts';
import { rowStoreFactoryFor, type SuppliedStorage } from './row-storage.ts';
import type { Collection } from './row-store.ts';
import { cursorRowId, deviceRowId, type TapBody, type OutboxBody, type RecordBody } from './rows.ts';
import type { TableOptions } from './table-options.ts';
import { Table } from './table.ts';

export interface DeviceTables {
  /** Has no rows in memory until `refreshAll` is called, since reading many records would delay the opening. */
  records: Table<RecordBody>;
  outbox: Table<OutboxBody>;
  drafts: Table<TapBody>;
  /** Opens another table, which the journal does not copy. Its rows are in memory only after `refreshAll`. */
  openTable<Body>(
    collection: Pick<Collection, 'name' | 'version' | 'bodySchema'>,
    options: Pick<TableOptions<Body>, 'schedule'>,
  ): Promise<Table<Body>>;
  storageHealth: StorageHealth;
  journal: Journal;
  close(): Promise<void>;
}

/**
 * The collection of pulled records. If the shape of records changes, the collection gets a new name, and each device
 * pulls all records again.
 */
export const recordsCollection = 'records_v1';

export interface DeviceTablesOptions {
  name: string;
  /** Default: the browser's IndexedDB. */
  storage?: SuppliedStorage | undefined;
  /** Default: the browser's private file system, or no journal if `storage` is given. */
  mirror?: Mirror | undefined;
  /**
   * Connects the tabs that share the database. Default: the browser's Web Locks and BroadcastChannel; in Node, one
   * engine alone opens a database.
   */
  tabs?: TabPlatform | undefined;
  clock: Pick<Clock, 'schedule' | 'wallMs'>;
  /** Default: all migrations. Tests pass their own. */
  migrations?: readonly Migration[];
}

export async function openDeviceTables({
  name,
  storage: suppliedStorage,
  mirror,
  tabs,
  clock: { schedule, wallMs },
  migrations = ourMigrations,
}: DeviceTablesOptions): Promise<DeviceTables> {
  const health = new StorageHealth();
  const release = suppliedStorage && !supportsTabs && !tabs ? claimDatabaseName(suppliedStorage, name) : () => {};
  // Await `mirrorOpening` only later, so that the journal's worker starts while the tables open.
  const mirrorOpening = mirror ?? (suppliedStorage ? undefined : openOpfsJournal(name));
  const openStores: { close(): Promise<void> }[] = [];
  const close = async () => {
    health.expectClosing();
    await Promise.all(openStores.map((store) => store.close()));
    release();
  };
  try {
    const storage = await rowStoreFactoryFor({ suppliedStorage, databaseName: name, health });
    const table = async <Body>(
      collection: Pick<Collection, 'name' | 'version' | 'bodySchema'>,
      options: Pick<TableOptions<Body>, 'schedule' | 'witnessRowId' | 'fenceRowId'>,
    ): Promise<Table<Body>> => {
      const store = await storage.open<Body>({ ...collection, isShared: supportsTabs });
      openStores.push(store);
      return new Table({ store, health, wallMs, ...options });
    };
    const version = migrations.length;
    const [records, outbox, drafts] = await Promise.all([
      // The table of records has no `schedule` and so no timeout, because storing a large pull may take long.
      table<RecordBody>({ name: recordsCollection, version: 0 }, { witnessRowId: cursorRowId }),
      table<OutboxBody>({ name: 'outbox', version }, { schedule, fenceRowId: deviceRowId }),
      table<TapBody>({ name: 'drafts', version }, { schedule }),
    ]);
    const tables = { records, outbox, drafts };
    await Promise.all([outbox.refreshAll(), drafts.refreshAll()]);
    // The lock lets one tab at a time recover the database, and keeps other tabs from making mutations during the
    // recovery.
    const journal = await createLocks(name, schedule, tabs?.locks).exclusiveStealing('outbox', async (isStolen) => {
      if (isStolen) await fenceOff(outbox);
      if (migrations.length > 0) {
        const { migrate } = await import('./migration/migrate.ts');
        await migrate({ ...tables, storage, steps: migrations });
      }
      return Journal.open({
        ...tables,
        migrations,
        mirror: await mirrorOpening,
        schedule,
      });
    });
    return {
      ...tables,
      openTable: table,
      storageHealth: health,
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

const claimedDatabaseNames = new WeakMap<SuppliedStorage, Set<string>>();

/**
 * Throws if this process has the database open already, since outside a browser two engines do not see each other's
 * writes. Returns a function that releases the name.
 */
function claimDatabaseName(storage: SuppliedStorage, name: string): () => void {
  const names = claimedDatabaseNames.get(storage) ?? new Set();
  if (names.has(name)) throw new GembaError({ code: 'storage_in_use', detail: `${name} is open already` });
  claimedDatabaseNames.set(storage, names.add(name));
  return () => void names.delete(name);
}
