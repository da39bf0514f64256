/** A storage of RxDB that throws for some of what a replication writes, as a device whose quota is used up. */
import type { RxStorage } from 'rxdb';
import { getRxStorageMemory } from 'rxdb/plugins/storage-memory';

export interface RefusingStorage {
  storage: RxStorage<unknown, unknown>;
  /** Tells whether a write of these documents throws. Default: none does. */
  refuses(ids: readonly string[]): boolean;
  /** How many documents each refused write had, and when it was. */
  readonly refused: { size: number; at: number }[];
}

export function refusingStorage(): RefusingStorage {
  const memory = getRxStorageMemory();
  const refusing: RefusingStorage = {
    refuses: () => false,
    refused: [],
    storage: {
      ...memory,
      createStorageInstance: async (params: Parameters<typeof memory.createStorageInstance>[0]) => {
        const instance = await memory.createStorageInstance(params);
        const bulkWrite = instance.bulkWrite.bind(instance);
        instance.bulkWrite = async (rows, context) => {
          const isOfReplication = context.startsWith('replication-downstream');
          if (
            isOfReplication &&
            refusing.refuses(rows.map(({ document }) => (document as unknown as { id: string }).id))
          ) {
            refusing.refused.push({ size: rows.length, at: performance.now() });
            throw new DOMException('The quota is used up.', 'QuotaExceededError');
          }
          return bulkWrite(rows, context);
        };
        return instance;
      },
    } as unknown as RxStorage<unknown, unknown>,
  };
  return refusing;
}
