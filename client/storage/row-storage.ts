/**
 * Chooses the storage driver of a device: Dexie's IndexedDB through RxDB in a browser, or the storage that the app
 * passes.
 */
import type { StorageHealth } from './storage-health.ts';
import type { RowStoreFactory } from './row-store.ts';

/**
 * An RxDB storage, with only the members that `openGemba` needs, since the package does not include RxDB's many types.
 */
export interface DeviceStorage {
  name: string;
  rxdbVersion: string;
  createStorageInstance(parameters: never): Promise<object>;
}

/**
 * A storage that an app supplies: an RxDB storage, or a factory of the app's own row stores, whose writes must be
 * atomic.
 */
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
  // Without a secure context, a page has IndexedDB but no `crypto.subtle`. `openSuppliedStorage` then throws an error
  // that names the missing feature.
  if (suppliedStorage || typeof indexedDB === 'undefined' || !globalThis.crypto?.subtle) {
    const { openSuppliedStorage } = await import('./supplied/open-supplied-storage.ts');
    return openSuppliedStorage(suppliedStorage, databaseName);
  }
  const { dexieRowStores } = await import('./dexie-row-store.ts');
  return dexieRowStores({ databaseName, health });
}
