/** Events between server processes on one PostgreSQL, and the service while the database is away. */
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { openServer, type ServerOptions } from '../../../server/app.ts';
import { findPostgres, startCluster } from '../../postgres-cluster.ts';
import { postgresAtHand, startPostgres, type TestPostgres } from '../../postgres.ts';
import { openEventReader } from '../../contract/event-reader.ts';
import { createAccountOn, startServerOn } from '../operations/failing-pair.ts';
import { Api, expectProblem, newApi, steps, temporaryFolder } from '../../contract/fixture.ts';
import { pullAll, SyncClient } from '../../contract/sync-client.ts';

const hourMs = 3_600_000;

describe.skipIf(!postgresAtHand())('events on a real PostgreSQL', () => {
  let postgres: TestPostgres | undefined;
  beforeAll(async () => void (postgres = await startPostgres()));
  afterAll(() => postgres?.stop());

  const openTwo = async (eventsPollIntervalMs: number, more: Pick<ServerOptions, 'pokeDatabaseUrl' | 'pokes'> = {}) => {
    const { dataDir, remove } = temporaryFolder();
    const databaseUrl = await postgres!.createDatabase();
    const options: ServerOptions = { dataDir, databaseUrl, port: 0, host: '127.0.0.1', eventsPollIntervalMs, ...more };
    const servers = [await openServer(options), await openServer(options)] as const;
    onTestFinished(async () => {
      await Promise.all(servers.map((server) => server.close()));
      remove();
    });
    const api = await newApi(servers[0]);
    const other = api.at(servers[1]);
    const readiness = async () => (await other.get('/readyz')).body;
    /** The metrics of the process whose stream is read. */
    const pokesTold = async () => (await (await fetch(`${other.url}/metrics`)).text()).match(/^gemba_poke.*/gm) ?? [];
    const stream = await openEventReader(other);
    return { databaseUrl, api, stream, client: new SyncClient(api), readiness, pokesTold };
  };

  test('[PG-4] a commit of one process is told by the other at once, without its slow poll', async () => {
    const { api, stream, client } = await openTwo(hourMs);
    await stream.next();
    for (let count = 0; count < 5; count++) {
      await api.createMap();
      expect(await stream.next()).toBe((await client.pull()).body.cursor);
    }
  });

  test('[PG-32] with POKE_DATABASE_URL the pokes go through that database alone', async () => {
    const pokeDatabaseUrl = await postgres!.createDatabase();
    const { databaseUrl, api, stream, client } = await openTwo(hourMs, { pokeDatabaseUrl });
    await stream.next();
    for (let count = 0; count < 5; count++) {
      await api.createMap();
      expect(await stream.next()).toBe((await client.pull()).body.cursor);
    }
    const operator = new pg.Client({ connectionString: databaseUrl });
    await operator.connect();
    const { rows } = await operator.query<{ datname: string }>(
      "SELECT DISTINCT datname FROM pg_stat_activity WHERE application_name = 'gemba pokes' AND datname = ANY ($1)",
      [[databaseUrl, pokeDatabaseUrl].map((url) => new URL(url).pathname.slice(1))],
    );
    await operator.end();
    expect(rows.map(({ datname }) => `/${datname}`)).toEqual([new URL(pokeDatabaseUrl).pathname]);
  });

  test('[PG-48] [PG-50] [PG-51] a process that polls opens no connection for pokes, and tells what the other committed', async () => {
    const { databaseUrl, api, stream, client, readiness, pokesTold } = await openTwo(100, { pokes: 'poll' });
    await stream.next();
    expect(await readiness()).toEqual({ status: 'ready', pokes: 'poll' });
    await api.createMap();
    expect(await stream.next()).toBe((await client.pull()).body.cursor);
    expect(await pokesTold()).toContain('gemba_pokes_total{path="poll"} 1');
    const operator = new pg.Client({ connectionString: databaseUrl });
    await operator.connect();
    const { rows } = await operator.query(
      "SELECT 1 FROM pg_stat_activity WHERE application_name = 'gemba pokes' AND datname = current_database()",
    );
    await operator.end();
    expect(rows).toEqual([]);
  });

  test('[PG-49] [PG-50] [PG-51] a server whose poke database is away starts and polls, and listens once that is back', async () => {
    const name = `late_${randomUUID().replaceAll('-', '')}`;
    const direct = new URL(await postgres!.createDatabase());
    const operator = new pg.Client({ connectionString: direct.href });
    await operator.connect();
    onTestFinished(() => operator.end());
    const pokeDatabaseUrl = Object.assign(new URL(direct), { pathname: `/${name}` }).href;
    const { api, stream, client, readiness, pokesTold } = await openTwo(100, { pokeDatabaseUrl });
    await stream.next();
    expect(await readiness()).toEqual({ status: 'ready', pokes: 'poll' });
    await api.createMap();
    expect(await stream.next()).toBe((await client.pull()).body.cursor);
    await operator.query(`CREATE DATABASE ${name}`);
    await expect.poll(readiness).toEqual({ status: 'ready', pokes: 'listen' });
    const heard = async () => (await pokesTold()).some((line) => /path="listen"} [1-9]/.test(line));
    await expect
      .poll(async () => {
        await api.createMap();
        return heard();
      })
      .toBe(true);
    expect((await pokesTold()).find((line) => line.startsWith('gemba_poke_seconds_count'))).not.toMatch(/ 0$/);
  });

  test('[PG-15] what is committed while nobody listens is told by the slow poll', async () => {
    const { databaseUrl, api, stream, client } = await openTwo(200);
    await stream.next();
    const operator = new pg.Client({ connectionString: databaseUrl });
    await operator.connect();
    for (let count = 0; count < 5; count++) {
      const { rowCount } = await operator.query(`
        SELECT pg_terminate_backend(pid) FROM pg_stat_activity
         WHERE datname = current_database() AND application_name = 'gemba pokes'`);
      // In later rounds the connections may not be back yet.
      if (count === 0) expect(rowCount).toBe(2);
      await api.createMap();
      expect(await stream.next()).toBe((await client.pull()).body.cursor);
    }
    await operator.end();
  });

  test('[PG-5] processes that start together migrate a new database once', async () => {
    const databaseUrl = await postgres!.createDatabase();
    const servers = await Promise.all([1, 2, 3].map(() => startServerOn(databaseUrl)));
    const api = await createAccountOn(servers[0]!.url);
    const pulls = await Promise.all(servers.map(({ url }) => new SyncClient(new Api({ ...api, url })).pull()));
    expect(pulls.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(new Set(pulls.map(({ body }) => body.epoch)).size).toBe(1);
  });
});

