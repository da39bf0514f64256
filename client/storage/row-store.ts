/**
 * A table of a device as the engine stores it: rows with revisions, written all or none. The drivers are RxDB as it comes
 * (rx-row-store.ts) and RxDB on Dexie with IndexedDB used directly (dexie-row-store.ts); row-store.test.ts is their contract.
 */
import type { Observable } from 'rxjs';

/** A row as it lies in the storage; one that was removed leaves a tombstone, which has no body. */
export interface StoredRow<Body> {
  id: string;
  /** Grows with each write of the row. */
  revision: number;
  body: Body | null;
}

/** A row that must have this revision when a write happens; undefined where no row may be. */
export interface Expected {
  id: string;
  revision: number | undefined;
}

/** A row to put, or a tombstone, and the revision that it replaces. */
export interface RowChange<Body> {
  row: StoredRow<Body>;
  over: number | undefined;
}

/** A row that does not have the expected revision; `stored` is undefined where there is none. */
export interface Conflict<Body> {
  id: string;
  stored: StoredRow<Body> | undefined;
}

export interface RowStore<Body> {
  readonly name: string;
  /** Writes of other tabs; a driver may repeat those of its own. */
  readonly changes$: Observable<StoredRow<Body>[]>;
  /** Reads all rows, without tombstones. */
  readAll(): Promise<StoredRow<Body>[]>;
  /** Reads some rows, with tombstones. */
  read(ids: string[]): Promise<StoredRow<Body>[]>;
  /** Writes all changes, durably; or none, and answers the conflicts. The fences are rows that are checked and not written. */
  write(changes: RowChange<Body>[], fences?: Expected[]): Promise<Conflict<Body>[]>;
  /** Removes tombstones once there are more than `keptMax`; at most `rowsMax` of them where the storage allows it. */
  purge(limits: PurgeLimits): Promise<void>;
  /** Removes all rows, and closes. */
  drop(): Promise<void>;
  close(): Promise<void>;
}

export interface PurgeLimits {
  /** Keeps the transaction short. */
  rowsMax: number;
  /** Absent, 0. */
  keptMax?: number;
}

export interface Collection {
  name: string;
  /** Rows of another version are in a collection of their own. */
  version: number;
  /** Whether several tabs have it open. */
  isShared: boolean;
  /** For storages that check rows, as RxDB's validators do; absent, any object fits. */
  bodySchema?: object | undefined;
}

/** Opens the collections of one device. */
export interface RowStorage {
  open<Body>(collection: Collection): Promise<RowStore<Body>>;
}

/** The revisions that a write relies on. */
export const expectedBy = <Body>(changes: RowChange<Body>[], fences: Expected[]): Expected[] => [
  ...changes.map(({ row: { id }, over }) => ({ id, revision: over })),
  ...fences,
];

export function conflictsOf<Body>(expected: Expected[], found: StoredRow<Body>[]): Conflict<Body>[] {
  const stored = new Map(found.map((row) => [row.id, row]));
  return expected.flatMap(({ id, revision }) =>
    stored.get(id)?.revision === revision ? [] : [{ id, stored: stored.get(id) }],
  );
}
