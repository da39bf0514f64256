import { expect, test } from 'vitest';
import { makeTokenText } from '../../../server/auth/token.ts';
import { sha256 } from '../../../server/core/hash.ts';
import type { RunningServer } from '../../../server/app.ts';
import type { Scope } from '../../../shared/schema/account.ts';
import {
  adminToken,
  Api,
  expectProblem,
  expectWrongFields,
  newApi,
  steps,
  unknownMapId,
  type GetServers,
} from '../fixture.ts';

/** Makes a token with these scopes, of the device if one is named. */
export async function createToken(
  server: RunningServer,
  account: Api,
  given: { scopes: Scope[]; deviceId?: string; revoked?: boolean },
): Promise<Api> {
  const key = makeTokenText(given.deviceId ? 'gd_' : 'gk_', account.accountId, server.world);
  await server.store.createToken({
    account_id: account.accountId,
    token_hash: sha256(key),
    id: crypto.randomUUID(),
    kind: given.deviceId ? 'device' : 'key',
    name: 'Test',
    scopes: given.scopes,
    device_id: given.deviceId ?? null,
    last_four: key.slice(-4),
    created_at: new Date().toISOString(),
    created_by: null,
    revoked_at: given.revoked ? new Date().toISOString() : null,
  });
  return new Api({ url: server.url, key, accountId: account.accountId });
}

export function authContract(servers: GetServers): void {
  test('[AUTH-1] a request without a valid token is 401 and names the scheme', async () => {
    const { first } = servers();
    const api = await newApi(first);
    const revoked = await createToken(first, api, { scopes: ['read'], revoked: true });
    const forged = makeTokenText('gk_', api.accountId, first.world);
    const tokens = [`Bearer ${forged}`, `Bearer ${revoked.key}`, 'Bearer x', `Basic ${api.key}`, 'Bearer', ''];
    for (const Authorization of tokens) {
      const refused = await api.get('/api/v1/maps', { Authorization });
      expectProblem(refused, 401, 'unauthorized');
      expect(refused.headers.get('WWW-Authenticate')).toBe('Bearer');
    }
    expect((await api.get('/api/v1/maps', { Authorization: `bearer ${api.key}` })).status).toBe(200);
  });

  test('[AUTH-2] a token without the scope of a route is 403', async () => {
    const { first } = servers();
    const api = await newApi(first);
    const reader = await createToken(first, api, { scopes: ['read'] });
    const recorder = await createToken(first, api, { scopes: ['record'] });
    const map = await api.createMap();
    expect((await reader.get('/api/v1/maps')).status).toBe(200);
    expectProblem(await reader.post('/api/v1/maps', { name: 'X' }), 403, 'forbidden');
    expectProblem(await reader.post(`/api/v1/maps/${map.id}/recording`, { steps: steps('A') }), 403, 'forbidden');
    expectProblem(await recorder.get('/api/v1/maps'), 403, 'forbidden');
    expectProblem(await recorder.patch(`/api/v1/maps/${map.id}`, { name: 'X' }), 403, 'forbidden');
    expect((await recorder.post(`/api/v1/maps/${map.id}/recording`, { steps: steps('A') })).status).toBe(200);
  });

  test('[AUTH-3] another account finds none of its records, whatever it tries', async () => {
    const { first } = servers();
    const [owner, stranger] = [await newApi(first), await newApi(first)];
    const map = await owner.createMap();
    const { run } = await owner.record(map.id);
    const stage = (await owner.get(`/api/v1/maps/${map.id}/stages`)).body.data[0];
    const path = `/api/v1/maps/${map.id}`;
    for (const refused of [
      await stranger.get(path),
      await stranger.patch(path, { name: 'Mine' }),
      await stranger.post(`${path}/delete`),
      await stranger.post(`${path}/restore`),
      await stranger.get(`${path}/stages`),
      await stranger.get(`${path}/runs`),
      await stranger.post(`${path}/stages`, { stage: 'X' }),
      await stranger.patch(`${path}/stages/${stage.id}`, { stage: 'X' }),
      await stranger.post(`${path}/stages/reorder`, { stage_ids: [stage.id] }),
      await stranger.post(`${path}/recording`, { steps: steps('X') }),
    ]) {
      expectProblem(refused, 404, 'map_not_found');
    }
    expectProblem(await stranger.get(`/api/v1/runs/${run.id}`), 404, 'run_not_found');
    expectProblem(await stranger.post(`/api/v1/runs/${run.id}/delete`), 404, 'run_not_found');
    expectProblem(await stranger.post('/api/v1/runs/compare', { run_ids: [run.id] }), 404, 'run_not_found');
    expect((await stranger.get('/api/v1/maps')).body.data).toEqual([]);
    // A foreign record gets the same answer as a record that never existed.
    const missing = await stranger.get(`/api/v1/maps/${unknownMapId}`);
    const foreign = await stranger.get(path);
    expect(foreign.body.detail.replace(map.id, '')).toBe(missing.body.detail.replace(unknownMapId, ''));
  });

  test('[AUTH-4] the operator makes and changes accounts', async () => {
    const { first } = servers();
    const operator = new Api({ url: first.url, key: adminToken, accountId: '' });
    const made = await operator.post('/api/v1/admin/accounts', { name: ' Shop ', plan: 'free', seats: 3 });
    expect(made.status).toBe(201);
    const { account, api_key } = made.body;
    expect(account).toMatchObject({ name: 'Shop', plan: 'free', additional_seats: 3 });
    const api = new Api({ url: first.url, key: api_key, accountId: account.id });
    expect((await api.post('/api/v1/maps', { name: 'A' })).status).toBe(201);
    const path = `/api/v1/admin/accounts/${account.id}`;
    const changed = await operator.patch(path, { plan: 'team', additional_seats: 5 });
    expect(changed).toMatchObject({
      status: 200,
      body: { account: { name: 'Shop', plan: 'team', additional_seats: 5 } },
    });
    expectProblem(await operator.patch(`/api/v1/admin/accounts/${unknownMapId}`, {}), 404, 'not_found');
    const wrong = await operator.post('/api/v1/admin/accounts', { name: '', plan: 'gold', seats: -1, seat: 1 });
    expectWrongFields(wrong, ['/name', '/plan', '/seats', '/seat']);
    expectWrongFields(await operator.patch(path, { seats: 1 }), ['/seats']);
  });

  test("[AUTH-5] an account's key is not the operator's token", async () => {
    const { first } = servers();
    const api = await newApi(first);
    expectProblem(await api.post('/api/v1/admin/accounts', { name: 'X', plan: 'free' }), 401, 'unauthorized');
    const operator = new Api({ url: first.url, key: adminToken, accountId: '' });
    expectProblem(await operator.get('/api/v1/maps'), 401, 'unauthorized');
  });
}
