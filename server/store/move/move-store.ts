/**
 * Moves the embedded database into an empty PostgreSQL database in one transaction. The transaction commits only if a
 * comparison of all rows finds no difference. Otherwise the PostgreSQL database stays as it was before. The embedded
 * database is locked meanwhile, and keeps its rows.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { connectMsMax } from '../postgres/connections.ts';
import { translatePgError } from '../postgres/failures.ts';
import { migrate } from '../postgres/migrate.ts';
import { placements } from '../postgres/placements.ts';
import { databaseFileName } from '../sqlite/data-folder.ts';
import type { Database } from '../sqlite/database.ts';
import { schemaNumber } from '../sqlite/migrate.ts';
import { lockDatabase } from '../sqlite/lock-database.ts';
import { readTableDefinition, type Table } from './columns.ts';
import { compareRows, readSqliteRows, writeRows, type MovedTable } from './rows.ts';

/**
 * `wasAlreadyMoved` is true if the PostgreSQL database had all rows from an earlier move, so that only a comparison was
 * needed.
 */
export type MoveOutcome = { ok: true; tables: MovedTable[]; wasAlreadyMoved: boolean } | { ok: false; problem: string };

/**
 * Tables that are not copied. Each database has its own `migrations` and `online_steps`. The rows of `rate_limits` and
 * `webhook_buckets` expire within minutes. Two columns of `store_info` are set separately.
 */
const unmovedTableNames = new Set(['migrations', 'online_steps', 'rate_limits', 'store_info', 'webhook_buckets']);
export const movedTableNames = Object.keys(placements).filter((table) => !unmovedTableNames.has(table));

export async function moveStore({ dataDir, url }: { dataDir: string; url: string }): Promise<MoveOutcome> {
  const file = join(dataDir, databaseFileName);
  if (!existsSync(file)) return { ok: false, problem: `there is no database in ${dataDir}` };
  const locked = await lockDatabase(file);
  if (!locked.ok) return locked;
  const source = locked.database;
  if (!source) return { ok: false, problem: `${file} is no database of Gemba, or is damaged` };
  try {
    const { user_version: schema } = source.one<{ user_version: number }>('PRAGMA user_version');
    if (schema !== schemaNumber) {
      const problem = `${file} has schema ${schema}, and this version has ${schemaNumber}: start a server of this version on it once`;
      return { ok: false, problem };
    }
    await migrate(url);
    return await moveInTransaction(source, url);
  } finally {
    source.rollback();
    source.close();
  }
}

async function moveInTransaction(source: Database, url: string): Promise<MoveOutcome> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: connectMsMax,
    application_name: 'gemba move',
  });
  // If the connection breaks, the running query fails and reports the error.
  client.on('error', () => {});
  try {
    await client.connect();
    await client.query('BEGIN');
    // The session is idle while the other database is read, which may take longer than the usual limit.
    await client.query('SET LOCAL idle_in_transaction_session_timeout = 0');
    // A server that runs on the PostgreSQL database must not write meanwhile.
    await client.query('LOCK TABLE accounts, store_info IN EXCLUSIVE MODE');
    const tables: Table[] = [];
    for (const name of movedTableNames) tables.push(await readTableDefinition(client, name));
    const outcome = await fillAndCompare(client, source, tables);
    await client.query(outcome.ok ? 'COMMIT' : 'ROLLBACK');
    return outcome;
  } catch (error) {
    throw translatePgError(error);
  } finally {
    await client.end();
  }
}

interface StoreInfo {
  epoch: string;
  /** null until the first webhook endpoint is made. */
  webhook_key: string | null;
}

async function fillAndCompare(client: pg.Client, source: Database, tables: Table[]): Promise<MoveOutcome> {
  const { epoch, webhook_key } = source.one<StoreInfo>('SELECT epoch, webhook_key FROM store_info');
  const filled = await findFilledTable(client, tables);
  if (filled === undefined) {
    // A server that started on the empty PostgreSQL database may have made keys. Devices know only the keys of the
    // embedded database, so delete the others.
    await client.query('DELETE FROM server_keys');
    for (const table of tables) await writeRows(client, table, readSqliteRows(source, table));
    await client.query('UPDATE store_info SET epoch = $1, webhook_key = $2', [epoch, webhook_key]);
  }
  const moved: MovedTable[] = [];
  for (const table of tables) {
    const comparison = await compareRows(client, table, source);
    if (comparison.ok) moved.push(comparison.moved);
    else if (filled === undefined) return comparison;
    else
      return {
        ok: false,
        problem: `the database at DATABASE_URL is not empty: ${filled} has rows; move into a new one`,
      };
  }
  const { rows } = await client.query<StoreInfo>('SELECT epoch, webhook_key FROM store_info');
  if (rows[0]?.epoch !== epoch) return { ok: false, problem: 'the epoch at DATABASE_URL is another one' };
  if (rows[0].webhook_key !== webhook_key)
    return { ok: false, problem: 'the key of webhooks at DATABASE_URL is another one' };
  return { ok: true, tables: moved, wasAlreadyMoved: filled !== undefined };
}

async function findFilledTable(client: pg.Client, tables: Table[]): Promise<string | undefined> {
  for (const { name } of tables) {
    if (name === 'server_keys') continue;
    if ((await client.query(`SELECT 1 FROM ${name} LIMIT 1`)).rows.length > 0) return name;
  }
  return undefined;
}
