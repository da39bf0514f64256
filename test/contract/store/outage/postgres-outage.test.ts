import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { gatherDelayMs } from '../../../../server/store/postgres/poke-channel.ts';
import { openPostgresStore } from '../../../../server/store/postgres/postgres-store.ts';
import { StoreUnavailable, type Poke, type Store } from '../../../../server/store/store.ts';
import { findPostgres, startCluster } from '../../../postgres-cluster.ts';
import { onOneNode } from '../../../citus.ts';
import { postgresAtHand, startPostgres, type TestPostgres } from '../../../postgres.ts';
import { startProxy } from './postgres-proxy.ts';
import { mapDoc, newAccount, nothing, write } from '../records.ts';

const commit = (store: Store, accountId: string) => write(store, accountId, (next) => ({ maps: [mapDoc(next())] }));

describe.skipIf(!postgresAtHand() || !findPostgres())('when a PostgreSQL of our own goes down', () => {
  test('[STORE-26] [STORE-53] [STORE-54] the store says StoreUnavailable, keeps what it acknowledged, and recovers by itself', async () => {
    const cluster = await startCluster();
    onTestFinished(() => cluster.stop());
    const [store, other] = [await openPostgresStore(cluster), await openPostgresStore(cluster)];
    const accountId = await newAccount(store);
    const underWay = Array.from({ length: 40 }, () => commit(store, accountId));
    await Promise.any(underWay);
    await cluster.halt('immediate');
    const outcomes = await Promise.allSettled(underWay);
    const acknowledged = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected') expect(outcome.reason).toBeInstanceOf(StoreUnavailable);
    }
    await expect(store.ping()).rejects.toThrow(StoreUnavailable);
    await expect(commit(store, accountId)).rejects.toThrow(StoreUnavailable);
    await expect(openPostgresStore(cluster)).rejects.toThrow(StoreUnavailable);

    await cluster.start();
    await store.ping();
    const { changes } = await store.changes(accountId, { after: 0, limit: 100, kinds: ['map'] });
    expect(changes.map(({ version }) => version)).toEqual(expect.arrayContaining(acknowledged));
    const pokes: Poke[] = [];
    other.onCommit((poke) => pokes.push(poke));
    // Pokes are lost until the store listens again.
    for (; pokes.length === 0; await sleep(20)) await commit(store, accountId);
    expect(pokes[0]).toMatchObject({ accountId });
    await Promise.all([store.close(), other.close()]);
  });
});

describe.skipIf(!postgresAtHand())('a connection to PostgreSQL', () => {
  let postgres: TestPostgres | undefined;
  beforeAll(async () => void (postgres = await startPostgres()));
  afterAll(() => postgres?.stop());

  test.each(['sent', 'answered'] as const)(
    '[STORE-52] that is cut as COMMIT is %s makes the outcome StoreUnavailable, and the next transaction works',
    async (when) => {
      const url = await postgres!.createDatabase();
      const proxy = await startProxy(url);
      onTestFinished(proxy.close);
      const store = await openPostgresStore({ url: proxy.url });
      const accountId = await newAccount(store);
      expect(await commit(store, accountId)).toBe(1);
      proxy.cutAt('COMMIT\0', when);
      await expect(commit(store, accountId)).rejects.toThrow(StoreUnavailable);
      expect(await commit(store, accountId)).toBe(when === 'answered' ? 3 : 2);
      await store.close();
    },
  );

  test('[STORE-26] that ends in the read that says it is ready takes nothing with it', async () => {
    const proxy = await startProxy(await postgres!.createDatabase());
    onTestFinished(proxy.close);
    const store = await openPostgresStore({ url: proxy.url });
    proxy.endBehind('application_name\0gemba\0');
    const outcomes = await Promise.allSettled(Array.from({ length: 8 }, () => store.ping()));
    const lost = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason as unknown] : []));
    expect(lost).toEqual([expect.any(StoreUnavailable)]);
    await store.ping();
    await store.close();
  });

  test.skipIf(!onOneNode('a deadlock, seen by its wait'))(
    '[STORE-27] a transaction that loses a deadlock runs again',
    async () => {
      const url = await postgres!.createDatabase();
      const proxy = await startProxy(url);
      onTestFinished(proxy.close);
      const store = await openPostgresStore({ url: proxy.url });
      const accountId = await newAccount(store);
      const map = mapDoc(0);
      await write(store, accountId, (next) => ({ maps: [{ ...map, version: next() }] }));

      // The rival locks the map and will wait for the account: a deadlock. PostgreSQL aborts the transaction whose own
      // deadlock_timeout ends first, the store's.
      const rival = new pg.Client({ connectionString: url });
      await rival.connect();
      await rival.query("SET deadlock_timeout = '20s'");
      await rival.query('BEGIN');
      await rival.query('UPDATE maps SET industry = industry');
      const saving = proxy.hold('COMMIT\0');
      let decisions = 0;
      const written = write(store, accountId, (next) => {
        decisions++;
        return { maps: [{ ...map, version: next(), name: 'Again' }] };
      });
      await saving.holds;
      const rivalDone = rival.query('UPDATE accounts SET name = name').then(() => rival.query('COMMIT'));
      await untilConnectionWaits(url);
      saving.release();
      expect(await written).toBe(2);
      await rivalDone;
      await rival.end();
      // The unit may run into more than one deadlock before the rival gets the account's lock.
      expect(decisions).toBeGreaterThan(1);
      expect(await store.map(accountId, map.id)).toMatchObject({ name: 'Again', version: 2 });
      await store.close();
    },
  );

  test('[STORE-28] one server process pokes the others, together for many commits and not itself twice', async () => {
    // Fake timers let the store gather commits for as long as the test says.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const url = await postgres!.createDatabase();
    const sent: string[] = [];
    const writer = await openPostgresStore({ url, onStatement: (text) => sent.push(text) });
    const listener = await openPostgresStore({ url });
    const accountId = await newAccount(writer);
    const own: Poke[] = [];
    writer.onCommit((poke) => own.push(poke));
    const heard = () => new Promise<Poke>((resolve) => void listener.onCommit(resolve));
    const announcements = () => sent.filter((text) => text.includes('pg_notify')).length;
    const commits = 30;
    const first = heard();
    await writer.transact(accountId, nothing, () => ({ result: undefined }));
    for (let i = 0; i < commits; i++) await commit(writer, accountId);
    expect(announcements()).toBe(0);
    vi.advanceTimersByTime(gatherDelayMs);
    expect(await first).toEqual({ accountId, version: commits, committedAtMs: expect.any(Number) });
    expect(announcements()).toBe(1);

    vi.useRealTimers();
    const second = heard();
    await commit(writer, accountId);
    expect(await second).toEqual({ accountId, version: commits + 1, committedAtMs: expect.any(Number) });
    await writer.close();
    expect(own).toEqual(Array.from({ length: commits + 1 }, (_, index) => ({ accountId, version: index + 1 })));
    expect(announcements()).toBe(2);
    await listener.close();
  });
});

/** Waits until a connection to this database waits for a lock. */
async function untilConnectionWaits(connectionString: string): Promise<void> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  const waiting = "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";
  while ((await client.query(waiting)).rowCount === 0);
  await client.end();
}
