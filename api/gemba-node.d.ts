import type { Observable } from 'rxjs';

declare interface Collection {
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

/** The revision that a row must have at the moment of a write; undefined if the row must not exist. */
declare interface ExpectedRevision {
  id: string;
  revision: number | undefined;
}

/**
 * Makes the `mirror` of `openGemba`: a second copy of unsent work in a folder, which is made if it does not exist. Each
 * device needs a folder of its own, which one process at a time opens. A folder on another disk survives the loss of
 * the first disk.
 */
export declare const fileMirror: (folder: string) => Mirror;

/** A row to write; a null body removes the row. */
declare type JournalChange = readonly [key: string, body: unknown];

/**
 * The interface to the storage of a journal: `Mirror`, as the public API calls it. This storage is outside IndexedDB,
 * because a browser can lose the whole IndexedDB of an origin
 * (docs/decisions/0018-a-second-copy-outside-indexeddb.md).
 */
/** The bodies of the journal's rows by key. A key is the table and the row id, such as `outbox|device`. */
declare type JournalRows = Map<string, unknown>;

declare interface JournalWrite {
  changes: JournalChange[];
  /** If true, the files are rewritten with all rows, so that no earlier content stays in them. */
  anew?: boolean;
}

/** Stores the journal of one device, for example in the browser's private file system or in a folder. */
declare interface Mirror {
  /** Tells whether the journal was ever written. If it was, unreadable files are an error, not an empty journal. */
  exists(): Promise<boolean>;
  /** Writes changes, in the order of the calls. Resolves when the changes are durable. */
  write(changes: JournalChange[]): Promise<void>;
  /**
   * Passes the journal's rows to `decide`, and writes the changes that `decide` returns. No other tab writes in
   * between.
   */
  exchange(decide: (journalRows: JournalRows) => Promise<JournalWrite>): Promise<void>;
  /**
   * Tests whether this many bytes more can be stored. A browser may report a larger quota than it grants. Without this
   * method, the reported quota alone decides.
   */
  hasRoom?(bytes: number): Promise<boolean>;
  /** Cancels all running writes. New writes may follow. */
  giveUp(): void;
}

/**
 * Makes the `storage` of `openGemba` in an SQLite file, which is made if it does not exist; its folder must exist. Uses
 * `node:sqlite`, or the package `@photostructure/sqlite` where Node lacks `node:sqlite`. The opening rejects with
 * `storage_full`, `storage_in_use` or `storage_unusable`, as for `sqliteStorage`, and with `unsupported_platform` if
 * Node has neither of the two libraries.
 */
export declare const nodeStorage: (path: string) => RowStoreFactory;

declare interface PurgeLimits {
  /** Limits how many tombstones a purge removes, so that its transaction stays short. */
  rowsMax: number;
  /** Nothing is purged while there are at most this many tombstones; 0 by default. */
  keptMax?: number;
}

/** A row or tombstone to write, and the revision that it replaces. */
declare interface RowChange<Body> {
  row: StoredRow<Body>;
  replacedRevision: number | undefined;
}

/** A row whose revision is not the expected one; `stored` is undefined if there is no such row. */
declare interface RowConflict<Body> {
  id: string;
  stored: StoredRow<Body> | undefined;
}

declare interface RowStore<Body> {
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

declare interface RowStoreFactory {
  /** Names the driver, such as `sqlite`, for the developer tools. */
  driver?: string;
  open<Body>(collection: Collection): Promise<RowStore<Body>>;
}

/** A stored row, or the tombstone of a removed row, which has a null body. */
declare interface StoredRow<Body> {
  id: string;
  /** Increases with each write of the row. */
  revision: number;
  body: Body | null;
}

export {};
