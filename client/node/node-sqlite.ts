/** Opens an SQLite file with Node's `node:sqlite`. Where Node lacks it, uses a package with the same API. */
import { closeSync, openSync } from 'node:fs';
import { loadNodeSqlite, type Sqlite } from '../../shared/sqlite/node-sqlite.ts';
import { GembaError } from '../core/errors.ts';
import type { SqliteDatabase, SqliteRow } from '../storage/sqlite/sqlite-database.ts';

interface FileOptions {
  readOnly?: boolean;
}

export async function openNodeDatabase(path: string, options: FileOptions = {}): Promise<SqliteDatabase> {
  const { sqlite, isPackage } = await loadSqlite();
  if (path !== ':memory:') makePrivateFile(path);
  const connection = new sqlite.DatabaseSync(path, options);
  const prepared = new Map<string, ReturnType<typeof connection.prepare>>();
  const statement = (sql: string) => {
    const known = prepared.get(sql) ?? connection.prepare(sql);
    // Moves the statement to the end, so that the least recently used one is dropped first.
    prepared.delete(sql);
    prepared.set(sql, known);
    const [oldest = sql] = prepared.keys();
    if (prepared.size > statementsMax) prepared.delete(oldest);
    return known;
  };
  return {
    exec: async (sql) => connection.exec(sql),
    all: async (sql, params) => statement(sql).all(...params) as SqliteRow[],
    transaction: async (work) => {
      connection.exec('BEGIN IMMEDIATE');
      try {
        await work();
        connection.exec('COMMIT');
      } catch (error) {
        rollBack(connection);
        throw error;
      }
    },
    close: () => {
      prepared.clear();
      if (isPackage) unlockFile(connection);
      connection.close();
    },
  };
}

/** The most prepared statements. A write of several rows needs another statement for each number of rows. */
const statementsMax = 64;

/**
 * Unlocks the file, which the package would keep locked after `close` until its statements are garbage-collected.
 * Leaves WAL mode, since SQLite does not release the lock in WAL mode. The next opening sets WAL mode again.
 */
function unlockFile(connection: { exec(sql: string): void }): void {
  try {
    connection.exec('PRAGMA journal_mode = DELETE; PRAGMA locking_mode = NORMAL; SELECT * FROM sqlite_schema LIMIT 1');
  } catch {
    // The lock stays. The disk may be full, or another engine may have locked the file.
  }
}

/** Rolls back. After some errors, such as a full disk, SQLite has already done so. */
function rollBack(connection: { exec(sql: string): void }): void {
  try {
    connection.exec('ROLLBACK');
  } catch {
    // SQLite has already ended the transaction.
  }
}

async function loadSqlite(): Promise<{ sqlite: Sqlite; isPackage: boolean }> {
  const own = loadNodeSqlite();
  if (own) return { sqlite: own, isPackage: false };
  try {
    return { sqlite: await import('@photostructure/sqlite'), isPackage: true };
  } catch (cause) {
    const detail = `Node ${process.version} has no node:sqlite: use Node 22.13 or later, or install the package @photostructure/sqlite.`;
    throw Object.assign(new GembaError({ code: 'unsupported_platform', detail }), { cause });
  }
}

const privateFileMode = 0o600;

/**
 * Makes a new file that other users of the computer cannot read, since it holds the device's token. SQLite makes its
 * log with the same mode. Does not open an existing file: closing it would end this process's locks on it (POSIX).
 */
function makePrivateFile(path: string): void {
  try {
    closeSync(openSync(path, 'wx', privateFileMode));
  } catch {
    // The file exists already, or SQLite will report why it cannot be made.
  }
}
