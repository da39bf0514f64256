/** That queries walk the indexes that were made for them, as each database itself tells it. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { openPostgresStore } from '../../server/store/postgres/postgres-store.ts';
import { statements } from '../../server/store/postgres/statement.ts';
import { openDatabase } from '../../server/store/sqlite/database.ts';
import { newestRuns } from '../../server/store/sqlite/load.ts';
import { runsOfMap } from '../../server/store/sqlite/read.ts';
import { openSqliteStore } from '../../server/store/sqlite/sqlite-store.ts';
import type { Store } from '../../server/store/store.ts';
import { postgresAtHand, startPostgres } from '../postgres.ts';
import { mapDoc, newAccount, runRow, write } from './records.ts';

const deleted = 2_000;

/** A map whose newest runs are deleted, all but the first three. */
async function mapWithDeletedRuns(store: Store): Promise<{ accountId: string; mapId: string }> {
  const accountId = await newAccount(store);
  const mapId = mapDoc(0).id;
  const numbers = Array.from({ length: deleted + 3 }, (_, index) => index + 1);
  await write(store, accountId, (next) => ({
    runs: numbers.map((number) => ({
      ...runRow(next(), { mapId, number }),
      ...(number > 3 ? { doc: null } : {}),
    })),
  }));
  return { accountId, mapId };
}

const explained = (sql: string) => {
  const found = statements().filter(({ text }) => text.includes(sql));
  expect(found).toHaveLength(1);
  return `EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF) ${found[0]!.text}`;
};

test.skipIf(!postgresAtHand())('[STORE-36] PostgreSQL reads the runs of a map past none that is deleted', async () => {
  const postgres = await startPostgres();
  onTestFinished(() => postgres!.stop());
  const url = await postgres!.freshDatabase();
  const store = await openPostgresStore({ url });
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const planOf = async (sql: string, values: unknown[]) => {
    const { rows } = await client.query<{ 'QUERY PLAN': string }>(explained(sql), values);
    return rows.map((row) => row['QUERY PLAN']).join('\n');
  };
  try {
    const { accountId, mapId } = await mapWithDeletedRuns(store);
    await client.query('ANALYZE runs');
    const list = await planOf('SELECT number, record FROM runs', [accountId, mapId, 2 ** 53 - 1, 51]);
    const newest = await planOf('SELECT DISTINCT map_id FROM runs', [accountId, [1], [], [1], 2]);
    for (const plan of [list, newest]) {
      expect(plan).toContain('runs_in_list_order');
      expect(plan).not.toContain('Rows Removed by Filter');
    }
  } finally {
    await client.end();
    await store.close();
  }
});

test('[STORE-36] SQLite reads the runs of a map past none that is deleted', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'gemba-sqlite-'));
  onTestFinished(() => rmSync(dataDir, { recursive: true }));
  const store = await openSqliteStore({ dataDir });
  const { accountId, mapId } = await mapWithDeletedRuns(store);
  await store.close();
  const database = await openDatabase(join(dataDir, 'gemba.db'), { busyMsMax: 0, synchronous: 'FULL' });
  for (const [sql, ...rest] of [
    [runsOfMap, 2 ** 53 - 1, 51],
    [newestRuns, 2],
  ] as const) {
    const plan = database.all<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`, accountId, mapId, ...rest);
    expect(plan.map(({ detail }) => detail)).toEqual([expect.stringContaining('INDEX runs_in_list_order')]);
  }
  database.close();
});
