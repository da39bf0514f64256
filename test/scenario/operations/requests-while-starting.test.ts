/** A server that listens already and cannot serve requests yet. */
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { openServer } from '../../../server/app.ts';
import { openPostgresStore } from '../../../server/store/postgres/postgres-store.ts';
import { findFreePort } from '../../free-port.ts';
import { postgresAtHand, startPostgres, type TestPostgres } from '../../postgres.ts';
import { Api, expectProblem, newApi, temporaryFolder } from '../../contract/fixture.ts';
import { startServerProcess } from '../../contract/server-process.ts';

describe.skipIf(!postgresAtHand())('on a real PostgreSQL', () => {
  let postgres: TestPostgres | undefined;
  beforeAll(async () => void (postgres = await startPostgres()));
  afterAll(() => postgres?.stop());

  test('[SERVER-8] [SERVER-15] while its database is being migrated the server lives, is not ready, and refuses everything else', async () => {
    const databaseUrl = await postgres!.createDatabase();
    await (await openPostgresStore({ url: databaseUrl })).close();
    const migrating = await lockMigrations(databaseUrl);
    const { dataDir, remove } = temporaryFolder();
    const port = await findFreePort();
    let hasStarted = false;
    const opening = openServer({ dataDir, databaseUrl, port, host: '127.0.0.1' }).finally(() => (hasStarted = true));

    // The server listens before it waits for anything else.
    const watcher = new Api({ url: `http://127.0.0.1:${port}`, key: 'gk_any', accountId: '' });
    const alive = await watcher.get('/healthz');
    expect([alive.status, alive.body]).toEqual([200, { status: 'ok' }]);
    for (const refused of [
      await watcher.get('/readyz'),
      await watcher.get('/api/v1/maps'),
      await watcher.post('/api/v1/maps', { name: 'X' }),
      await watcher.get('/metrics'),
      await watcher.get('/nowhere'),
    ]) {
      expectProblem(refused, 503, 'unavailable');
      expect(Number(refused.headers.get('Retry-After'))).toBeGreaterThan(0);
      expect(refused.headers.get('RateLimit-Policy')).toBe('"default";q=600;w=60');
    }
    const broken = connect(port, '127.0.0.1');
    broken.write('GET / HTTP/9.9\r\n\r\n');
    expect(await text(broken)).toMatch(/^HTTP\/1.1 400 .*"code":"malformed_request"/s);
    expect(hasStarted).toBe(false);

    await migrating.end();
    const server = await opening;
    onTestFinished(() => server.close().finally(remove));
    expect((await watcher.get('/readyz')).status).toBe(200);
    expect((await (await newApi(server)).get('/api/v1/maps')).status).toBe(200);
  });

  test('[SERVER-9] told to stop while it waits for its database, the server ends at once with exit code 0', async () => {
    const databaseUrl = await postgres!.createDatabase();
    await (await openPostgresStore({ url: databaseUrl })).close();
    const migrating = await lockMigrations(databaseUrl);
    const port = await findFreePort();
    const server = startServerProcess({ DATABASE_URL: databaseUrl, PORT: String(port) });
    const isAlive = () =>
      fetch(`http://127.0.0.1:${port}/healthz`).then(
        ({ ok }) => ok,
        () => false,
      );
    while (!(await isAlive()));
    server.child.kill('SIGTERM');
    expect(await server.ended).toBe(0);
    expect(server.printed()).toBe('');
    await migrating.end();
  });
});

/** While this lock is held, a starting server cannot read which migrations were done. */
async function lockMigrations(connectionString: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  await client.query('BEGIN');
  await client.query('LOCK TABLE migrations IN ACCESS EXCLUSIVE MODE');
  return client;
}
