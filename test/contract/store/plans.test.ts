/** Queries use the indexes made for them, according to each database's query plan. */
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { openPostgresStore } from '../../../server/store/postgres/postgres-store.ts';
import { statements } from '../../../server/store/postgres/statement.ts';
import { openDatabase } from '../../../server/store/sqlite/database.ts';
import { newestRunsSql } from '../../../server/store/sqlite/load.ts';
import { runsInScopeSql, runsOfMapSql, startOfNewestRunsSql } from '../../../server/store/sqlite/read.ts';
import { deleteAcknowledgedAnswersSql, deleteAcknowledgedRejectionsSql } from '../../../server/store/sqlite/save.ts';
import { openSqliteStore } from '../../../server/store/sqlite/sqlite-store.ts';
import type { Store } from '../../../server/store/store.ts';
import { onOneNode } from '../../citus.ts';
import { postgresAtHand, startPostgres, type TestPostgres } from '../../postgres.ts';
import { mapDoc, newAccount, runRow, write } from './records.ts';

const deletedRunCount = 2_000;

/** Makes a map whose newest runs are deleted, all but the first three. */
async function makeMapWithDeletedRuns(store: Store): Promise<{ accountId: string; mapId: string }> {
  const accountId = await newAccount(store);
  const mapId = mapDoc(0).id;
  const numbers = Array.from({ length: deletedRunCount + 3 }, (_, index) => index + 1);
  await write(store, accountId, (next) => ({
    runs: numbers.map((number) => ({
      ...runRow(next(), { mapId, number }),
      ...(number > 3 ? { doc: null } : {}),
    })),
  }));
  return { accountId, mapId };
}

/** Makes a map with many more runs than a scope has, half of them deleted. */
async function makeLargeAccount(store: Store): Promise<{ accountId: string }> {
  const accountId = await newAccount(store);
  const map = mapDoc(0, { last_run_number: 2_000 });
  const numbers = Array.from({ length: 2_000 }, (_, index) => index + 1);
  await write(store, accountId, (next) => ({
    maps: [{ ...map, version: next() }],
    runs: numbers.map((number) => ({
      ...runRow(next(), { mapId: map.id, number, created_at: new Date(number * 1_000).toISOString() }),
      ...(number % 2 === 0 ? { doc: null } : {}),
    })),
  }));
  return { accountId };
}

/** The parameters of a scope of the newest 50 undeleted runs, whose numbers are odd. */
const startOfScope = new Date(1_901_000).toISOString();
const positionAfterAllRuns = new Date(Date.UTC(9999, 0)).toISOString();
const scopeValues = [startOfScope, 1_901, positionAfterAllRuns, 0, 1_000, 501, 1e9] as const;

/** Makes clients with the highest number of unacknowledged answers, each a rejection. */
async function makeUnacknowledgingClients(store: Store): Promise<{ accountId: string; clientIds: string[] }> {
  const accountId = await newAccount(store);
  const clientIds = Array.from({ length: 5 }, () => randomUUID());
  const seqs = Array.from({ length: 500 }, (_, index) => index + 1);
  const errorOf = (seq: number) =>
    ({ type: 't', title: 't', status: 409, detail: `${seq}`, code: 'id_taken' }) as const;
  await write(store, accountId, (next) => ({
    clients: clientIds.map((client_id) => ({
      client_id,
      version: next(),
      last_seq: 500,
      acked_seq: 0,
      device_id: null,
      seen_at: null,
      chain: '',
      rejectedSeqs: [],
      newRejections: seqs.map((seq) => ({ seq, error: errorOf(seq) })),
    })),
    pushAnswers: clientIds.flatMap((client_id) =>
      seqs.map((seq) => ({ client_id, answers: [{ seq, status: 'rejected' as const, error: errorOf(seq) }] })),
    ),
  }));
  return { accountId, clientIds };
}

const explainStatement = (sql: string) => {
  const found = statements().filter(({ text }) => text.includes(sql));
  expect(found).toHaveLength(1);
  return `EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF) ${found[0]!.text}`;
};

