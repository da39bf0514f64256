/** SQLite files for tests, and connections that behave like other libraries. */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { onTestFinished } from 'vitest';
import type { SqliteDatabase, SqliteRow } from '../../../client/entries/native.ts';
import { openNodeDatabase } from '../../../client/node/node-sqlite.ts';
import { newFolder } from '../folder-journal.ts';

/** The path of a file that does not exist yet, in a folder that is removed when the test ends. */
export const newFile = (): string => join(newFolder(), `${randomUUID()}.db`);

/** The three methods that an app must write over its SQLite library. The file is new, and is closed when the test ends. */
export function adaptedDatabase(): SqliteDatabase {
  const connection = new DatabaseSync(newFile());
  onTestFinished(() => connection.close());
  return {
    exec: async (sql) => connection.exec(sql),
    all: async (sql, params) => connection.prepare(sql).all(...params) as SqliteRow[],
    transaction: async (work) => {
      connection.exec('BEGIN');
      try {
        await work();
        connection.exec('COMMIT');
      } catch (error) {
        connection.exec('ROLLBACK');
        throw error;
      }
    },
  };
}

/** A connection that passes each statement to `change` first, which may replace it or throw. */
export async function changedDatabase(path: string, change: (sql: string) => string): Promise<SqliteDatabase> {
  const database = await openNodeDatabase(path);
  return {
    ...database,
    exec: async (sql) => database.exec(change(sql)),
    all: async (sql, params) => database.all(change(sql), params),
  };
}

/** Rolls back as expo-sqlite does: the error of a rollback takes the place of the error that led to it. */
export async function rethrowingDatabase(path: string): Promise<SqliteDatabase> {
  const database = await openNodeDatabase(path);
  return {
    ...database,
    transaction: async (work) => {
      try {
        await database.exec('BEGIN');
        await work();
        await database.exec('COMMIT');
      } catch (error) {
        // The first one stands for that of SQLite itself, which rolls back after some errors; the next one then fails.
        await database.exec('ROLLBACK');
        await database.exec('ROLLBACK');
        throw error;
      }
    },
  };
}
