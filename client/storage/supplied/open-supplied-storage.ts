/** Opens the storage that an app supplies. Loads on demand, since a browser has IndexedDB. */
import type { RxStorage } from 'rxdb';
import { requirePlatform, unsupportedError } from '../../core/platform.ts';
import type { SuppliedStorage } from '../row-storage.ts';
import type { RowStoreFactory } from '../row-store.ts';

/** Throws `unsupported_platform` if the platform lacks what the engine needs, or if there is no storage. */
export async function openSuppliedStorage(
  suppliedStorage: SuppliedStorage | undefined,
  databaseName: string,
): Promise<RowStoreFactory> {
  requirePlatform();
  if (!suppliedStorage) {
    throw unsupportedError('IndexedDB. Pass `storage` to openGemba, such as nodeStorage or sqliteStorage.');
  }
  if ('open' in suppliedStorage) {
    return { open: (collection) => suppliedStorage.open({ databaseName, ...collection }) };
  }
  const [{ rxRowStores }, { draftBody, outboxBody, recordBody }] = await Promise.all([
    import('../rx-row-store.ts'),
    import('../../generated/row-schemas.ts'),
  ]);
  const storage = rxRowStores(suppliedStorage as RxStorage<unknown, unknown>, databaseName);
  const bodySchemas: Record<string, object> = { outbox: outboxBody, drafts: draftBody };
  return {
    open: (collection) => storage.open({ bodySchema: bodySchemas[collection.name] ?? recordBody, ...collection }),
  };
}
