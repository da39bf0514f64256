/** Indexes of online steps on PostgreSQL. */
import pg from 'pg';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { IndexBuild, OnlineStep } from '../../../../server/store/online/online-step.ts';
import {
  backfillStatements,
  openStepDatabase,
  stepStatements,
} from '../../../../server/store/online/postgres-steps.ts';
import { runDueSteps } from '../../../../server/store/online/run-steps.ts';
import { onlineSteps } from '../../../../server/store/online/steps.ts';
import { openPostgresStore } from '../../../../server/store/postgres/postgres-store.ts';
import { onOneNode } from '../../../citus.ts';
import { postgresAtHand, startPostgres } from '../../../postgres.ts';
import { mapDoc, newAccount, runRow, write } from '../records.ts';
import { shardingProblems } from '../sharding/sharding-lint.ts';
import { countStep } from './count-step.ts';

const work: IndexBuild = {
  kind: 'index',
  index: 'runs_by_time',
  create: 'CREATE INDEX CONCURRENTLY runs_by_time ON runs (account_id, created_at)',
};

async function openDatabase() {
  const postgres = await startPostgres();
  onTestFinished(() => postgres!.stop());
  const url = await postgres!.createDatabase();
  const store = await openPostgresStore({ url });
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const steps = await openStepDatabase(url);
  onTestFinished(async () => {
    await steps.close();
    await client.end();
    await store.close();
  });
  const accountId = await newAccount(store);
  const writeRun = (number: number) =>
    write(store, accountId, (next) => {
      const map = mapDoc(next());
      return { maps: [map], runs: [runRow(next(), { mapId: map.id, number })] };
    });
  await writeRun(1);
  const isValid = async () => {
    const sql = `SELECT indisvalid AS valid FROM pg_index WHERE indexrelid = to_regclass('runs_by_time')`;
    return (await client.query<{ valid: boolean }>(sql)).rows[0]?.valid;
  };
  return { url, client, steps, writeRun, isValid };
}

describe.skipIf(!postgresAtHand() || !onOneNode('waits for locks, and indexes'))('an index of an online step', () => {
  test('[PG-40] is built while transactions write, and by one connection alone', async () => {
    const { url, client, steps, writeRun, isValid } = await openDatabase();
    const writer = new pg.Client({ connectionString: url });
    await writer.connect();
    onTestFinished(() => writer.end());
    await writer.query('BEGIN');
    await writer.query(`UPDATE runs SET map_then = map_then`);
    const built = steps.buildIndex(work);
    const waits = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE 'CREATE INDEX%' AND pid <> pg_backend_pid()`;
    await expect.poll(async () => (await client.query(waits)).rows.length).toBe(1);
    await writeRun(2);
    const other = await openStepDatabase(url);
    expect(await other.buildIndex(work)).toBe(false);
    await other.close();
    await writer.query('COMMIT');
    expect(await built).toBe(true);
    expect(await isValid()).toBe(true);
    expect(await steps.buildIndex({ ...work, create: 'this is never sent' })).toBe(true);
  });

  test('[PG-40] is built anew where only an invalid one is left, and its step is done then', async () => {
    const { url, client, writeRun, isValid } = await openDatabase();
    await writeRun(2);
    const failing = 'CREATE UNIQUE INDEX CONCURRENTLY runs_by_time ON runs (account_id, created_at)';
    await expect(client.query(failing)).rejects.toThrow(/could not create unique index/);
    expect(await isValid()).toBe(false);
    const step: OnlineStep = { name: 'index by time', postgres: work };
    const done: string[] = [];
    await runDueSteps(
      {
        steps: [step],
        which: 'postgres',
        open: () => openStepDatabase(url),
        holder: 'test',
        now: () => 1_000,
        onProgress: (progress) => done.push(progress.step),
        onBug: () => {},
      },
      new AbortController().signal,
    );
    expect(await isValid()).toBe(true);
    expect(done).toEqual(['index by time']);
    const { rows } = await client.query(`SELECT done_at FROM online_steps WHERE name = 'index by time'`);
    expect(rows).toEqual([{ done_at: '1000' }]);
  });
});

test('[PG-42] the statements of online steps name one account, but for the look-up of the next account', async () => {
  const keys = new Map([
    ['accounts', 'account_id'],
    ['runs', 'account_id'],
    ['online_steps', null],
  ]);
  const fills = [countStep, ...onlineSteps].flatMap(({ postgres }) =>
    postgres?.kind === 'backfill' ? [postgres] : [],
  );
  for (const fill of fills) {
    for (const text of Object.values(backfillStatements(fill)))
      expect([text, await shardingProblems(text, keys)]).toEqual([text, []]);
  }
  for (const text of [stepStatements.read, stepStatements.claim, stepStatements.save]) {
    expect([text, await shardingProblems(text, keys)]).toEqual([text, []]);
  }
});
