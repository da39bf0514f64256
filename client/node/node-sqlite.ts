/** Opens an SQLite file with Node's own `node:sqlite`, or with a package that has the same API where Node lacks it. */
import { closeSync, openSync } from 'node:fs';
import { loadNodeSqlite, type Sqlite } from '../../shared/sqlite/own-sqlite.ts';
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
    // A statement that was used is the last to be dropped.
    prepared.delete(sql);
    prepared.set(sql, known);
    const [oldest = sql] = prepared.keys();
    if (prepared.size > preparedMax) prepared.delete(oldest);
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

/** A write of several rows is prepared for its count of rows. */
const preparedMax = 64;

/**
 * The package leaves a closed file locked until its statements are collected as garbage. SQLite takes the lock of this
 * mode back only outside WAL mode, which the next opening sets again.
 */
function unlockFile(connection: { exec(sql: string): void }): void {
  try {
    connection.exec('PRAGMA journal_mode = DELETE; PRAGMA locking_mode = NORMAL; SELECT * FROM sqlite_schema LIMIT 1');
  } catch {
    // The file is locked by another engine, or the disk is full.
  }
}

/** SQLite has rolled back already after some errors, such as a full disk. */
function rollBack(connection: { exec(sql: string): void }): void {
  try {
    connection.exec('ROLLBACK');
  } catch {
    // There is no transaction any more.
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

const ownFileMode = 0o600;

/**
 * Makes a new file that other users of the computer cannot read, since a device's token is in it. SQLite makes its log
 * with the same mode. An existing file stays closed: closing it would end the locks that this process has on it
 * (POSIX).
 */
function makePrivateFile(path: string): void {
  try {
    closeSync(openSync(path, 'wx', ownFileMode));
  } catch {
    // The file exists, or SQLite reports why it cannot be made.
  }
}
