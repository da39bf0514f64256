/**
 * The interface of a stored table: rows with revisions; a write is all or nothing. The drivers are plain RxDB
 * (rx-row-store.ts) and RxDB on Dexie with direct use of IndexedDB (dexie-row-store.ts); row-store.test.ts tests both.
 */
import type { Observable } from 'rxjs';

/** A stored row. A removed row leaves a tombstone, whose `body` is null. */
export interface StoredRow<Body> {
  id: string;
  /** Grows with each write of the row. */
  revision: number;
  body: Body | null;
}

/** The revision that a row must have when a write happens; undefined if the row must not exist. */
export interface ExpectedRevision {
  id: string;
  revision: number | undefined;
}

/** A row or tombstone to write, and the revision that it replaces. */
export interface RowChange<Body> {
  row: StoredRow<Body>;
  replacedRevision: number | undefined;
}

/** A row whose revision is not the expected one; `stored` is undefined if there is no row. */
export interface RowConflict<Body> {
  id: string;
  stored: StoredRow<Body> | undefined;
}

export interface RowStore<Body> {
  readonly name: string;
  /** Emits the writes of other tabs; a driver may also emit those of this tab. */
  readonly changes$: Observable<StoredRow<Body>[]>;
  /** Reads all rows except tombstones. */
  readAll(): Promise<StoredRow<Body>[]>;
  /** Reads the rows with these ids, tombstones included. */
  read(ids: string[]): Promise<StoredRow<Body>[]>;
  /** Writes all changes durably, or none of them and returns the conflicts. `fences` are rows that are only checked. */
  write(changes: RowChange<Body>[], fences?: ExpectedRevision[]): Promise<RowConflict<Body>[]>;
  /** Removes tombstones if there are more than `keptMax`; at most `rowsMax` of them if the storage can limit that. */
  purge(limits: PurgeLimits): Promise<void>;
  /** Deletes all rows and closes. */
  drop(): Promise<void>;
  close(): Promise<void>;
}

export interface PurgeLimits {
  /** The most rows to remove, which keeps the transaction short. */
  rowsMax: number;
  /** How many tombstones may stay; 0 by default. */
  keptMax?: number;
}

export interface Collection {
  name: string;
  /** The version of the rows; each version has its own collection. */
  version: number;
  /** Whether several tabs may have the collection open. */
  isShared: boolean;
  /** The JSON schema for storages that validate rows, as RxDB's validators do; by default any object is valid. */
  bodySchema?: object | undefined;
}

/** Opens the collections of one device. */
export interface RowStorage {
  open<Body>(collection: Collection): Promise<RowStore<Body>>;
}

/** The revisions that a write relies on. */
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
