/**
 * The interface of a stored table: rows with revisions, and writes that happen as a whole or not at all. There are two
 * drivers: any storage of RxDB (rx-row-store.ts), and Dexie with direct use of IndexedDB (dexie-row-store.ts).
 */
import type { Observable } from 'rxjs';

/** A stored row, or the tombstone of a removed row, which has a null body. */
export interface StoredRow<Body> {
  id: string;
  /** Grows with each write of the row. */
  revision: number;
  body: Body | null;
}

/** The revision that a row must have at the moment of a write; undefined if the row must not exist. */
export interface ExpectedRevision {
  id: string;
  revision: number | undefined;
}

/** A row or tombstone to write, and the revision that it replaces. */
export interface RowChange<Body> {
  row: StoredRow<Body>;
  replacedRevision: number | undefined;
}

/** A row that does not have its expected revision; `stored` is undefined if there is no such row. */
export interface RowConflict<Body> {
  id: string;
  stored: StoredRow<Body> | undefined;
}

export interface RowStore<Body> {
  readonly name: string;
  /** Emits the writes of other tabs. A driver may emit the writes of this tab, too. */
  readonly changes$: Observable<StoredRow<Body>[]>;
  /** Reads all rows except tombstones. */
  readAll(): Promise<StoredRow<Body>[]>;
  /** Reads the rows with these ids, tombstones included. */
  read(ids: string[]): Promise<StoredRow<Body>[]>;
  /** Writes all changes durably; or writes nothing and returns the conflicts. `fences` are checked, but not written. */
  write(changes: RowChange<Body>[], fences?: ExpectedRevision[]): Promise<RowConflict<Body>[]>;
  /** Removes tombstones if there are more than `keptMax`. A storage that cannot limit the number ignores `rowsMax`. */
  purge(limits: PurgeLimits): Promise<void>;
  /** Deletes all rows and closes the store. */
  drop(): Promise<void>;
  close(): Promise<void>;
}

export interface PurgeLimits {
  /** The most tombstones to remove, so that the transaction stays short. */
  rowsMax: number;
  /** Nothing is purged while there are at most this many tombstones; 0 by default. */
  keptMax?: number;
}

export interface Collection {
  name: string;
  /** The version of the rows; each version has its own collection. */
  version: number;
  /** Whether several tabs may have the collection open. */
  isShared: boolean;
  /** The JSON schema for a storage that validates rows, as RxDB's validators do. By default, any object is valid. */
  bodySchema?: object | undefined;
}

/** Opens the collections of one device. */
export interface RowStorage {
  open<Body>(collection: Collection): Promise<RowStore<Body>>;
}

/** Returns the revisions that a write relies on. */
export const expectedRevisions = <Body>(changes: RowChange<Body>[], fences: ExpectedRevision[]): ExpectedRevision[] => [
  ...changes.map(({ row: { id }, replacedRevision }) => ({ id, revision: replacedRevision })),
  ...fences,
];

export function conflictsOf<Body>(expected: ExpectedRevision[], found: StoredRow<Body>[]): RowConflict<Body>[] {
  const stored = new Map(found.map((row) => [row.id, row]));
  return expected.flatMap(({ id, revision }) =>
    stored.get(id)?.revision === revision ? [] : [{ id, stored: stored.get(id) }],
  );
}
