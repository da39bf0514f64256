/**
 * The interface of a stored table: rows with revisions, and atomic writes. Its drivers are dexie-row-store.ts for
 * IndexedDB, sqlite/sqlite-row-store.ts for SQLite, and rx-row-store.ts for any other RxDB storage.
 */
import type { Observable } from 'rxjs';

/** A stored row, or the tombstone of a removed row, which has a null body. */
export interface StoredRow<Body> {
  id: string;
  /** Increases with each write of the row. */
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

/** A row whose revision is not the expected one; `stored` is undefined if there is no such row. */
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
  /**
   * Writes all changes durably. If a revision is not the expected one, writes nothing and returns the conflicts. The
   * rows of `fences` are checked, but not written.
   */
  write(changes: RowChange<Body>[], fences?: ExpectedRevision[]): Promise<RowConflict<Body>[]>;
  /**
   * Removes tombstones if the store has more than `keptMax` tombstones. A driver should remove at most `rowsMax`
   * tombstones in one purge, but may remove more.
   */
  purge(limits: PurgeLimits): Promise<void>;
  /** Deletes all rows and closes the store. */
  drop(): Promise<void>;
  close(): Promise<void>;
}

export interface PurgeLimits {
  /** Limits how many tombstones a purge removes, so that its transaction stays short. */
  rowsMax: number;
  /** Nothing is purged while there are at most this many tombstones; 0 by default. */
  keptMax?: number;
}

export interface Collection {
  /** The device's name. A store that an app supplies for several devices keeps the rows of each name separate. */
  databaseName?: string | undefined;
  name: string;
  /** The version of the rows; each version has its own collection. */
  version: number;
  /** Whether several tabs may have the collection open. */
  isShared: boolean;
  /** The JSON schema of bodies, for RxDB storages that validate rows. Default: any object. */
  bodySchema?: object | undefined;
}

export interface RowStoreFactory {
  /** Names the driver, such as `sqlite`, for the developer tools. */
  driver?: string;
  open<Body>(collection: Collection): Promise<RowStore<Body>>;
}

/** Returns the revisions that the written rows and the fences must have. */
export const expectedRevisionsOf = <Body>(
  changes: RowChange<Body>[],
  fences: ExpectedRevision[],
): ExpectedRevision[] => [
  ...changes.map(({ row: { id }, replacedRevision }) => ({ id, revision: replacedRevision })),
  ...fences,
];

export function conflictsOf<Body>(expected: ExpectedRevision[], found: StoredRow<Body>[]): RowConflict<Body>[] {
  const stored = new Map(found.map((row) => [row.id, row]));
  return expected.flatMap(({ id, revision }) =>
    stored.get(id)?.revision === revision ? [] : [{ id, stored: stored.get(id) }],
  );
}
