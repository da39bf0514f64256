/** The index of scopes on PostgreSQL, which an online step builds in databases that have runs. */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openStepDatabase } from '../../../../server/store/online/serve-steps.ts';
import { openPostgresStore } from '../../../../server/store/postgres/postgres-store.ts';
import type { Store } from '../../../../server/store/store.ts';
import { pullScoped } from '../../../../server/sync/scoped-pull.ts';
import type { Cursor } from '../../../../server/sync/cursor.ts';
import { onOneNode } from '../../../citus.ts';
import { postgresAtHand, startPostgres } from '../../../postgres.ts';
import { findPostgres, startCluster } from '../../../postgres-cluster.ts';
import { mapDoc, newAccount, runRow, write } from '../records.ts';
import { startStepServer } from './step-process.ts';

const runCount = 120;
/** Other test files use other databases of the same PostgreSQL. */
const building = 'SELECT 1 FROM pg_stat_progress_create_index WHERE datname = current_database()';

/** A store with runs that arrived a second apart, and what a test needs to see of its database. */
async function openFilled(url: string) {
  const store = await openPostgresStore({ url });
  const accountId = await newAccount(store);
  const map = mapDoc(0, { run_count: runCount, last_run_number: runCount });
  const runAt = (version: number, number: number) => {
    const created_at = new Date(number * 1_000).toISOString();
    const row = runRow(version, { mapId: map.id, number, created_at });
    return { ...row, doc: { ...row.doc!, created_at } };
  };
  const numbers = Array.from({ length: runCount }, (_, index) => index + 1);
  await write(store, accountId, (next) => ({
    maps: [{ ...map, version: next() }],
    runs: numbers.map((number) => runAt(next(), number)),
  }));
  const addRun = (number: number) => write(store, accountId, (next) => ({ runs: [runAt(next(), number)] }));
  return { store, accountId, addRun, ...(await openReads(url)) };
}

