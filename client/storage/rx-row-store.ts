/**
 * Stores rows in any RxDB storage. A write checks all rows for conflicts first, so with one tab it is atomic. If
 * another tab writes a row after this check, only that row is not written.
 */
import { prepareQuery, type RxDocumentData, type RxStorage, type RxStorageInstance } from 'rxdb';
import { map } from 'rxjs/operators';
import { conflictsOf, expectedRevisionsOf, type RowStoreFactory, type RowStore } from './row-store.ts';
import { documentOf, storedRowOf, toRxCollection, type RxRow } from './rx-collection.ts';

export function rxRowStores(storage: RxStorage<unknown, unknown>, databaseName: string): RowStoreFactory {
  return {
    open: async (collection) =>
      rxRowStore(await storage.createStorageInstance(toRxCollection(databaseName, collection))),
  };
}

type StorageInstance = RxStorageInstance<RxRow, unknown, unknown>;

function rxRowStore<Body>(instance: StorageInstance): RowStore<Body> {
  const { collectionName: name } = instance;
  return {
    name,
    changes$: instance
      .changeStream()
      .pipe(map(({ events }) => events.map(({ documentData }) => storedRowOf<Body>(documentData)))),
    readAll: async () =>
      (await queryDocuments(instance, { isRemoved: false })).map((document) => storedRowOf<Body>(document)),
    read: async (ids) => (await instance.findDocumentsById(ids, true)).map((document) => storedRowOf<Body>(document)),
    write: async (changes, fences = []) => {
      const expected = expectedRevisionsOf(changes, fences);
      const found = await instance.findDocumentsById(
        expected.map(({ id }) => id),
        true,
      );
      const conflicts = conflictsOf(
        expected,
        found.map((document) => storedRowOf<Body>(document)),
      );
      if (conflicts.length > 0) return conflicts;
      const before = new Map(found.map((document) => [document.id, document]));
      const writes = changes.map(({ row }) => {
        const previous = before.get(row.id);
        return { document: documentOf(row), ...(previous && { previous }) };
      });
      const { error } = await instance.bulkWrite(writes, 'gemba');
      return error.map((it) => {
        if (it.status !== 409) throw new Error(`${name} does not take ${it.documentId} (${it.status})`);
        return { id: it.documentId, stored: storedRowOf<Body>(it.documentInDb) };
      });
    },
    purge: async ({ rowsMax, keptMax = 0 }) => {
      if (keptMax > 0 && (await queryDocuments(instance, { isRemoved: true })).length <= keptMax) return;
      // RxDB decides how many tombstones each call removes.
      let isDone = false;
      for (let rounds = 0; !isDone && rounds < rowsMax; rounds++) isDone = await instance.cleanup(0);
    },
    drop: () => instance.remove(),
    close: () => instance.close(),
  };
}

async function queryDocuments(
  instance: StorageInstance,
  { isRemoved }: { isRemoved: boolean },
): Promise<RxDocumentData<RxRow>[]> {
  const selector = { _deleted: { $eq: isRemoved } };
  const query = prepareQuery<RxRow>(instance.schema, { selector, sort: [{ id: 'asc' }], skip: 0 });
  return (await instance.query(query)).documents;
}
