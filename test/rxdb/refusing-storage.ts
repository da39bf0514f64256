/** A storage of RxDB without room for what a replication writes, as a device whose quota is used up. */
import type { RxStorage } from 'rxdb';
import { getRxStorageMemory } from 'rxdb/plugins/storage-memory';

export interface RefusingStorage {
  storage: RxStorage<unknown, unknown>;
  /** While true a replication cannot write to the collections. */
  isFull: boolean;
}

export function refusingStorage(): RefusingStorage {
  const memory = getRxStorageMemory();
  const refusing: RefusingStorage = {
    isFull: false,
    storage: {
      ...memory,
      createStorageInstance: async (params: Parameters<typeof memory.createStorageInstance>[0]) => {
        const instance = await memory.createStorageInstance(params);
        const bulkWrite = instance.bulkWrite.bind(instance);
        instance.bulkWrite = async (rows, context) => {
          if (refusing.isFull && context.startsWith('replication-downstream'))
            throw new DOMException('The quota is used up.', 'QuotaExceededError');
          return bulkWrite(rows, context);
        };
        return instance;
      },
    } as unknown as RxStorage<unknown, unknown>,
  };
  return refusing;
}
