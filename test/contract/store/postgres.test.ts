import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { migrations } from '../../../server/store/postgres/migrate.ts';
import { openPostgresStore } from '../../../server/store/postgres/postgres-store.ts';
import { openPostgresRateLimits } from '../../../server/store/postgres/rate-limits.ts';
import { statements } from '../../../server/store/postgres/statement.ts';
import { postgresAtHand, startPostgres, type TestPostgres } from '../../postgres.ts';
import { storeContract } from './contract.ts';
import { onEveryShard, shardKeys } from './sharding/shard-keys.ts';
import { shardingProblems } from './sharding/sharding-lint.ts';

describe.skipIf(!postgresAtHand())('on a real PostgreSQL', () => {
  let postgres: TestPostgres | undefined;
  // Every statement of this process goes through this method of `pg`.
  const sent = vi.spyOn(pg.Client.prototype, 'query');
  const textsSent = () => {
    const given = sent.mock.calls.map(([query]) => query as unknown as string | { text: string });
    return new Set(given.map((query) => (typeof query === 'string' ? query : query.text)));
  };
  beforeAll(async () => void (postgres = await startPostgres()));
  afterAll(() => postgres?.stop());

  storeContract('PostgreSQL', async () => {
    const url = await postgres!.freshDatabase();
    return { open: () => openPostgresStore({ url }), remove: async () => {} };
  });

  test('[PG-1] [PG-9] the suite sends every statement that the lint reads, and no other', async () => {
    const store = await openPostgresStore({ url: await postgres!.freshDatabase() });
    await store.ping();
    await store.close();
    const listed = new Set(statements().map(({ text }) => text));
    const ofOthers = new Set(migrations.map(({ sql }) => sql));
    const unlisted = [...textsSent()].filter((text) => !listed.has(text) && !ofOthers.has(text));
    expect(unlisted.filter((text) => !text.startsWith('CREATE DATABASE gemba_test_'))).toEqual([]);
    // This statement is sent only once a minute.
    expect([...listed].filter((text) => !textsSent().has(text))).toEqual(['DELETE FROM rate_limits WHERE expire < $1']);
  });

  test("[PG-1] the rate limiter's own SQL holds what the lint asks", async () => {
    const url = await postgres!.freshDatabase();
    const store = await openPostgresStore({ url });
    const before = textsSent();
    const limits = await openPostgresRateLimits(url, { requests: 1, secs: 60 });
    for (const key of ['a', 'a', 'b']) await limits.count(key);
    await limits.close();
    await store.close();
    const own = [...textsSent()].filter((text) => !before.has(text));
    expect(own).not.toEqual([]);
    for (const text of own) {
      // The statement names no columns; the table has them in this order.
      const named = text.replace('"rate_limits" VALUES', '"rate_limits" (key, points, expire) VALUES');
      const problems = named in onEveryShard ? [] : await shardingProblems(named, await shardKeys());
      expect({ text, problems }).toEqual({ text, problems: [] });
    }
  });
});
