/**
 * A write of many rows that is all or nothing. RxDB's `bulkWrite` writes the rows beside those that conflict, so that a
 * cursor could move on without the rows that came with it.
 */
import type { RxDocumentData, RxStorageInstance } from 'rxdb';
import type { Row } from './rows.ts';

/** A row as it lies in the storage; one that was removed has no body. */
export type Stored<Body> = RxDocumentData<Row<Body | null>>;
export type RowStorage<Body> = RxStorageInstance<Row<Body | null>, unknown, unknown>;

export interface RowWrite<Body> {
  document: Stored<Body>;
  /** The revision that is written over; undefined where no row is expected. */
  over: string | undefined;
}

/** A row that is not as it was expected to be; `stored` is undefined where there is none. */
export interface Conflict<Body> {
  id: string;
  stored: Stored<Body> | undefined;
}

/** Removes at most so many tombstones from the storage. */
export type Purge = (rowsMax: number) => Promise<void>;

/** A row that must stand at this revision for a write to happen, and is not written itself. */
export interface Fence {
  id: string;
  over: string | undefined;
}

/** Writes all rows; or none, and answers the conflicts. */
export type AtomicWrite<Body> = (writes: RowWrite<Body>[], fences?: Fence[]) => Promise<Conflict<Body>[]>;

/** The revisions that a write expects to find. */
export const expectedBy = <Body>(writes: RowWrite<Body>[], fences: Fence[] = []): Fence[] => [
  ...writes.map(({ document: { id }, over }) => ({ id, over })),
  ...fences,
];

export function conflictsOf<Body>(
  expected: Fence[],
  storedOf: (id: string) => Stored<Body> | undefined,
): Conflict<Body>[] {
  return expected.flatMap(({ id, over }) => {
    const stored = storedOf(id);
    return stored?._rev === over ? [] : [{ id, stored }];
  });
}

/** On any storage of RxDB. It looks before it writes, which is enough for one engine that has the storage to itself. */
export function lookThenWrite<Body>(storage: RowStorage<Body>): AtomicWrite<Body> {
  return async (writes, fences) => {
    const expected = expectedBy(writes, fences);
    const found = await storage.findDocumentsById(
      expected.map(({ id }) => id),
      true,
    );
    const stored = new Map(found.map((it) => [it.id, it]));
    const conflicts = conflictsOf(expected, (id) => stored.get(id));
    if (conflicts.length > 0) return conflicts;
    const rows = writes.map(({ document }) => {
      const previous = stored.get(document.id);
      return previous ? { previous, document } : { document };
    });
    const { error } = await storage.bulkWrite(rows, 'gemba');
    return error.map((it) => {
      if (it.status !== 409) throw new Error(`${storage.collectionName} does not take ${it.documentId} (${it.status})`);
      return { id: it.documentId, stored: it.documentInDb };
    });
  };
}

/** On any storage of RxDB, which frees as much at once as it likes. */
export function cleanUp<Body>(storage: RowStorage<Body>): Purge {
  return async (rowsMax) => {
    let isDone = false;
    for (let rounds = 0; !isDone && rounds < rowsMax; rounds++) isDone = await storage.cleanup(0);
  };
}