async function openReads(url: string) {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  const dataDir = mkdtempSync(join(tmpdir(), 'gemba-index-'));
  onTestFinished(() => rmSync(dataDir, { recursive: true }));
  const first = async <Row>(sql: string) => (await client.query(sql)).rows[0] as Row | undefined;
  return {
    client,
    dataDir,
    index: () =>
      first<{ oid: number; valid: boolean }>(
        `SELECT indexrelid AS oid, indisvalid AS valid FROM pg_index WHERE indexrelid = to_regclass('runs_by_creation')`,
      ),
    step: () =>
      first<{ holder: string; leased_until: string; done_at: string | null }>(
        `SELECT holder, leased_until, done_at FROM online_steps WHERE name = 'index of runs by creation'`,
      ),
    drops: async () => {
      const dropping = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND state = 'active' AND query LIKE 'DROP INDEX%'`;
      return (await client.query(dropping)).rows.length;
    },
    builders: async () => (await client.query(building)).rows.length,
  };
}

/** Pulls as a new device whose scope has the newest runs, and returns their numbers. */
async function pullScope(store: Store, accountId: string, runs_max: number): Promise<number[]> {
  const numbers: number[] = [];
  let cursor: Cursor = { version: 0 };
  for (;;) {
    const services = { store, world: { now: () => 0 } };
    const page = await pullScoped(services, accountId, { cursor, scope: { runs_max }, limit: 7 });
    for (const change of page.changes) {
      if (change.kind === 'run' && change.doc) numbers.push(change.doc.number);
    }
    cursor = page.cursor;
    if (!page.hasMore) return numbers;
  }
}

/** A transaction that has written a run. PostgreSQL lets it end before it builds an index concurrently. */
async function openWriter(url: string): Promise<pg.Client> {
  const writer = new pg.Client({ connectionString: url });
  writer.on('error', () => {});
  await writer.connect();
  await writer.query('BEGIN');
  await writer.query('UPDATE runs SET map_then = map_then WHERE number = 1');
  return writer;
}

const newest = Array.from({ length: 20 }, (_, index) => runCount - index);

describe.skipIf(!postgresAtHand() || !onOneNode('waits for locks, and indexes'))('the index of scopes', () => {
  const openDatabase = async () => {
    const postgres = await startPostgres();
    onTestFinished(() => postgres!.stop());
    const url = await postgres!.createDatabase();
    const database = await openFilled(url);
    onTestFinished(async () => {
      await database.client.end();
      await database.store.close();
    });
    return { url, ...database };
  };

  test('[PG-43] comes with migration 13 where there are no runs, and stays as it is', async () => {
    const { url, index, step, dataDir } = await openDatabase();
    const made = await index();
    expect(made?.valid).toBe(true);
    const server = await startStepServer({ dataDir, url, carries: 'own' });
    await expect.poll(async () => (await step())?.done_at ?? null).not.toBeNull();
    expect(await index()).toEqual(made);
    server.child.kill('SIGTERM');
    await once(server.child, 'close');
  });

  test('[PG-43] [PG-44] is built by the step where there are runs, and a scope is the same without it', async () => {
    const { url, store, accountId, client, index, step, dataDir } = await openDatabase();
    await client.query('DROP INDEX runs_by_creation');
    await client.query('DELETE FROM migrations WHERE number = 13');
    await (await openPostgresStore({ url })).close();
    expect(await index()).toBeUndefined();
    expect(await pullScope(store, accountId, 20)).toEqual(newest);
    const server = await startStepServer({ dataDir, url, carries: 'own' });
    await expect.poll(async () => (await step())?.done_at ?? null).not.toBeNull();
    expect((await index())?.valid).toBe(true);
    expect(await pullScope(store, accountId, 20)).toEqual(newest);
    server.child.kill('SIGTERM');
    await once(server.child, 'close');
  });

  test('[PG-44] [PG-45] is built once, though the process that began it was killed and two come after it', async () => {
    const { url, store, accountId, addRun, client, index, step, builders, drops, dataDir } = await openDatabase();
    await client.query('DROP INDEX runs_by_creation');
    const writer = await openWriter(url);
    onTestFinished(() => writer.end());
    const first = await startStepServer({ dataDir, url, carries: 'own' });
    await expect.poll(async () => (await index())?.valid).toBe(false);
    const begun = await index();
    expect(await builders()).toBe(1);
    const holder = (await step())?.holder;
    first.child.kill('SIGKILL');
    await once(first.child, 'close');
    expect(await builders()).toBe(1);

    const servers = await Promise.all([1, 2].map(() => startStepServer({ dataDir, url, carries: 'own' })));
    await expect.poll(async () => (await step())?.holder).not.toBe(holder);
    const claimed = (await step())!.leased_until;
    // The lease is claimed again once the new holder has looked at the index, or while it builds one.
    await expect.poll(async () => (await step())!.leased_until).not.toBe(claimed);
    expect([await builders(), await drops()]).toEqual([1, 0]);
    await addRun(runCount + 1);
    expect(await pullScope(store, accountId, 21)).toEqual([runCount + 1, ...newest]);

    await writer.query('COMMIT');
    await expect.poll(async () => (await step())?.done_at ?? null).not.toBeNull();
    expect(await index()).toEqual({ oid: begun!.oid, valid: true });
    for (const { child } of servers) child.kill('SIGTERM');
    await Promise.all(servers.map(({ child }) => once(child, 'close')));
    const log = servers.map(({ text }) => text()).join('');
    expect(log.match(/online step done/g)).toHaveLength(1);
    expect(await index()).toEqual({ oid: begun!.oid, valid: true });
  });

  test('[PG-47] a pooler is passed by, and another database carries out nothing', async () => {
    const { url, store } = await openDatabase();
    const pooler = { databaseUrl: 'postgres://nobody@127.0.0.1:1/none', databasePooler: 'transaction' } as const;
    const where = { ...pooler, pokeDatabaseUrl: url, dataDir: '' };
    const steps = await openStepDatabase({ ...where, epoch: () => store.epoch() });
    expect(await steps.rowCount('runs')).toBeGreaterThanOrEqual(0);
    await steps.close();
    const refusal = /POKE_DATABASE_URL is another database/;
    await expect(openStepDatabase({ ...where, epoch: async () => randomUUID() })).rejects.toThrow(refusal);
    const empty = new URL(url);
    empty.pathname = '/postgres';
    const elsewhere = { ...where, pokeDatabaseUrl: empty.href, epoch: () => store.epoch() };
    await expect(openStepDatabase(elsewhere)).rejects.toThrow(refusal);
  });
});

test.skipIf(!findPostgres())(
  '[PG-46] an index whose PostgreSQL was killed is built anew by the process that serves on',
  async () => {
    const cluster = await startCluster();
    onTestFinished(() => cluster.stop());
    const { store, client, index, builders, dataDir } = await openFilled(cluster.url);
    await client.query('DROP INDEX runs_by_creation');
    const writer = await openWriter(cluster.url);
    const server = await startStepServer({ dataDir, url: cluster.url, carries: 'own' });
    await expect.poll(async () => (await index())?.valid).toBe(false);
    const begun = await index();
    expect(await builders()).toBe(1);

    await cluster.halt('immediate');
    await Promise.allSettled([writer.end(), client.end(), store.close()]);
    await cluster.start();
    const after = await openReads(cluster.url);
    await expect.poll(async () => (await after.index())?.valid).toBe(true);
    expect((await after.index())?.oid).not.toBe(begun?.oid);
    await expect.poll(async () => (await after.step())?.done_at ?? null).not.toBeNull();
    await after.client.end();
    server.child.kill('SIGTERM');
    await once(server.child, 'close');
  },
);
