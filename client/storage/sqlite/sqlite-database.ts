/**
 * The interface of an SQLite library. Each method is a line or two over expo-sqlite, op-sqlite or `node:sqlite`:
 *
 *     exec         db.execAsync(sql)              db.execute(sql)
 *     all          db.getAllAsync(sql, params)    (await db.execute(sql, params)).rows
 *     transaction  db.withTransactionAsync(work)  db.transaction(work)
 *     close        db.closeAsync()                db.close()
 */

export type SqliteValue = string | number | null;

/** One row: its values by the names of the columns. */
export type SqliteRow = Record<string, unknown>;

/**
 * One connection to a database file, for the engine alone. Calls come one at a time, except inside `transaction`. A
 * failed call rejects with an error whose `message` has SQLite's text, such as "database or disk is full".
 */
export interface SqliteDatabase {
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
