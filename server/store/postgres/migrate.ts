/**
 * Migrates the database in one transaction. A server that starts on a migrated database writes nothing, so that it can
 * start while a node of Citus is down.
 */
import { join } from 'node:path';
import pg from 'pg';
import { randomUuid, systemWorld, type World } from '../../core/world.ts';
import { readMigrations } from '../migrations.ts';
import { selectEpochStatement } from './accounts.ts';
import { connectMsMax } from './connections.ts';
import { translatePgError, UnusableNode } from './failures.ts';
import { distributeTables, nodeRefusalText, readCitusNode, type CitusNode } from './placements.ts';
import { statement } from './statement.ts';

/** Citus refuses a query of several statements, so each statement of a file is sent as a query of its own. */
export const migrations = readMigrations(join(import.meta.dirname, 'migrations')).map((migration) => ({
  ...migration,
  statements: splitStatements(migration.sql),
}));

/** Each statement of a migration ends with a semicolon at the end of a line. */
export function splitStatements(sql: string): string[] {
  return sql
    .split(/;[ \t]*$/m)
    .map((text) => text.trim())
    .filter((text) => text !== '');
}

/**
 * An arbitrary number for an advisory lock. The lock keeps two starting servers from migrating at the same time. A new
 * database has no table to lock instead.
 */
const migrationLockId = 7_305_501_947;

/** Migrates the database. Returns whether it is a Citus cluster. */
export async function migrate(url: string, world: World = systemWorld): Promise<{ isCitus: boolean }> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: connectMsMax });
  // If the connection breaks, the running query fails and reports the error. Without a listener, the process would end.
  client.on('error', () => {});
  try {
    await client.connect();
    await client.query(beginStatement);
    await client.query(lockMigrationsStatement, [migrationLockId]);
    const citus = await migrateInTransaction(client, world);
    await client.query(commitStatement);
    return { isCitus: citus !== undefined };
  } catch (error) {
    throw translatePgError(error);
  } finally {
    await client.end();
  }
}

async function migrateInTransaction(client: pg.Client, world: World): Promise<CitusNode | undefined> {
  const citus = await readCitusNode((call) => client.query(call));
  const { rows: tables } = await client.query(findMigrationsStatement);
  const done = tables.length > 0 ? (await client.query<{ number: number }>(selectMigrationsStatement)).rows : [];
  const numbersDone = new Set(done.map((row) => row.number));
  const pending = migrations.filter(({ number }) => !numbersDone.has(number));
  const refusal = nodeRefusalText(citus, { migrationsPending: pending.length });
  if (refusal !== undefined) throw new UnusableNode(refusal);

  if (tables.length === 0) await client.query(createMigrationsStatement);
  for (const { number, name, statements } of pending) {
    for (const text of statements) await client.query(text);
    await client.query(insertMigrationStatement, [number, name]);
  }
  if ((await client.query(selectEpochStatement)).rows.length === 0) {
    await client.query(insertEpochStatement, [randomUuid(world)]);
  }
  if (citus?.isCoordinator) await distributeTables((call) => client.query(call));
  return citus;
}

const beginStatement = statement({ text: 'BEGIN' });

const lockMigrationsStatement = statement({ text: 'SELECT pg_advisory_xact_lock($1)' });

const findMigrationsStatement = statement({ text: "SELECT 1 WHERE to_regclass('migrations') IS NOT NULL" });

const createMigrationsStatement = statement({
  text: 'CREATE TABLE migrations (number integer PRIMARY KEY, name text NOT NULL)',
});

const selectMigrationsStatement = statement({ text: 'SELECT number FROM migrations' });

const insertMigrationStatement = statement({ text: 'INSERT INTO migrations (number, name) VALUES ($1, $2)' });

const insertEpochStatement = statement({ text: 'INSERT INTO store_info (only_row, epoch) VALUES (true, $1)' });

const commitStatement = statement({ text: 'COMMIT' });
