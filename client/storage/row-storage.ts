/** Chooses the storage driver of a device: RxDB on Dexie in a browser, or the RxDB storage that the app passes. */
import type { RxStorage } from 'rxdb';
import type { StorageHealth } from './storage-health.ts';
import type { RowStorage } from './row-store.ts';

/** An RxDB storage, which an app may pass to `openGemba`. */
export type DeviceStorage = RxStorage<unknown, unknown>;

interface RowStorageOptions {
  suppliedStorage: DeviceStorage | undefined;
  databaseName: string;
  health: StorageHealth;
}

export async function rowStorageFor({ suppliedStorage, databaseName, health }: RowStorageOptions): Promise<RowStorage> {
  if (suppliedStorage) return openSuppliedStorage(suppliedStorage, databaseName);
  if (typeof indexedDB === 'undefined') {
    throw new Error('There is no IndexedDB here: pass `storage`, an RxDB storage, to openGemba.');
  }
  const { dexieRowStorage } = await import('./dexie-row-store.ts');
  return dexieRowStorage({ databaseName, health });
}

async function openSuppliedStorage(suppliedStorage: DeviceStorage, databaseName: string): Promise<RowStorage> {
  const [{ rxRowStorage }, { draftBody, outboxBody, recordBody }] = await Promise.all([
    import('./rx-row-store.ts'),
    import('../generated/row-schemas.ts'),
  ]);
  const storage = rxRowStorage(suppliedStorage, databaseName);
  const bodySchemas: Record<string, object> = { outbox: outboxBody, drafts: draftBody };
  return {
    open: (collection) => storage.open({ bodySchema: bodySchemas[collection.name] ?? recordBody, ...collection }),
  };
}
