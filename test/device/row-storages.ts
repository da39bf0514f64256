/** The drivers of the device's tables, each over an empty storage of its own. */
import { IDBFactory, IDBKeyRange } from 'fake-indexeddb';
import { getRxStorageDexie } from 'rxdb/plugins/storage-dexie';
import { getRxStorageMemory } from 'rxdb/plugins/storage-memory';
import { dexieRowStores } from '../../client/storage/dexie-row-store.ts';
import { StorageHealth } from '../../client/storage/storage-health.ts';
import type { RowStoreFactory } from '../../client/storage/row-store.ts';
import { rxRowStores } from '../../client/storage/rx-row-store.ts';
import { sqliteStorage } from '../../client/entries/native.ts';
import { nodeStorage } from '../../client/entries/node.ts';
import { adaptedDatabase, newFile } from './sqlite/sqlite-files.ts';

/** Opens the storage of one device. Each call stands for another tab of the device. */
export type OpenRowStorage = (databaseName: string) => RowStoreFactory;

/** Both drivers on one IndexedDB: RxDB as it comes, and the one that uses IndexedDB directly. */
export function onIndexedDb(): { rxdb: OpenRowStorage; direct: OpenRowStorage } {
  const dependencies = { indexedDB: new IDBFactory(), IDBKeyRange };
  return {
    rxdb: (databaseName) => rxRowStores(getRxStorageDexie(dependencies), databaseName),
    direct: (databaseName) => dexieRowStores({ databaseName, health: new StorageHealth(), dependencies }),
  };
}

const onSqlite =
  (storage: RowStoreFactory): OpenRowStorage =>
  (databaseName) => ({ open: (collection) => storage.open({ databaseName, ...collection }) });

export const rowStorageDrivers: [name: string, make: () => OpenRowStorage][] = [
  [
    'RxDB in memory',
    () => {
      const memory = getRxStorageMemory();
      return (databaseName) => rxRowStores(memory, databaseName);
    },
  ],
  ['RxDB on Dexie as it comes', () => onIndexedDb().rxdb],
  ['RxDB on Dexie with IndexedDB directly', () => onIndexedDb().direct],
  ['SQLite', () => onSqlite(nodeStorage(newFile()))],
  ['SQLite by an adapter of the app', () => onSqlite(sqliteStorage(adaptedDatabase()))],
];
