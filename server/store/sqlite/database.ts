/**
 * A connection to the database file. Opening it sets the pragmas. Statements are prepared once, and outages become
 * `StoreUnavailable`.
 */
import { assert } from '../../../shared/domain/assert.ts';
import { loadNodeSqlite, type Sqlite } from '../../../shared/sqlite/node-sqlite.ts';
import { StoreUnavailable } from '../store.ts';
import { restrictAccess } from './data-folder.ts';

export type SqlValue = string | number | null;

/**
 * Rows have no prototype. A store method that returns a row without converting it makes a plain object: `{ ...row }`.
 */
export interface Database {
  all<Row>(sql: string, ...values: SqlValue[]): Row[];
  get<Row>(sql: string, ...values: SqlValue[]): Row | undefined;
  /** Returns the row of a query that always has a row, such as a count. */
  one<Row>(sql: string, ...values: SqlValue[]): Row;
  /** Reads the rows one by one while the caller iterates. */
  each<Row>(sql: string, ...values: SqlValue[]): Iterable<Row>;
  run(sql: string, ...values: SqlValue[]): void;
  /** Runs one or several statements without parameters. */
  exec(sql: string): void;
  /** Runs `work` in a read transaction, so that all its reads see the same state of the database. */
  snapshot<Result>(work: () => Result): Result;
  /** Rolls back the transaction. Has no effect if SQLite already rolled back, as it does after some errors. */
  rollback(): void;
  close(): void;
}

export interface DatabaseOptions {
  /** Limits how long a statement waits for the write lock of another process. The wait blocks the event loop. */
  busyMsMax: number;
  /**
   * FULL calls fsync on the log at each commit. In a power cut, NORMAL can lose commits, and OFF can lose the whole
   * file.
   */
  synchronous: 'FULL' | 'NORMAL' | 'OFF';
}

export async function openDatabase(file: string, options: DatabaseOptions): Promise<Database> {
  const sqlite = await loadSqlite();
  restrictAccess(file);
  const connection = withTranslatedErrors(() => new sqlite.DatabaseSync(file));
  connection.exec(`PRAGMA busy_timeout = ${options.busyMsMax}`);
  switchToWal(connection, options.busyMsMax);
  connection.exec(`PRAGMA synchronous = ${options.synchronous}`);
  // On macOS, fsync leaves data in the disk's cache. F_FULLFSYNC writes it to the disk.
  connection.exec('PRAGMA fullfsync = ON; PRAGMA checkpoint_fullfsync = ON');

  const prepared = new Map<string, ReturnType<Connection['prepare']>>();
  const statement = (sql: string) => {
    const known = prepared.get(sql);
    if (known) return known;
    const made = connection.prepare(sql);
    prepared.set(sql, made);
    return made;
  };

  const database: Database = {
    all: <Row>(sql: string, ...values: SqlValue[]) =>
      withTranslatedErrors(() => statement(sql).all(...values) as Row[]),
    get: <Row>(sql: string, ...values: SqlValue[]) =>
      withTranslatedErrors(() => statement(sql).get(...values) as Row | undefined),
    one<Row>(sql: string, ...values: SqlValue[]) {
      const row = database.get<Row>(sql, ...values);
      assert(row !== undefined, 'the query has a row');
      return row;
    },
    each: <Row>(sql: string, ...values: SqlValue[]) =>
      iterateReportingOutages(() => statement(sql).iterate(...values)) as Iterable<Row>,
    run: (sql, ...values) => void withTranslatedErrors(() => statement(sql).run(...values)),
    exec: (sql) => withTranslatedErrors(() => connection.exec(sql)),
    snapshot(work) {
      database.run('BEGIN');
      try {
        return work();
      } finally {
        database.rollback();
      }
    },
    rollback() {
      if (connection.isTransaction) database.run('ROLLBACK');
    },
    close() {
      prepared.clear();
      connection.close();
    },
  };
  return database;
}

/** Loads Node's own SQLite, or the package if this version of Node has none. */
const loadSqlite = async (): Promise<Sqlite> => loadNodeSqlite() ?? import('@photostructure/sqlite');

type Connection = InstanceType<Sqlite['DatabaseSync']>;

/**
 * Switches the file to WAL mode. If several processes switch a new file at once, SQLite fails without waiting for
 * `busy_timeout`, so this function tries again.
 */
function switchToWal(connection: Connection, busyMsMax: number): void {
  const giveUpAt = performance.now() + busyMsMax;
  for (;;) {
    try {
      connection.exec('PRAGMA journal_mode = WAL');
      return;
    } catch (error) {
      if (resultCodeOf(error) !== sqliteBusy || performance.now() > giveUpAt) throw translateSqliteError(error);
    }
  }
}

function withTranslatedErrors<Result>(work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    throw translateSqliteError(error);
  }
}

function* iterateReportingOutages(rows: () => Iterable<unknown>): Iterable<unknown> {
  try {
    yield* rows();
  } catch (error) {
    throw translateSqliteError(error);
  }
}

const sqliteBusy = 5;

/** Primary result codes for a failure of the file or the disk (https://sqlite.org/rescode.html). */
const outageCodes = new Map([
  [sqliteBusy, 'busy'],
  [6, 'locked'],
  [7, 'out of memory'],
  [8, 'read-only'],
  [10, 'I/O error'],
  [13, 'disk full'],
  [14, 'cannot open'],
  [15, 'locking protocol'],
]);

function translateSqliteError(error: unknown): unknown {
  const outage = outageCodes.get(resultCodeOf(error) ?? 0);
  return outage ? new StoreUnavailable(`The database file: ${outage}`, { cause: error }) : error;
}

/** Returns the primary result code: the low byte of the extended code, which both SQLite packages call `errcode`. */
function resultCodeOf(error: unknown): number | undefined {
  const code = error instanceof Error && 'errcode' in error ? error.errcode : undefined;
  return typeof code === 'number' ? code & 0xff : undefined;
}

/** Runs a statement whose first parameter is the account's id. `values` are the other parameters. */
export type ExecuteForAccount = (sql: string, ...values: SqlValue[]) => void;

/** Commits what `work` wrote, or rolls it back if it throws. */
export function inTransaction<Result>(database: Database, work: () => Result): Result {
  database.run('BEGIN IMMEDIATE');
  try {
    const result = work();
    database.run('COMMIT');
    return result;
  } catch (error) {
    database.rollback();
    throw error;
  }
}