describe.skipIf(!postgresAtHand() || !onOneNode('the plans of queries'))('PostgreSQL', () => {
  let postgres: TestPostgres | undefined;
  let store: Store;
  let client: pg.Client;
  beforeAll(async () => {
    postgres = await startPostgres();
    const url = await postgres!.createDatabase();
    store = await openPostgresStore({ url });
    client = new pg.Client({ connectionString: url });
    await client.connect();
  });
  afterAll(async () => {
    await client?.end();
    await store?.close();
    await postgres?.stop();
  });
  const planOf = async (sql: string, values: unknown[]) => {
    await client.query('ANALYZE');
    const { rows } = await client.query<{ 'QUERY PLAN': string }>(explainStatement(sql), values);
    return rows.map((row) => row['QUERY PLAN']).join('\n');
  };

  test('[STORE-36] reads the runs of a map past none that is deleted', async () => {
    const { accountId, mapId } = await makeMapWithDeletedRuns(store);
    const list = await planOf('SELECT number, record FROM runs', [accountId, mapId, 2 ** 53 - 1, 51]);
    const newest = await planOf('SELECT DISTINCT map_id FROM runs', [accountId, [1], [], [1], 2, []]);
    for (const plan of [list, newest]) {
      expect(plan).toContain('runs_in_list_order');
      expect(plan).not.toContain('Rows Removed by Filter');
    }
  });

  test('[SCOPE-11] reads a scope along the index by creation', async () => {
    const { accountId } = await makeLargeAccount(store);
    const start = await planOf('ORDER BY created_at DESC, id DESC LIMIT 1 OFFSET', [accountId, 49]);
    expect(start).toMatch(/runs_by_creation .*\(actual rows=50 loops=1\)/);
    const runs = await planOf('AS found_count', [accountId, ...scopeValues]);
    expect(runs).toMatch(/runs_by_creation .*\(actual rows=50 loops=1\)/);
    expect(runs).not.toMatch(/Seq Scan on runs|Rows Removed by/);
    const changed = await planOf('ORDER BY version LIMIT 1 OFFSET', [accountId, 0, 50]);
    expect(changed).toMatch(/runs_by_version .*\(actual rows=51 loops=1\)/);
  });

  test('[STORE-40] finds what a push acknowledges along the key', async () => {
    const { accountId, clientIds } = await makeUnacknowledgingClients(store);
    for (const table of ['push_answers', 'rejections']) {
      const plan = await planOf(`DELETE FROM ${table}\n     WHERE account_id = $1 AND client_id`, [
        accountId,
        [clientIds[2]],
        [3],
        3,
      ]);
      expect(plan).toMatch(/(Index Scan using|Index Scan on) \w+_pkey .*\(actual rows=3 loops=1\)/);
      expect(plan).not.toContain('Rows Removed by');
    }
  });
});

describe('SQLite', () => {
  /** The plan of each query in a store that `fill` has filled. */
  async function plansOf<Filled>(
    fill: (store: Store) => Promise<Filled>,
    queries: (filled: Filled) => [sql: string, ...values: (string | number)[]][],
  ): Promise<string[]> {
    const dataDir = mkdtempSync(join(tmpdir(), 'gemba-sqlite-'));
    onTestFinished(() => rmSync(dataDir, { recursive: true }));
    const store = await openSqliteStore({ dataDir });
    const filled = await fill(store);
    await store.close();
    const database = await openDatabase(join(dataDir, 'gemba.db'), { busyMsMax: 0, synchronous: 'FULL' });
    const plans = queries(filled).map(([sql, ...values]) => {
      const steps = database.all<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`, ...values);
      return steps.map(({ detail }) => detail).join('\n');
    });
    database.close();
    return plans;
  }

  test('[STORE-36] reads the runs of a map past none that is deleted', async () => {
    const plans = await plansOf(makeMapWithDeletedRuns, ({ accountId, mapId }) => [
      [runsOfMapSql, accountId, mapId, 2 ** 53 - 1, 51],
      [newestRunsSql, accountId, mapId, 2],
    ]);
    for (const plan of plans) expect(plan).toMatch(/^SEARCH runs USING INDEX runs_in_list_order [^\n]*$/);
  });

  test('[SCOPE-11] reads a scope along the index by creation', async () => {
    const [start, runs] = await plansOf(makeLargeAccount, ({ accountId }) => [
      [startOfNewestRunsSql, accountId, 49],
      [runsInScopeSql, accountId, ...scopeValues],
    ]);
    expect(start).toMatch(/^SEARCH runs USING (COVERING )?INDEX runs_by_creation \(account_id=\?\)$/);
    expect(runs).toContain(
      'SEARCH runs USING INDEX runs_by_creation (account_id=? AND (created_at,id)>(?,?) AND (created_at,id)<(?,?))',
    );
    expect(runs).not.toMatch(/SCAN (runs|maps)/);
  });

  test('[STORE-40] finds what a push acknowledges along the key', async () => {
    const plans = await plansOf(makeUnacknowledgingClients, ({ accountId, clientIds }) =>
      [deleteAcknowledgedAnswersSql, deleteAcknowledgedRejectionsSql].map((sql) => [sql, accountId, clientIds[2]!, 3]),
    );
    expect(plans).toEqual([
      expect.stringMatching(/^SEARCH push_answers USING .*\(account_id=\? AND client_id=\? AND first_seq<\?\)$/),
      expect.stringMatching(/^SEARCH rejections USING .*\(account_id=\? AND client_id=\? AND seq<\?\)$/),
    ]);
  });
});
