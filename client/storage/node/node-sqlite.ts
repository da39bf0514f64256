/** Opens an SQLite file with Node's own `node:sqlite`, or with a package that has the same API where Node lacks it. */
import { closeSync, openSync } from 'node:fs';
import { GembaError } from '../../core/errors.ts';
import type { SqliteDatabase, SqliteRow } from '../sqlite/sqlite-database.ts';

export async function openNodeDatabase(path: string): Promise<SqliteDatabase> {
  const { DatabaseSync } = await loadSqlite();
  makePrivateFile(path);
  const connection = new DatabaseSync(path);
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
      connection.close();
    },
  };
}

/** A write of several rows is prepared for its count of rows. */
const preparedMax = 64;

/** SQLite has rolled back already after some errors, such as a full disk. */
function rollBack(connection: { exec(sql: string): void }): void {
  try {
    connection.exec('ROLLBACK');
  } catch {
    // There is no transaction any more.
  }
}

/** Node 20, and Node 22 before 22.13, have no SQLite without a flag. */
async function loadSqlite(): Promise<Sqlite> {
  const own: unknown = process.getBuiltinModule('node:sqlite');
  if (own) return own as Sqlite;
  try {
    return await import('@photostructure/sqlite');
  } catch (cause) {
    const detail = `Node ${process.version} has no node:sqlite: use Node 22.13 or later, or install the package @photostructure/sqlite.`;
    throw Object.assign(new GembaError({ code: 'unsupported_platform', detail }), { cause });
  }
}

type Sqlite = typeof import('@photostructure/sqlite');

const ownFileMode = 0o600;

/**
 * Makes a new file that other users of the computer cannot read, since a device's token is in it. SQLite makes its log
 * with the same mode. An existing file stays closed: closing it would end the locks that this process has on it (POSIX).
 */
function makePrivateFile(path: string): void {
  try {
    closeSync(openSync(path, 'wx', ownFileMode));
  } catch {
    // The file exists, or SQLite reports why it cannot be made.
  }
}
