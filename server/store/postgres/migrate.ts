/** Brings the database to the newest schema. */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import pg from 'pg';
import { migrationsIn } from '../migrations.ts';
import { connectMsMax } from './connections.ts';
import { asStoreFailure } from './failures.ts';

const migrations = migrationsIn(join(import.meta.dirname, 'migrations'));

/**
 * An advisory lock is the only one to be had before there is any table: `CREATE TABLE IF NOT EXISTS` itself fails when two
 * run it at once. It holds for this transaction alone and touches no tenant's data. Any number serves as its key.
 */
const migrationLock = 7_305_501_947;

export async function migrate(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: connectMsMax });
  // What breaks the connection fails the query under way.
  client.on('error', () => {});
  try {
    await client.connect();
    await client.query('BEGIN');
    await client.query('SELECT pg_advisory_xact_lock($1)', [migrationLock]);
    await client.query('CREATE TABLE IF NOT EXISTS migrations (number integer PRIMARY KEY, name text NOT NULL)');
    const done = await client.query<{ number: number }>('SELECT number FROM migrations');
    const numbersDone = new Set(done.rows.map((row) => row.number));
    for (const { number, name, sql } of migrations.filter((migration) => !numbersDone.has(migration.number))) {
      await client.query(sql);
      await client.query('INSERT INTO migrations (number, name) VALUES ($1, $2)', [number, name]);
    }
    await client.query('INSERT INTO store_info VALUES (true, $1) ON CONFLICT DO NOTHING', [randomUUID()]);
    await client.query('COMMIT');
  } catch (error) {
    throw asStoreFailure(error);
  } finally {
    await client.end();
  }
}
