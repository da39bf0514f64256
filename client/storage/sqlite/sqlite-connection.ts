/**
 * An open database file: durable at each commit, and locked for this engine. SQLite's lock ends with the process. The
 * lock does not keep a second engine off the same connection, but a temporary table does: it can be created only once.
 */
import { GembaError } from '../../core/errors.ts';
import { mutex } from '../../core/mutex.ts';
import type { SqliteDatabase, SqliteRow, SqliteValue } from './sqlite-database.ts';
import { isClaimedConnection, toOpeningError, toRunningError } from './sqlite-errors.ts';

/** After a checkpoint, SQLite truncates a write-ahead log that is longer than this. */
const logBytesMax = 4 * 1024 * 1024;

export class SqliteConnection {
  readonly #database: SqliteDatabase;
  readonly #runInTurn = mutex();

  private constructor(database: SqliteDatabase) {
    this.#database = database;
  }

  static async open(openDatabase: () => Promise<SqliteDatabase>): Promise<SqliteConnection> {
    try {
      const database = await openDatabase();
      await prepareOrClose(database);
      return new SqliteConnection(database);
    } catch (error) {
      throw toOpeningError(error);
    }
  }

  all(sql: string, params: SqliteValue[]): Promise<SqliteRow[]> {
    return this.#run(() => this.#database.all(sql, params));
  }

  exec(sql: string): Promise<unknown> {
    return this.#run(() => this.#database.exec(sql));
  }

  /** Runs `work` in a transaction. No other statement of this connection runs meanwhile. */
  transaction(work: (all: SqliteDatabase['all']) => Promise<void>): Promise<void> {
    return this.#run(async () => {
      let failure: { error: unknown } | undefined;
      const attempt = () =>
        work((sql, params) => this.#database.all(sql, params)).catch((error: unknown) => {
          failure = { error };
          throw error;
        });
      try {
        await this.#database.transaction(attempt);
      } catch (error) {
        // Throw the error of `work`: a library may throw the error of its rollback, which fails if the transaction has
        // already ended.
        throw failure ? failure.error : error;
      }
    });
  }

  close(): Promise<void> {
    return this.#runInTurn(() => closeConnection(this.#database));
  }

  #run<Result>(work: () => Promise<Result>): Promise<Result> {
    return this.#runInTurn(() =>
      work().catch((error: unknown) => {
        throw toRunningError(error);
      }),
    );
  }
}

async function prepareOrClose(database: SqliteDatabase): Promise<void> {
  try {
    // Lock at the first access. The index of the write-ahead log then stays in memory and needs no file, which a full
    // disk would refuse.
    await database.all('PRAGMA locking_mode = EXCLUSIVE', []);
    await database.exec('CREATE TEMP TABLE gemba_in_use (id)');
    await configureDurability(database);
  } catch (error) {
    // Do not close a connection that another engine uses.
    if (!isClaimedConnection(error)) await closeConnection(database);
    throw error;
  }
}

/** Closes the connection. Ignores errors, since the library may have closed a failed connection itself. */
async function closeConnection(database: SqliteDatabase): Promise<void> {
  await database.exec('DROP TABLE temp.gemba_in_use').catch(() => undefined);
  try {
    await database.close?.();
  } catch {
    // The file is closed already.
  }
}

async function configureDurability(database: SqliteDatabase): Promise<void> {
  const pragma = async (sql: string) => {
    const [row = {}] = await database.all(`PRAGMA ${sql}`, []);
    return String(Object.values(row)[0]);
  };
  const journalMode = await pragma('journal_mode = WAL');
  await pragma('synchronous = FULL');
  // On Apple's systems, fsync leaves data in the disk's cache. F_FULLFSYNC writes it to the disk.
  await pragma('fullfsync = ON');
  await pragma('checkpoint_fullfsync = ON');
  await pragma(`journal_size_limit = ${logBytesMax}`);
  const synchronous = Number(await pragma('synchronous'));
  if (journalMode === 'wal' && synchronous >= fullSynchronous) return checkWritable(database);
  throw new GembaError({
    code: 'storage_unusable',
    detail: `The SQLite database does not keep what it committed (journal mode ${journalMode}, synchronous ${synchronous}): use a file, and a library that allows journal_mode = WAL and synchronous = FULL.`,
  });
}

/**
 * Tests whether the file is writable: the rolled-back change reaches memory only, so a full disk does not fail the
 * test.
 */
async function checkWritable(database: SqliteDatabase): Promise<void> {
  await database.exec('BEGIN IMMEDIATE');
  try {
    await database.exec('PRAGMA user_version = 1');
  } finally {
    await database.exec('ROLLBACK');
  }
}

/** The value of `PRAGMA synchronous` for FULL. EXTRA is 3. */
const fullSynchronous = 2;
