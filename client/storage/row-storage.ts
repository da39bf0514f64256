/** Chooses the storage driver of a device: RxDB on Dexie in a browser, or the RxDB storage that the app passes. */
import type { RxStorage } from 'rxdb';
import type { StorageHealth } from './storage-health.ts';
import type { RowStoreFactory } from './row-store.ts';

/** An RxDB storage, as far as `openGemba` needs its type. RxDB's types are too many to be part of this package. */
export interface DeviceStorage {
  name: string;
  rxdbVersion: string;
  createStorageInstance(parameters: never): Promise<object>;
}

/** A storage that an app supplies: RxDB's, or row stores of its own whose writes are atomic. */
export type SuppliedStorage = DeviceStorage | RowStoreFactory;

interface RowStorageOptions {
  suppliedStorage: SuppliedStorage | undefined;
  databaseName: string;
  health: StorageHealth;
}

export async function rowStoreFactoryFor({
  suppliedStorage,
  databaseName,
  health,
}: RowStorageOptions): Promise<RowStoreFactory> {
  if (suppliedStorage) return openSuppliedStorage(suppliedStorage, databaseName);
  if (typeof indexedDB === 'undefined') {
    throw new Error('No IndexedDB: pass `storage`.');
  }
  const { dexieRowStores } = await import('./dexie-row-store.ts');
  return dexieRowStores({ databaseName, health });
}

async function openSuppliedStorage(suppliedStorage: SuppliedStorage, databaseName: string): Promise<RowStoreFactory> {
  if ('open' in suppliedStorage) return suppliedStorage;
  const [{ rxRowStores }, { draftBody, outboxBody, recordBody }] = await Promise.all([
    import('./rx-row-store.ts'),
    import('../generated/row-schemas.ts'),
  ]);
  const storage = rxRowStores(suppliedStorage as RxStorage<unknown, unknown>, databaseName);
  const bodySchemas: Record<string, object> = { outbox: outboxBody, drafts: draftBody };
  return {
    open: (collection) => storage.open({ bodySchema: bodySchemas[collection.name] ?? recordBody, ...collection }),
  };
}
