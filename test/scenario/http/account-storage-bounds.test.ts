/** Bounds of what an account may store, on servers whose bounds are low enough to be reached. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { openServer, type RunningServer } from '../../../server/app.ts';
import { accountLimitsDefault, type AccountLimits } from '../../../server/store/account-limits.ts';
import { postgresAtHand, startPostgres, type TestPostgres } from '../../postgres.ts';
import { expectProblem, newApi, steps, temporaryFolder } from '../../contract/fixture.ts';
import { deviceMadeIdMin } from '../../../shared/schema/limits.ts';
import { pairedDevice } from '../../contract/pairing.ts';
import { SyncClient } from '../../contract/sync-client.ts';

const idempotencyHeader = (name: string) => ({ 'Idempotency-Key': name });
const hourMs = 3_600_000;

function boundsContract(database: () => Promise<{ databaseUrl?: string }>): void {
  let aheadMs = 0;
  const open = async (accountLimits: Partial<AccountLimits>): Promise<RunningServer> => {
    const { dataDir, remove } = temporaryFolder();
    const clock = () => Date.now() + aheadMs;
    const server = await openServer({
      dataDir,
      ...(await database()),
      port: 0,
      host: '127.0.0.1',
      accountLimits,
      clock,
    });
    onTestFinished(async () => {
      aheadMs = 0;
      await server.close();
      remove();
    });
    return server;
  };
  const brokenPush = (count: number) => Array.from({ length: count }, () => ({}));
  const refusals = (server: RunningServer) => server.services.metrics.text();

  test('[MUTATE-10] [MUTATE-25] [MUTATE-26] an account that stores as much as its plan allows makes nothing new until something is deleted, and a recording stays on its device', async () => {
    const server = await open({ storedBytesMax: { free: 4_000, team: 1_000_000 } });
    const api = await newApi(server, 'free');
    const { id } = await api.createMap();
    const long = { recording_session_id: 'long', steps: steps('x'.repeat(200), 'y'.repeat(200), 'z'.repeat(200)) };
    const { run } = await api.record(id, long);
    while ((await api.post(`/api/v1/maps/${id}/recording`, { steps: steps('Cut', 'Weld', 'Saw') })).status === 200);
    for (const refused of [
      await api.post('/api/v1/maps', { name: 'More' }),
      await api.post(`/api/v1/maps/${id}/stages`, { stage: 'More' }),
      await api.post(`/api/v1/maps/${id}/recording`, { steps: steps('More') }),
      await api.post('/api/v1/recording/new', { name: 'More', steps: steps('More') }),
    ]) {
      expectProblem(refused, 403, 'storage_limit_reached');
      expect(refused.body).toMatchObject({ limit_bytes: 4_000, plan: 'free' });
    }
    const client = new SyncClient(api);
    const upload = { map_id: id, recording_session_id: 'pushed', steps: steps('More') };
    expect(await client.apply('upload_recording', upload)).toMatchObject({ error: { code: 'storage_limit_reached' } });
    // Records that exist can still be replayed, changed and deleted.
    expect((await api.post(`/api/v1/maps/${id}/recording`, long)).headers.get('Idempotency-Replayed')).toBe('true');
    expect((await api.patch(`/api/v1/maps/${id}`, { name: 'Other' })).status).toBe(200);
    expect((await api.post(`/api/v1/runs/${run.id}/delete`)).status).toBe(200);
    expect(await client.apply('upload_recording', upload)).toMatchObject({ status: 'applied' });
    expect(await refusals(server)).toMatch(/gemba_account_bounds_reached_total\{code="storage_limit_reached"\} 5\n/);
  });

  test('[MUTATE-42] [MUTATE-43] what remains of deleted runs, and the stage ids that devices made, fill the account in the end', async () => {
    const server = await open({ storedBytesMax: { free: 6_000, team: 6_000 } });
    const deleted = await newApi(server, 'free');
    const { id } = await deleted.createMap();
    const record = () => deleted.post(`/api/v1/maps/${id}/recording`, { steps: steps('Cut') });
    let runs = 0;
    for (let answer = await record(); answer.status === 200; answer = await record(), runs++) {
      expect((await deleted.post(`/api/v1/runs/${answer.body.run.id}/delete`)).status).toBe(200);
      expect(runs).toBeLessThan(12);
    }
    expect(runs).toBeGreaterThan(6);

    const replaced = await newApi(server, 'team');
    const client = new SyncClient(replaced);
    const map = await replaced.createMap();
    const ids = Array.from({ length: 200 }, (_, index) => deviceMadeIdMin + index);
    const replace = (stage_ids: number[]) =>
      client.apply('replace_stages', { map_id: map.id, stages: stage_ids.map(() => ({ stage: 'A' })), stage_ids });
    let answer: { status: string; error?: { code: string } } = await replace([ids.pop()!]);
    while (answer.status === 'applied' && ids.length > 100) answer = await replace([ids.pop()!]);
    expect(answer).toMatchObject({ error: { code: 'storage_limit_reached' } });
    expect(ids.length).toBeGreaterThan(150);
  });

  test('[MUTATE-11] [MUTATE-27] a device pushes under a bounded number of clients, and one more takes no place in the store', async () => {
    const server = await open({ clientsPerDeviceMax: 3, clientsPerAccountMax: 5 });
    const api = await newApi(server);
    const [watch, other] = [await pairedDevice(server, api), await pairedDevice(server, api)];
    const clients = Array.from({ length: 4 }, () => new SyncClient(watch));
    const pushed = [];
    for (const client of clients) pushed.push(await client.push(brokenPush(1)));
    expect(pushed.map(({ status }) => status)).toEqual([200, 200, 200, 409]);
    expectProblem(pushed[3]!, 409, 'client_limit_reached');
    expect(pushed[3]!.body.limit).toBe(3);
    // Known clients go on, and other devices may join until the account has its maximum of clients.
    expect((await clients[0]!.push(brokenPush(1))).body).toMatchObject({ last_seq: 2 });
    const others = Array.from({ length: 3 }, () => new SyncClient(other));
    const statuses = [];
    for (const client of others) statuses.push((await client.push(brokenPush(1))).status);
    expect(statuses).toEqual([200, 200, 409]);
  });

  test('[MUTATE-41] a device that takes other clients for years reaches no limit, and its first client goes on', async () => {
    const server = await open({ clientsPerDeviceMax: 3, clientsPerAccountMax: 3 });
    const watch = await pairedDevice(server, await newApi(server));
    const clients = Array.from({ length: 9 }, () => new SyncClient(watch));
    const statuses = [];
    for (const [index, client] of clients.entries()) {
      aheadMs = index * 11 * 24 * hourMs;
      statuses.push((await client.push(brokenPush(1))).status);
    }
    expect(new Set(statuses)).toEqual(new Set([200]));
    expectProblem(await new SyncClient(watch).push(brokenPush(1)), 409, 'client_limit_reached');
    expect((await clients[0]!.push(brokenPush(1))).body).toMatchObject({ last_seq: 2 });
  });

  test('[MUTATE-12] [PUSH-36] [MUTATE-28] a device leaves a bounded number of rejections unacknowledged, under however many clients, and keeps no other device from pushing', async () => {
    const server = await open({ rejectionsPerDeviceMax: 100, rejectionsPerAccountMax: 100 });
    const api = await newApi(server);
    const [watch, phone] = [await pairedDevice(server, api), await pairedDevice(server, api, { kind: 'phone' })];
    const attacker = new SyncClient(watch);
    expect((await attacker.push(brokenPush(150))).body).toMatchObject({ last_seq: 150 });
    for (const client of [attacker, new SyncClient(watch), new SyncClient(watch)]) {
      expectProblem(await client.push(brokenPush(1)), 409, 'acknowledge_first');
    }
    const bystander = new SyncClient(phone);
    expect(await bystander.apply('create_map', { name: 'Mine' })).toMatchObject({ status: 'applied' });
    expect((await bystander.push(brokenPush(1))).status).toBe(200);
    expectProblem(await bystander.push(brokenPush(1)), 409, 'acknowledge_first');
    expect((await attacker.push(brokenPush(1), { acked: 150 })).body).toMatchObject({ last_seq: 151 });
  });

  test('[MUTATE-23] [MUTATE-31] a device leaves a bounded number of answers unacknowledged, applied ones too, and a refused push leaves no client', async () => {
    const server = await open({ answersPerDeviceMax: 300, answersPerAccountMax: 300, clientsPerDeviceMax: 3 });
    const api = await newApi(server);
    const [watch, phone] = [await pairedDevice(server, api), await pairedDevice(server, api, { kind: 'phone' })];
    const { id: map_id } = await api.createMap();
    const pusher = new SyncClient(phone);
    const changes = (count: number) => Array.from({ length: count }, () => pusher.next('update_map', { map_id }));
    expect((await pusher.push(changes(250))).body).toMatchObject({ last_seq: 250 });
    expect((await pusher.push(changes(100))).body).toMatchObject({ last_seq: 350 });
    const one = changes(1);
    const refused = await pusher.push(one);
    expectProblem(refused, 409, 'acknowledge_first');
    expect(refused.body.unacknowledged).toBe(350);
    const bystander = new SyncClient(watch);
    expect((await bystander.push(brokenPush(150))).status).toBe(200);
    expectProblem(await bystander.push(brokenPush(1)), 409, 'acknowledge_first');
    const newOne = new SyncClient(phone);
    expectProblem(await newOne.push(brokenPush(1)), 409, 'acknowledge_first');
    expect((await pusher.push(one, { acked: 350 })).body).toMatchObject({ last_seq: 351 });
    expect(await new SyncClient(watch).push(brokenPush(1))).toMatchObject({ status: 200 });

    expect((await newOne.push([])).status).toBe(200);
    const ahead = new SyncClient(phone);
    expectProblem(await ahead.push([{ seq: 7 }]), 409, 'sequence_gap');
    for (const { id } of [newOne, ahead]) expect(await server.store.clientOwner(id)).toBeUndefined();
    expect(await server.store.clientOwner(pusher.id)).toMatchObject({ deviceId: phone.id });
  });

  test('[MUTATE-13] [REST-85] [MUTATE-29] [MUTATE-30] an account remembers a bounded number of idempotency keys, none of the last 72 hours is forgotten for another, and a comparison takes none', async () => {
    const server = await open({ idempotencyKeysMax: 3 });
    const api = await newApi(server);
    const { id } = await api.createMap();
    const { run } = await api.record(id);
    const reader = (await api.post('/api/v1/keys', { scopes: ['read'] })).body.api_key;
    const compare = (name: string) =>
      api.post(
        '/api/v1/runs/compare',
        { run_ids: [run.id] },
        { ...idempotencyHeader(name), Authorization: `Bearer ${reader}` },
      );
    for (const name of ['shift', '1', '2', '3', '4']) expect((await compare(name)).status).toBe(200);
    expect((await compare('shift')).headers.get('Idempotency-Replayed')).toBeNull();
    const make = (name: string) => api.post('/api/v1/maps', { name }, idempotencyHeader(name));
    const made = [await make('shift'), await make('second'), await make('third'), await make('fourth')];
    expect(made.map(({ status }) => status)).toEqual([201, 201, 201, 429]);
    expectProblem(made[3]!, 429, 'idempotency_limit_reached');
    expect(Number(made[3]!.headers.get('Retry-After'))).toBeGreaterThan(71 * 3_600);
    expect((await make('shift')).headers.get('Idempotency-Replayed')).toBe('true');
    expect((await api.post('/api/v1/maps', { name: 'Without' })).status).toBe(201);
    expect((await api.get('/api/v1/maps')).body.data).toHaveLength(5);
    aheadMs = 73 * hourMs;
    expect((await make('fourth')).status).toBe(201);
  });

  test('[MUTATE-38] an account remembers a bounded number of bytes under its idempotency keys', async () => {
    const api = await newApi(await open({ idempotencyBytesMax: 1_000 }));
    const make = (name: string) => api.post('/api/v1/maps', { name }, idempotencyHeader(name));
    expect((await make('first')).status).toBe(201);
    let refused = await make('0');
    for (let count = 1; count < 10 && refused.status === 201; count++) refused = await make(String(count));
    expectProblem(refused, 429, 'idempotency_limit_reached');
    expect((await make('first')).headers.get('Idempotency-Replayed')).toBe('true');
  });

  test('[MUTATE-14] [MUTATE-39] a clock that is a week ahead for one request forgets no idempotency key', async () => {
    const server = await open({});
    const api = await newApi(server);
    const make = (name: string) => api.post('/api/v1/maps', { name }, idempotencyHeader(name));
    const first = await make('first');
    aheadMs = 8 * 24 * hourMs;
    expect((await make('ahead')).status).toBe(201);
    aheadMs = 0;
    expect((await make('after')).status).toBe(201);
    const again = await make('first');
    expect([again.body.id, again.headers.get('Idempotency-Replayed')]).toEqual([first.body.id, 'true']);
    expect((await api.get('/api/v1/maps')).body.data).toHaveLength(3);
    // Old idempotency keys are deleted as time passes.
    for (const days of [2, 4, 6, 8, 10]) {
      aheadMs = days * 24 * hourMs;
      if (days <= 6) expect((await make('first')).body.id).toBe(first.body.id);
      await make(`day ${days} ${randomUUID()}`);
    }
    expect((await make('first')).body.id).not.toBe(first.body.id);
  });
}

test('[MUTATE-10] [MUTATE-11] [MUTATE-13] [MUTATE-23] [MUTATE-38] [PUSH-17] [PUSH-36] [PHOTO-18] the bounds are those that are promised', () => {
  const mebibyte = 1024 * 1024;
  expect(accountLimitsDefault).toEqual({
    storedBytesMax: { free: 256 * mebibyte, team: 16 * 1024 * mebibyte },
    photoBytesMax: { free: 2 * 1024 * mebibyte, team: 50 * 1024 * mebibyte },
    idempotencyKeysMax: 200_000,
    idempotencyBytesMax: 256 * mebibyte,
    clientsPerDeviceMax: 1_000,
    clientsPerAccountMax: 20_000,
    rejectionsPerDeviceMax: 10_000,
    rejectionsPerAccountMax: 50_000,
    answersPerDeviceMax: 200_000,
    answersPerAccountMax: 500_000,
  });
});

describe('on SQLite', () => {
  boundsContract(async () => ({}));
});

describe.skipIf(!postgresAtHand())('on a real PostgreSQL', () => {
  let postgres: TestPostgres | undefined;
  beforeAll(async () => void (postgres = await startPostgres()));
  afterAll(() => postgres?.stop());
  boundsContract(async () => ({ databaseUrl: await postgres!.createDatabase() }));
});
