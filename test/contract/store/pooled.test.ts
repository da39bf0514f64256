/** The store behind PgBouncer in transaction mode, whose few sessions are lent to another connection with each transaction. */
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { setTimeout as sleep } from 'node:timers/promises';
import { openStepDatabase } from '../../../server/store/online/serve-steps.ts';
import { openPostgresStore } from '../../../server/store/postgres/postgres-store.ts';
import { openPostgresCounts } from '../../../server/store/postgres/rate-limits.ts';
import { citusUrl } from '../../citus.ts';
import { openProcesses, type Processes } from '../../failover/processes.ts';
import { findProgram, failoverAtHand } from '../../failover/programs.ts';
import { pgbouncerConfig } from '../../failover/routes.ts';
import { findFreePort } from '../../free-port.ts';
import { postgresAtHand, startPostgres, type TestPostgres } from '../../postgres.ts';
import { storeContract } from './contract.ts';

const poolSize = 2;
const pollMs = 20;

describe.skipIf(citusUrl !== undefined || !postgresAtHand() || !failoverAtHand())(
  '[PG-36] behind PgBouncer in transaction mode',
  () => {
    let postgres: TestPostgres | undefined;
    let processes: Processes | undefined;
    let port = 0;
    beforeAll(async () => {
      postgres = await startPostgres();
      const { hostname, port: databasePort, username, password } = new URL(postgres!.url);
      processes = openProcesses();
      port = await findFreePort();
      const login = `user=${username || 'postgres'}${password ? ` password=${decodeURIComponent(password)}` : ''}`;
      const databases = `* = host=${hostname} port=${databasePort || 5432} ${login}`;
      const config = pgbouncerConfig({ port, databases, poolSize, folder: processes.folder });
      processes.start('pgbouncer', findProgram('pgbouncer')!, [processes.writeFile('pgbouncer.ini', config)]);
      while (!(await isServed(pooled(postgres!.url)))) await sleep(pollMs);
    });
    afterAll(async () => {
      await processes?.end();
      await postgres?.stop();
    });
    const pooled = (url: string) => {
      const { username, pathname } = new URL(url);
      return `postgres://${username || 'postgres'}@127.0.0.1:${port}${pathname}`;
    };

    storeContract('PostgreSQL', async () => {
      const direct = await postgres!.createDatabase();
      const options = { url: pooled(direct), pokeUrl: direct, pooler: 'transaction' as const };
      return { open: () => openPostgresStore(options), remove: async () => {} };
    });

    test('[PG-47] an online step builds its index past the pooler', async () => {
      const direct = await postgres!.createDatabase();
      const store = await openPostgresStore({ url: direct });
      const urls = { databaseUrl: pooled(direct), pokeDatabaseUrl: direct, databasePooler: 'transaction' as const };
      const steps = await openStepDatabase({ ...urls, dataDir: '', epoch: () => store.epoch() });
      const create = 'CREATE INDEX CONCURRENTLY runs_by_time ON runs (account_id, created_at)';
      expect(await steps.buildIndex({ kind: 'index', index: 'runs_by_time', create })).toBe(true);
      await steps.close();
      await store.close();
    });

    test('[PG-36] requests are counted, too', async () => {
      const direct = await postgres!.createDatabase();
      await (await openPostgresStore({ url: direct })).close();
      const counts = openPostgresCounts(pooled(direct), 'transaction');
      const counted = await Promise.all(Array.from({ length: 20 }, () => counts.add({ key: 'a', now: 0, endsAt: 1 })));
      expect(counted.map(({ requests }) => requests).toSorted((a, b) => a - b)).toEqual(counted.map((_, at) => at + 1));
      await counts.close();
    });
  },
);

async function isServed(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  try {
    await client.connect();
    await client.query('SELECT 1');
    return true;
  } catch {
    return false;
  } finally {
    await client.end();
  }
}
