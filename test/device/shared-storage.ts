/** A storage in memory that several tabs of a device share. They are not told of each other's writes. */
import { randomUUID } from 'node:crypto';
import { filter } from 'rxjs/operators';
import type { AnyRxStorage } from '../rx-storage.ts';
import { memoryStorage } from './devices.ts';

export interface SharedStorage {
  /** Makes the storage of one more tab. */
  storage(): AnyRxStorage;
}

export function sharedStorage(): SharedStorage {
  const inner = memoryStorage();
  const databaseName = randomUUID();
  return {
    storage() {
      const tab = randomUUID();
      return {
        ...inner,
        createStorageInstance: async (params) => {
          const instance = await inner.createStorageInstance({ ...params, databaseName });
          const bulkWrite = instance.bulkWrite.bind(instance);
          const own$ = instance.changeStream().pipe(filter(({ context }) => context === tab));
          return Object.assign(instance, {
            bulkWrite: (writes: Parameters<typeof bulkWrite>[0]) => bulkWrite(writes, tab),
            changeStream: () => own$,
          });
        },
      };
    },
  };
}
