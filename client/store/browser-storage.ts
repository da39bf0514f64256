import type { RxStorage, RxStorageInstance } from 'rxdb';
import type { StorageHealth } from './health.ts';

/** IndexedDB through Dexie; strict durability, so that a resolved write is on the disk. */
export async function browserStorage(health: StorageHealth): Promise<RxStorage<unknown, unknown>> {
  if (typeof indexedDB === 'undefined') {
    throw new Error('There is no IndexedDB here: pass `storage`, an RxDB storage, to openGemba.');
  }
  const { getRxStorageDexie, fromDexieToStorage } = await import('rxdb/plugins/storage-dexie');
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
  const storage = getRxStorageDexie(settings as never) as unknown as RxStorage<DexieState, unknown>;
  return {
    ...storage,
    createStorageInstance: async (params) => {
      const instance = await storage.createStorageInstance(params);
      instance.query = () => allAtOnce(instance, fromDexieToStorage);
      return instance;
    },
  };
}

/**
 * All rows that were not removed, which is the one thing that is ever asked for, in one request: a cursor, which RxDB
 * takes, goes to the browser's storage and back for every few rows.
 */
async function allAtOnce<Document>(
  instance: RxStorageInstance<Document, DexieState, unknown>,
  read: (booleanIndexes: string[], row: unknown) => unknown,
) {
  const { dexieTable, booleanIndexes } = await instance.internals;
  const rows = await dexieTable.where('[_deleted+id]').between(['0', ''], ['0', '\uffff']).toArray();
  return { documents: rows.map((row) => read(booleanIndexes, row)) as never };
}

type DexieState = Promise<{
  dexieTable: { where(index: string): { between(from: unknown[], to: unknown[]): { toArray(): Promise<unknown[]> } } };
  booleanIndexes: string[];
}>;

/** What is used of Dexie's. */
interface Database {
  on(event: 'close', listener: () => void): void;
  on(event: 'ready', listener: () => void, eachTime: boolean): void;
}
