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

/**
 * One connection to a database file, for the engine alone. Calls come one at a time, except inside `transaction`. A
 * failed call rejects with an error whose `message` has SQLite's text, such as "database or disk is full".
 */
export declare interface SqliteDatabase {
  /** Runs one statement without parameters, and ignores rows. */
  exec(sql: string): Promise<unknown>;
  /** Runs one statement with a value for each `?`, and resolves to all its rows. */
  all(sql: string, params: SqliteValue[]): Promise<SqliteRow[]>;
  /**
   * Begins a transaction, runs `work`, and commits when `work` resolves. Rolls back and rejects when `work` rejects.
   * The calls of `exec` and `all` in `work` must go to the connection that began the transaction.
   */
  transaction(work: () => Promise<void>): Promise<unknown>;
  /** Closes the file. Called when the last engine on the connection closes. Default: the file stays open and locked. */
  close?(): Promise<unknown> | void;
}

/** One row: its values by the names of the columns. */
export declare type SqliteRow = Record<string, unknown>;

/**
 * Makes the `storage` of `openGemba` from an SQLite connection that nothing else uses. Several devices may share one
 * file under different names. The opening rejects with `storage_full` if the disk is full, with `storage_in_use` if
 * another engine has the file open, and with `storage_unusable` if the file is no database, is read-only, or does not
 * keep committed data.
 */
export declare const sqliteStorage: (database: SqliteDatabase) => RowStoreFactory;

/**
 * The interface of an SQLite library. Each method is a line or two over expo-sqlite, op-sqlite or `node:sqlite`:
 *
 *     exec         db.execAsync(sql)              db.execute(sql)
 *     all          db.getAllAsync(sql, params)    (await db.execute(sql, params)).rows
 *     transaction  db.withTransactionAsync(work)  db.transaction(work)
 *     close        db.closeAsync()                db.close()
 */
export declare type SqliteValue = string | number | null;

/** A stored row, or the tombstone of a removed row, which has a null body. */
declare interface StoredRow<Body> {
  id: string;
  /** Increases with each write of the row. */
  revision: number;
  body: Body | null;
}

export {};