describe.skipIf(!postgresAtHand() || !findPostgres())('when the PostgreSQL of a server goes down', () => {
  test('[PG-6] [PG-16] [PG-17] [PG-18] it answers 503, and goes on without a restart of its own', async () => {
    const cluster = await startCluster();
    onTestFinished(() => cluster.stop());
    const server = await startServerOn(cluster.url);
    const api = await createAccountOn(server.url);
    const client = new SyncClient(api);
    const stream = await openEventReader(api);
    await stream.next();
    const { id } = await api.createMap();

    // These uploads are under way when the database goes away.
    const sessions = Array.from({ length: 40 }, (_, index) => `session-${index + 1}`);
    const upload = (recording_session_id: string) =>
      api.post(`/api/v1/maps/${id}/recording`, { recording_session_id, steps: steps('A') });
    const underWay = sessions.map(upload);
    await Promise.any(underWay);
    await cluster.halt('immediate');
    const answers = await Promise.all(underWay);
    const lost = answers.filter(({ status }) => status !== 200);
    expect(answers.length - lost.length).toBeGreaterThan(0);
    const after = [await api.post('/api/v1/maps', { name: 'Away' }), await client.pull(), await client.push([])];
    for (const refused of [...lost, ...after]) {
      expectProblem(refused, 503, 'unavailable');
      expect(Number(refused.headers.get('Retry-After'))).toBeGreaterThan(0);
    }
    expect((await fetch(`${server.url}/readyz`)).status).toBe(503);

    await cluster.start();
    expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
    for (const [index, { status, body }] of answers.entries()) {
      if (status !== 200) continue;
      const again = await upload(sessions[index]!);
      expect(again.body.run).toEqual(body.run);
    }
    for (const session of sessions) expect((await upload(session)).status).toBe(200);
    const { changes } = await pullAll(client, { kinds: 'run' });
    expect(changes.map(({ doc }) => doc.recording_session_id).toSorted()).toEqual(sessions.toSorted());
    expect(changes.map(({ doc }) => doc.number).toSorted((a, b) => a - b)).toEqual(
      sessions.map((_, index) => index + 1),
    );
    // The stream outlived the outage and sends the last change.
    const { cursor } = (await client.pull()).body;
    for (let told = ''; told !== cursor;) told = await stream.next();
    server.child.kill('SIGTERM');
    expect(await server.ended).toBe(0);
  });
});
