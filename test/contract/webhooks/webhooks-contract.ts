import { expect, test } from 'vitest';
import { isSignedWith } from '../../endpoint.ts';
import { Api, expectProblem, expectWrongFields, newApi, type GetServers } from '../fixture.ts';
import { readAll } from '../account-events.ts';
import { pairedDevice } from '../pairing.ts';
import { createWebhook, openEndpoint, webhooksPath as path } from './webhook-client.ts';

export function webhooksContract(servers: GetServers): void {
  test('[HOOK-1] [HOOK-3] an endpoint gets the events from its making on, in order, signed with the secret shown once', async () => {
    const { first, second } = servers();
    const api = await newApi(first);
    await api.createMap({ name: 'Before' });
    const endpoint = await openEndpoint();
    const idempotent = { 'Idempotency-Key': 'make-it' };
    const created = await api.post(path, { url: endpoint.url, description: 'ERP' }, idempotent);
    expect([created.status, created.headers.get('cache-control')]).toEqual([201, 'no-store']);
    const { webhook, secret } = created.body;
    expect(webhook).toMatchObject({
      url: endpoint.url,
      types: null,
      description: 'ERP',
      status: 'active',
      lag_secs: 0,
    });
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect((await api.at(second).post(path, { url: endpoint.url, description: 'ERP' }, idempotent)).body).toEqual(
      created.body,
    );
    const map = await api.createMap({ name: 'Paint' });
    await api.at(second).record(map.id);
    await expect.poll(() => endpoint.posted.length).toBe(3);
    const events = await readAll(api, { include: 'subject' });
    expect(endpoint.posted.map(({ body }) => JSON.parse(body))).toMatchObject(
      events
        .slice(1)
        .map(({ type, created_at, id, version }) => ({ type, timestamp: created_at, data: { id, version } })),
    );
    expect(endpoint.ids()).toEqual(events.slice(1).map(({ id }) => id));
    expect(endpoint.posted.map((posted) => isSignedWith(secret, posted))).toEqual([true, true, true]);
    expect(isSignedWith('whsec_AAAA', endpoint.posted[0]!)).toBe(false);
    const read = await api.get(`${path}/${webhook.id}`);
    await expect.poll(async () => (await api.get(`${path}/${webhook.id}`)).body.last_success_at).not.toBeNull();
    expect((await api.get(path)).body.data.map(({ id }: { id: string }) => id)).toEqual([webhook.id]);
    expect(read.text).not.toContain('whsec_');
  });

  test('[HOOK-1] [HOOK-9] an account has at most 20 endpoints, and a URL that is not allowed is refused with its reason', async () => {
    const api = await newApi(servers().first);
    for (const [url, reason] of [
      ['hooks.example.com', 'is not a URL'],
      ['ftp://hooks.example.com', 'must begin with https:'],
      ['https://me:pw@hooks.example.com', 'must have no user name and no password'],
      ['https://169.254.169.254/latest', 'names an address that is not public'],
    ]) {
      const refused = await api.post(path, { url });
      expectProblem(refused, 422, 'webhook_url_refused');
      expect(refused.body.detail).toBe(`The URL ${reason}.`);
    }
    expectWrongFields(await api.post(path, { url: 'https://a.example', types: ['map.made'] }), ['/types/0']);
    expectWrongFields(await api.post(path, { url: 'https://a.example', types: [] }), ['/types']);
    expectWrongFields(await api.post(path, {}), ['/url']);
    const made = await Promise.all(
      Array.from({ length: 21 }, (_, i) => api.post(path, { url: `https://hooks.example/${i}` })),
    );
    expect(made.filter(({ status }) => status === 201)).toHaveLength(20);
    expectProblem(
      made.find(({ status }) => status !== 201)!,
      409,
      'webhook_limit_reached',
    );
    const [one] = (await api.get(path)).body.data;
    expectProblem(await api.patch(`${path}/${one.id}`, { url: 'https://10.0.0.1/' }), 422, 'webhook_url_refused');
    expect((await api.post(`${path}/${one.id}/delete`, {})).body).toEqual({ id: one.id, deleted: true });
    expect((await api.post(path, { url: 'https://hooks.example/21' })).status).toBe(201);
  });

  test('[HOOK-2] only admins of the account see and change its endpoints', async () => {
    const { first } = servers();
    const api = await newApi(first);
    const stranger = await newApi(first);
    const { body: readKey } = await api.post('/api/v1/keys', { scopes: ['read', 'record'] });
    const reader = new Api({ url: first.url, key: readKey.api_key, accountId: api.accountId });
    const watch = await pairedDevice(first, api);
    const { id } = await createWebhook(api, { url: 'https://hooks.example.com/' });
    const calls: ((by: Api) => Promise<{ status: number }>)[] = [
      (by) => by.get(`${path}/${id}`),
      (by) => by.patch(`${path}/${id}`, { description: 'mine' }),
      (by) => by.post(`${path}/${id}/delete`, {}),
      (by) => by.post(`${path}/${id}/test`, {}),
      (by) => by.post(`${path}/${id}/rotate-secret`, {}),
      (by) => by.post(`${path}/${id}/replay`, { after: 'evt_x' }),
      (by) => by.get(`${path}/${id}/deliveries`),
      (by) => by.post(`${path}/${id}/deliveries/evt_x/redeliver`, {}),
    ];
    for (const call of calls) {
      expect((await call(reader)).status).toBe(403);
      expect((await call(watch)).status).toBe(403);
    }
    expect((await reader.get(path)).status).toBe(403);
    expect((await reader.post(path, { url: 'https://hooks.example.com/' })).status).toBe(403);
    for (const call of calls) {
      expect((await call(stranger)).status).toBe(404);
    }
    expect((await stranger.get(path)).body.data).toEqual([]);
    expectProblem(await stranger.get(`${path}/${id}`), 404, 'webhook_not_found');
    expectProblem(await api.get(`${path}/none`), 404, 'webhook_not_found');
    expect((await api.get(`${path}/${id}`)).body).toMatchObject({ description: '', status: 'active' });
  });

  test('[HOOK-8] [HOOK-18] a new secret signs beside the ones before until the overlap ends', async () => {
    const api = await newApi(servers().first);
    const endpoint = await openEndpoint();
    const { id, secret } = await createWebhook(api, { url: endpoint.url });
    const post = async () => {
      expect((await api.post(`${path}/${id}/test`, {})).body).toMatchObject({ delivered: true });
      return endpoint.posted.at(-1)!;
    };
    const rotate = (body: object, key: string) =>
      api.post(`${path}/${id}/rotate-secret`, body, { 'Idempotency-Key': key });
    const { body: rotated } = await rotate({ overlap_hours: 2 }, 'once');
    expect((await rotate({ overlap_hours: 2 }, 'once')).body.secret).toBe(rotated.secret);
    expect(rotated.secret).not.toBe(secret);
    const during = await post();
    expect([secret, rotated.secret].map((live) => isSignedWith(live, during))).toEqual([true, true]);
    expectWrongFields(await api.post(`${path}/${id}/rotate-secret`, { overlap_hours: 169 }), ['/overlap_hours']);
    const { body: third } = await api.post(`${path}/${id}/rotate-secret`, { overlap_hours: 0 });
    const after = await post();
    const signing = [secret, rotated.secret, third.secret].map((one) => isSignedWith(one, after));
    expect(signing).toEqual([false, false, true]);
    const stored = await servers().dump();
    for (const one of [secret, rotated.secret, third.secret]) expect(stored).not.toContain(one.slice(6, 40));
  });

  test('[HOOK-14] a test tells what came back, and changes nothing', async () => {
    const api = await newApi(servers().first);
    const endpoint = await openEndpoint();
    const { id } = await createWebhook(api, { url: endpoint.url });
    await api.patch(`${path}/${id}`, { status: 'disabled' });
    const before = await api.get(`${path}/${id}`);
    endpoint.answerWith(500, 'out of order');
    expect((await api.post(`${path}/${id}/test`, {})).body).toMatchObject({
      delivered: false,
      status: 500,
      body: 'out of order',
      error: null,
      duration_ms: expect.any(Number),
    });
    await endpoint.close();
    const unreachable = await api.post(`${path}/${id}/test`, {});
    expect(unreachable.body).toMatchObject({ delivered: false, status: null });
    expect(unreachable.body).toMatchObject({ body: null, error: expect.stringContaining('ECONNREFUSED') });
    expect((await api.get(`${path}/${id}`)).body).toEqual({ ...before.body, lag_secs: expect.any(Number) });
    expect((await api.get(`${path}/${id}/deliveries`)).body.data).toEqual([]);
  });
}
