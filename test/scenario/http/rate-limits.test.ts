import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { readEnvironment } from '../../../server/environment.ts';
import { openPostgresStore } from '../../../server/store/postgres/postgres-store.ts';
import { openRateLimits } from '../../../server/store/limits/open-rate-limits.ts';
import { openDatabase } from '../../../server/store/sqlite/database.ts';
import { postgresAtHand, startPostgres, type TestPostgres } from '../../postgres.ts';
import { startProxy } from '../../contract/store/outage/postgres-proxy.ts';
import { temporaryFolder } from '../../contract/fixture.ts';
import { addressLimitsContract } from '../../contract/address-limits-contract.ts';
import { limitsContract } from '../../contract/limits-contract.ts';
import { sharedCountWaitMsMax } from '../../contract/rate-limit-database.ts';

test('[LIMIT-6] GEMBA_RATE_LIMIT is requests/seconds, 600/60 when unset, and checked at the start', () => {
  expect(readEnvironment({})).toMatchObject({ settings: { rateLimit: { requests: 600, secs: 60 } } });
  expect(readEnvironment({ GEMBA_RATE_LIMIT: '5/1' })).toMatchObject({
    settings: { rateLimit: { requests: 5, secs: 1 } },
  });
  for (const wrong of ['600', '0/60', '600/0', '-1/60', '1.5/60', '600/60s', 'many/60']) {
    expect(readEnvironment({ GEMBA_RATE_LIMIT: wrong })).toEqual({
      ok: false,
      problems: [`GEMBA_RATE_LIMIT must be requests/seconds, both at least 1, such as 600/60, not "${wrong}"`],
    });
  }
});

test('[LIMIT-25] GEMBA_STORAGE_MIB is MiB of the free/team plan, 256/16384 when unset, and checked at the start', () => {
  const mebibyte = 1024 * 1024;
  for (const unset of [{}, { GEMBA_STORAGE_MIB: ' ' }]) {
    const storedBytesMax = { free: 256 * mebibyte, team: 16_384 * mebibyte };
    expect(readEnvironment(unset)).toMatchObject({ settings: { storedBytesMax } });
  }
  expect(readEnvironment({ GEMBA_STORAGE_MIB: '1/20' })).toMatchObject({
    settings: { storedBytesMax: { free: mebibyte, team: 20 * mebibyte } },
  });
  for (const wrong of ['256', '0/1', '1/0', '-1/2', '1.5/2', '1/2MiB', '1/2/3', '/', 'much/more', '1e3/1e4', '1 / 2']) {
    expect(readEnvironment({ GEMBA_STORAGE_MIB: wrong })).toEqual({
      ok: false,
      problems: [
        `GEMBA_STORAGE_MIB must be MiB of the free/team plan, both at least 1, such as 256/16384, not "${wrong}"`,
      ],
    });
  }
});

test('[LIMIT-14] GEMBA_ADMIN_TOKEN has at least 12 characters, or the process does not start', () => {
  const problems = (GEMBA_ADMIN_TOKEN: string) => readEnvironment({ GEMBA_ADMIN_TOKEN });
  expect(problems('operator-token')).toMatchObject({ ok: true, settings: { adminToken: 'operator-token' } });
  const refused = problems('hunter2hunt');
  expect(refused).toMatchObject({
    ok: false,
    problems: [expect.stringMatching(/^GEMBA_ADMIN_TOKEN must be 12 characters or more/)],
  });
  expect(JSON.stringify(refused)).not.toContain('hunter2hunt');
});

describe('on SQLite', () => {
  let folder: ReturnType<typeof temporaryFolder>;
  beforeEach(() => {
    folder = temporaryFolder();
    return folder.remove;
  });
  const keys = async () => {
    const counts = await openDatabase(join(folder.dataDir, 'limits.db'), { busyMsMax: 1_000, synchronous: 'OFF' });
    const rows = counts.all<{ key: string }>('SELECT key FROM rate_limits');
    counts.close();
    return rows.map(({ key }) => key);
  };
  const limited = { database: () => folder, keys };
  limitsContract(limited);
  addressLimitsContract(limited);
});

describe.skipIf(!postgresAtHand())('on a real PostgreSQL', () => {
  let postgres: TestPostgres | undefined;
  let databaseUrl: string;
  const { dataDir, remove } = temporaryFolder();
  beforeAll(async () => void (postgres = await startPostgres()));
  afterAll(async () => {
    remove();
    await postgres?.stop();
  });
  beforeEach(async () => void (databaseUrl = await postgres!.createDatabase()));
  const keys = async () => {
    const client = new pg.Client({ connectionString: databaseUrl });
    await client.connect();
    const { rows } = await client.query<{ key: string }>('SELECT key FROM rate_limits');
    await client.end();
    return rows.map(({ key }) => key);
  };
  const limited = { database: () => ({ dataDir, databaseUrl }), keys };
  limitsContract(limited);
  addressLimitsContract(limited);

  test('[LIMIT-7] while PostgreSQL does not answer, each process counts for itself, and afterwards together again', async () => {
    await (await openPostgresStore({ url: databaseUrl })).close();
    const proxy = await startProxy(databaseUrl);
    const limits = await openRateLimits({
      databaseUrl: proxy.url,
      dataDir,
      sharedCountWaitMsMax,
      limit: { requests: 10, secs: 600 },
      now: Date.now,
    });
    expect(await limits.count('a')).toMatchObject({ ok: true, remaining: 9 });
    proxy.cutAt('add-counted-request', 'sent');
    expect(await limits.count('a')).toMatchObject({ ok: true, remaining: 9 });
    expect(await limits.count('a')).toMatchObject({ ok: true, remaining: 8 });
    await limits.close();
    proxy.close();
  });
});
