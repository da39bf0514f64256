import type { RxStorage } from 'rxdb';
import { readDirectly, type DexieInstance } from './dexie-directly.ts';
import type { StorageHealth } from './health.ts';

/** IndexedDB through Dexie; strict durability, so that a resolved write is on the disk. */
export async function browserStorage(health: StorageHealth): Promise<RxStorage<unknown, unknown>> {
  if (typeof indexedDB === 'undefined') {
    throw new Error('There is no IndexedDB here: pass `storage`, an RxDB storage, to openGemba.');
  }
  const { getRxStorageDexie } = await import('rxdb/plugins/storage-dexie');
  const settings = {
    chromeTransactionDurability: 'strict' as const,
    onCreate: (database: Database) => {
      let openings = 0;
      database.on('close', () => health.closed());
      const onReady = () => {
        if (++openings > 1) health.closed();
        health.refuseWhenLost();
      };
      const eachTime = true;
      database.on('ready', onReady, eachTime);
    },
  };
  const storage = getRxStorageDexie(settings as never) as unknown as RxStorage<unknown, unknown>;
  return {
    ...storage,
    createStorageInstance: async (params) => {
      const instance = await storage.createStorageInstance(params);
      readDirectly(instance as unknown as DexieInstance);
      return instance;
    },
  };
}

/** What is used of Dexie's. */
interface Database {
  on(event: 'close', listener: () => void): void;
  on(event: 'ready', listener: () => void, eachTime: boolean): void;
}
