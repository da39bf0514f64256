import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import pg from 'pg';
import { readMigrations } from '../migrations.ts';
import { connectMsMax } from './connections.ts';
import { translatePgError } from './failures.ts';
import { statement } from './statement.ts';

export const migrations = readMigrations(join(import.meta.dirname, 'migrations'));

/**
 * An arbitrary number for an advisory lock. The lock keeps two starting servers from migrating at the same time. A new
 * database has no table to lock instead.
 */
const migrationLock = 7_305_501_947;

export async function migrate(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: connectMsMax });
  // If the connection breaks, the running query fails and reports the error. Without this listener, the process would end.
  client.on('error', () => {});
  try {
    await client.connect();
    await client.query(beginStatement);
    await client.query(lockMigrationsStatement, [migrationLock]);
    await client.query(createMigrationsStatement);
    const done = await client.query<{ number: number }>(selectMigrationsStatement);
    const numbersDone = new Set(done.rows.map((row) => row.number));
    for (const { number, name, sql } of migrations.filter((migration) => !numbersDone.has(migration.number))) {
      await client.query(sql);
      await client.query(insertMigrationStatement, [number, name]);
    }
    await client.query(insertEpochStatement, [randomUUID()]);
    await client.query(commitStatement);
  } catch (error) {
    throw translatePgError(error);
  } finally {
    await client.end();
  }
}

const beginStatement = statement({ text: 'BEGIN' });

const lockMigrationsStatement = statement({ text: 'SELECT pg_advisory_xact_lock($1)' });

const createMigrationsStatement = statement({
  text: 'CREATE TABLE IF NOT EXISTS migrations (number integer PRIMARY KEY, name text NOT NULL)',
});

const selectMigrationsStatement = statement({ text: 'SELECT number FROM migrations' });

const insertMigrationStatement = statement({ text: 'INSERT INTO migrations (number, name) VALUES ($1, $2)' });

const insertEpochStatement = statement({
  text: 'INSERT INTO store_info (only_row, epoch) VALUES (true, $1) ON CONFLICT (only_row) DO NOTHING',
});

const commitStatement = statement({ text: 'COMMIT' });
