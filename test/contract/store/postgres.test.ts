import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { migrations } from '../../../server/store/postgres/migrate.ts';
import { citusStatements } from '../../../server/store/postgres/placements.ts';
import { openPostgresStore } from '../../../server/store/postgres/postgres-store.ts';
import { openPostgresCounts } from '../../../server/store/postgres/rate-limits.ts';
import { statements } from '../../../server/store/postgres/statement.ts';
import { citusUrl } from '../../citus.ts';
import { postgresAtHand, startPostgres, type TestPostgres } from '../../postgres.ts';
import { storeContract } from './contract.ts';

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
    const url = await postgres!.createDatabase();
    return { open: () => openPostgresStore({ url }), remove: async () => {} };
  });

  test('[PG-1] [PG-9] the suite sends every statement that the lint reads, and no other', async () => {
    const url = await postgres!.createDatabase();
    const store = await openPostgresStore({ url });
    await store.ping();
    const accountId = randomUUID();
    const start = { createdMs: 0, id: 0 };
    expect(await store.startOfNewestRuns(accountId, 1)).toBeUndefined();
    expect(await store.runsInScope(accountId, { start, limit: 1 })).toEqual({ runs: [], hasMore: false });
    expect(await store.haveMoreRunsChanged(accountId, { after: 0, count: 1 })).toBe(false);
    const counts = openPostgresCounts(url);
    await counts.add({ key: 'a', now: 0, endsAt: 1 });
    await counts.refund('a');
    await counts.sweep(2);
    await counts.close();
    await store.close();
    const listed = new Set(statements().map(({ text }) => text));
    const ofOthers = new Set(migrations.flatMap(({ statements: texts }) => texts));
    const unlisted = [...textsSent()].filter((text) => !listed.has(text) && !ofOthers.has(text));
    const ofSetup =
      /^CREATE DATABASE gemba_test_|^CREATE EXTENSION citus$|pg_dist_node|citus_set_coordinator_host|citus_add_node/;
    expect(unlisted.filter((text) => !ofSetup.test(text))).toEqual([]);
    const onCitus = new Set(citusUrl ? [] : citusStatements.map(({ text }) => text));
    expect([...listed].filter((text) => !onCitus.has(text) && !textsSent().has(text))).toEqual([]);
  });
});
