/** The databases for tests of online steps, with the columns that the step fills and the reads of the tests. */
import { join } from 'node:path';
import pg from 'pg';
import { onTestFinished } from 'vitest';
import type { OnlineStepStore } from '../../../../server/store/online/online-step.ts';
import * as postgresSteps from '../../../../server/store/online/postgres-steps.ts';
import * as sqliteSteps from '../../../../server/store/online/sqlite-steps.ts';
import { openPostgresStore } from '../../../../server/store/postgres/postgres-store.ts';
import { openDatabase } from '../../../../server/store/sqlite/database.ts';
import { openSqliteStore } from '../../../../server/store/sqlite/sqlite-store.ts';
import type { Store } from '../../../../server/store/store.ts';
import { postgresAtHand, startPostgres } from '../../../postgres.ts';
import { addColumns, addColumnsSqlite } from './count-step.ts';

export interface SteppedDatabase {
  which: 'postgres' | 'sqlite';
  /** The URL of PostgreSQL; empty for SQLite. */
  url: string;
  store: Store;
  openSteps(): Promise<OnlineStepStore>;
  steps(): Promise<{ seen: unknown; filled: unknown; done_at: unknown }[]>;
  /** Counts runs. */
  count(condition: string): Promise<number>;
  sessions(accountId: string): Promise<string[]>;
  /** Changes the version of one run, as a server that does not know the column does. */
  touch(accountId: string): Promise<void>;
}

type Query = <Row>(sql: string) => Promise<Row[]>;

function readsOf(query: Query) {
  return {
    steps: () =>
      query<{ seen: unknown; filled: unknown; done_at: unknown }>('SELECT seen, filled, done_at FROM online_steps'),
    async count(condition: string) {
      const [row] = await query<{ count: unknown }>(`SELECT count(*) AS count FROM runs WHERE ${condition}`);
      return Number(row?.count);
    },
    async sessions(accountId: string) {
      const sql = `SELECT recording_session_id AS id FROM runs WHERE account_id = '${accountId}'`;
      return (await query<{ id: string }>(sql)).map(({ id }) => id);
    },
    async touch(accountId: string) {
      const least = `SELECT min(id) FROM runs WHERE account_id = '${accountId}'`;
      await query(`UPDATE runs SET version = version + 1000000 WHERE account_id = '${accountId}' AND id = (${least})`);
    },
  };
}

async function openOnSqlite(dataDir: string): Promise<SteppedDatabase> {
  const store = await openSqliteStore({ dataDir });
  const database = await openDatabase(join(dataDir, 'gemba.db'), { busyMsMax: 5_000, synchronous: 'FULL' });
  for (const text of addColumnsSqlite) database.exec(text);
  onTestFinished(async () => {
    database.close();
    await store.close();
  });
  const query: Query = async <Row>(sql: string) => database.all<Row>(sql);
  return { which: 'sqlite', url: '', store, openSteps: () => sqliteSteps.openStepDatabase(dataDir), ...readsOf(query) };
}

async function openOnPostgres(): Promise<SteppedDatabase> {
  const postgres = await startPostgres();
  onTestFinished(() => postgres!.stop());
  const url = await postgres!.createDatabase();
  const store = await openPostgresStore({ url });
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  for (const text of addColumns) await client.query(text);
  onTestFinished(async () => {
    await client.end();
    await store.close();
  });
  const query: Query = async <Row>(sql: string) => (await client.query(sql)).rows as Row[];
  return { which: 'postgres', url, store, openSteps: () => postgresSteps.openStepDatabase(url), ...readsOf(query) };
}

export const stepDatabases = [
  { name: 'SQLite', open: openOnSqlite, isMissing: false },
  { name: 'PostgreSQL', open: () => openOnPostgres(), isMissing: !postgresAtHand() },
];
