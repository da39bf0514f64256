/** The embedded database is moved to PostgreSQL, and keys and devices go on there. */
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { openServer, type RunningServer } from '../../../server/app.ts';
import { openSqliteStore } from '../../../server/store/sqlite/sqlite-store.ts';
import { emptyBillingRow } from '../../../server/store/billing/billing-row.ts';
import { movedTableNames, moveStore } from '../../../server/store/move/move-store.ts';
import { closeServer } from '../../contract/close-server.ts';
import { newApi, steps, type Api, type Received } from '../../contract/fixture.ts';
import { createKeyOfPhone, newCode, pair, pairedDevice } from '../../contract/pairing.ts';
import { write } from '../../contract/store/records.ts';
import { pullAll, SyncClient, protocol } from '../../contract/sync-client.ts';
import { Endpoint, isSignedWith } from '../../endpoint.ts';
import { postgresAtHand, startPostgres, type TestPostgres } from '../../postgres.ts';
import { programArgs } from '../../programs.ts';
import { runCommand } from './command.ts';
import { databaseFolders, open, webhooksOnLoopback } from './database-folders.ts';

describe.skipIf(!postgresAtHand())('a move to a real PostgreSQL', () => {
  let postgres: TestPostgres | undefined;
  beforeAll(async () => void (postgres = await startPostgres()));
  afterAll(() => postgres?.stop());

  const openOn = (databaseUrl: string, dataDir: string) =>
    openServer({ dataDir, databaseUrl, port: 0, host: '127.0.0.1', ...webhooksOnLoopback });

  async function connect(url: string) {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    onTestFinished(() => client.end());
    const count = async (table: string) =>
      Number((await client.query<{ count: string }>(`SELECT count(*) FROM ${table}`)).rows[0]!.count);
    const filled = async () => {
      const counts = await Promise.all(movedTableNames.map(async (table) => [table, await count(table)] as const));
      return counts.filter(([, rows]) => rows > 0).map(([table]) => table);
    };
    return { client, count, filled };
  }

  /** Adds a photo to the only account, as another process on the same folder. */
  async function addPhoto(dataDir: string) {
    const store = await openSqliteStore({ dataDir });
    const accountId = (await store.onlyAccountId())!;
    const photo = { id: 'ab'.repeat(32), content_type: 'image/jpeg' as const, bytes: 9, width: 3, height: 2 };
    const limit = { bytesMax: 100_000, now: '2026-04-01T09:30:00.123Z' };
    await store.addPhoto(accountId, { ...photo, thumbnail: 'dGh1bWI=' }, limit);
    await store.close();
  }

  /** Makes the only account a customer, as another process on the same folder. */
  async function addCustomer(dataDir: string) {
    const store = await openSqliteStore({ dataDir });
    const accountId = (await store.onlyAccountId())!;
    await store.claimCustomer('cus_1', accountId);
    await write(store, accountId, () => ({ billing: { ...emptyBillingRow, customer_id: 'cus_1', revision: 1 } }));
    await store.close();
  }

  /** Makes an endpoint that got one event. */
  async function makeWebhook(api: Api) {
    const endpoint = await Endpoint.open();
    onTestFinished(() => endpoint.close());
    const { body } = await api.post('/api/v1/webhooks', { url: endpoint.url });
    await api.createMap({ name: 'Told' });
    const path = `/api/v1/webhooks/${body.webhook.id}`;
    await expect.poll(async () => (await api.get(`${path}/deliveries`)).body.data.length).toBe(1);
    return { endpoint, path, secret: body.secret as string };
  }

  /** Makes rows in each table. */
  async function makeWork(server: RunningServer, dataDir: string) {
    const api = await newApi(server);
    // Only an account that was restored stores what it applied.
    await server.store.renewEpoch();
    const { id } = await api.createMap({ name: 'Größe „x“ \\ "y" \u2028 🙂' });
    await api.post('/api/v1/maps', { name: 'Once' }, { 'Idempotency-Key': randomUUID() });
    const photos = [`sha256:${'ab'.repeat(32)}`];
    for (let count = 0; count < 3; count++) {
      await api.record(id, { steps: steps('Cut', `Glue ${count}`).map((step) => ({ ...step, photos })) });
    }
    const { run } = await api.record(id);
    expect((await api.post(`/api/v1/runs/${run.id}/delete`)).status).toBe(200);
    await createKeyOfPhone(server, api);
    const device = await pairedDevice(server, api, { kind: 'phone' });
    const client = new SyncClient(device);
    const sent = [
      client.next('upload_recording', { map_id: id, recording_session_id: 'a', steps: steps('Cut') }),
      client.next('upload_recording', { map_id: randomUUID(), recording_session_id: 'b', steps: steps('Cut') }),
      client.next('add_stage', { map_id: id, stage: 'Clamp', stage_id: 2 ** 41 }),
    ];
    const answers = (await client.push(sent)).body.results;
    await device.get('/api/v1/sync/pull', { ...protocol, 'Gemba-Device': 'pending=0, attention=0' });
    const reported = async () =>
      (await api.get('/api/v1/devices')).body.data.some(({ status }: Received['body']) => status);
    await expect.poll(reported).toBe(true);
    await newCode(api);
    expect((await pair(server, { code: 'AAAA-AAAA' })).status).toBeGreaterThanOrEqual(400);
    await addPhoto(dataDir);
    await addCustomer(dataDir);
    const webhook = await makeWebhook(api);
    const { changes, cursor } = await pullAll(client);
    return { api, device, client, sent, answers, changes, cursor, mapId: id, webhook };
  }

  test('[MOVE-1] [MOVE-2] [HOOK-18] keys, devices and webhooks go on, and each table has its rows', async () => {
    const { live, root } = databaseFolders();
    const url = await postgres!.createDatabase();
    const before = await open(live);
    const { api, device, client, sent, answers, changes, cursor, mapId, webhook } = await makeWork(before, live);
    const epoch = await before.store.epoch();
    await closeServer(before, live);

    const moved = await move(live, url);
    expect(moved).toEqual({ exitCode: 0, printed: expect.stringContaining(`Moved ${live} to PostgreSQL`) });
    for (const table of movedTableNames)
      expect(moved.printed).toMatch(new RegExp(`^${table} +\\d+ rows {2}sha256 [0-9a-f]{64}$`, 'm'));
    const { filled, count } = await connect(url);
    expect(await filled()).toEqual(movedTableNames);
    expect(moved.printed).toMatch(new RegExp(`^runs +${await count('runs')} rows`, 'm'));

    const after = await openOn(url, root);
    onTestFinished(() => after.close());
    expect(await after.store.epoch()).toBe(epoch);
    const moving: Api = device.at(after);
    const again = new SyncClient(moving);
    expect((await again.pull({ cursor })).body).toMatchObject({ changes: [], cursor });
    expect((await pullAll(again)).changes).toEqual(changes);
    expect((await client.push(sent, { api: moving })).body.results).toEqual(answers);
    const next = client.next('upload_recording', { map_id: mapId, recording_session_id: 'c', steps: steps('Cut') });
    expect((await client.push([next], { api: moving })).body.results).toMatchObject([{ seq: 4, status: 'applied' }]);
    expect((await api.at(after).get(`/api/v1/maps/${mapId}`)).body.run_count).toBe(5);
    const { endpoint, path, secret } = webhook;
    expect((await api.at(after).post(`${path}/test`, {})).body).toMatchObject({ delivered: true });
    expect(isSignedWith(secret, endpoint.posted.at(-1)!)).toBe(true);
  });

  test('[MOVE-3] a database that a server has open is not moved', async () => {
    const { live } = databaseFolders();
    const server = await open(live);
    const url = await postgres!.createDatabase();
    expect(await move(live, url)).toEqual({
      exitCode: 1,
      printed: expect.stringMatching(/^gemba: nothing was moved: a server has .* open .*stop it first\n$/),
    });
    await closeServer(server, live);
  });

  test('[MOVE-4] a move that is killed in the middle leaves the one as it was and the other empty, and can run again', async () => {
    const { live } = databaseFolders();
    const server = await open(live);
    const { device, changes } = await makeWork(server, live);
    await closeServer(server, live);
    const url = await postgres!.createDatabase();
    await (await openOn(url, live)).close();

    const { client, filled } = await connect(url);
    // The move waits for this lock in the middle of its tables.
    await client.query('BEGIN');
    await client.query('LOCK TABLE push_answers IN SHARE MODE');
    const env = { PATH: process.env['PATH'], DATA_DIR: live, DATABASE_URL: url };
    const child = spawn(process.execPath, programArgs('server/cli/move'), { env, stdio: 'ignore' });
    const ended = once(child, 'exit');
    const { client: watcher } = await connect(url);
    const rows = async (condition: string) =>
      (
        await watcher.query(
          `SELECT 1 FROM pg_stat_activity WHERE application_name = 'gemba move' AND datname = current_database() AND ${condition}`,
        )
      ).rows.length;
    while ((await rows("wait_event_type = 'Lock'")) === 0) await sleep(pollMs);
    child.kill('SIGKILL');
    await ended;
    await client.query('ROLLBACK');
    while ((await rows('true')) > 0) await sleep(pollMs);

    expect(await filled()).toEqual([]);
    const again = await open(live);
    expect((await pullAll(new SyncClient(device.at(again)))).changes).toEqual(changes);
    await closeServer(again, live);
    expect(await move(live, url)).toMatchObject({ exitCode: 0 });
    expect(await filled()).toEqual(movedTableNames);
  });

  test('[MOVE-5] only an empty database is moved into, and a move that is there already says so', async () => {
    const { live, root } = databaseFolders();
    const server = await open(live);
    await makeWork(server, live);
    await closeServer(server, live);
    const url = await postgres!.createDatabase();
    expect((await move(live, url)).printed).toContain('Moved ');
    const already = await move(live, url);
    expect(already).toEqual({ exitCode: 0, printed: expect.stringContaining('is in PostgreSQL already') });
    const after = await openOn(url, root);
    await newApi(after);
    await after.close();
    expect(await move(live, url)).toEqual({
      exitCode: 1,
      printed: expect.stringMatching(
        /^gemba: nothing was moved: .* not empty: accounts has rows; move into a new one\n$/,
      ),
    });
  });

  test.each([
    ['a changed value', 'NEW.bytes := NEW.bytes + 1; RETURN NEW;', /^row 1 of runs differs in bytes$/],
    ['a lost row', 'RETURN NULL;', /^runs has fewer rows/],
  ])('[MOVE-6] %s is noticed, and nothing is moved', async (_, body, problem) => {
    const { live } = databaseFolders();
    const server = await open(live);
    await makeWork(server, live);
    await closeServer(server, live);
    const url = await postgres!.createDatabase();
    await (await openOn(url, live)).close();
    const { client, filled } = await connect(url);
    await client.query(`CREATE FUNCTION spoil() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ${body} END $$`);
    await client.query('CREATE TRIGGER spoil BEFORE INSERT ON runs FOR EACH ROW EXECUTE FUNCTION spoil()');
    expect(await moveStore({ dataDir: live, url })).toEqual({ ok: false, problem: expect.stringMatching(problem) });
    expect(await filled()).toEqual([]);
  });
});

const move = (dataDir: string, url: string) => runCommand('move', [], { DATA_DIR: dataDir, DATABASE_URL: url });

const pollMs = 20;
