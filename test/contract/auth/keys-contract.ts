import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { minute, pollUntil } from '../last-used.ts';
import { adminToken, Api, expectProblem, expectWrongFields, newApi, steps, type GetServers } from '../fixture.ts';
import { pairedDevice } from '../pairing.ts';
import { SyncClient } from '../sync-client.ts';

const allScopes = ['read', 'record', 'write', 'admin'];

export function keysContract(servers: GetServers): void {
  const made = async (api: Api, body: object = {}): Promise<Api & { id: string }> => {
    const { status, body: answer } = await api.post('/api/v1/keys', body);
    expect(status).toBe(201);
    const key = new Api({ url: api.url, key: answer.api_key, accountId: api.accountId });
    return Object.assign(key, { id: answer.key.id as string });
  };

  test('[AUTH-24] a key is shown once, and listed by its last four characters and its last use', async () => {
    const { first, advance } = servers();
    const api = await newApi(first);
    const { status, headers, body } = await api.post('/api/v1/keys', { name: ' CI ', scopes: ['write', 'read'] });
    expect([status, headers.get('Cache-Control')]).toEqual([201, 'no-store']);
    expect(body).toEqual({
      key: {
        id: expect.any(String),
        name: 'CI',
        scopes: ['read', 'write'],
        last_four: body.api_key.slice(-4),
        created_at: expect.stringMatching(/Z$/),
        created_by: { kind: 'key', id: expect.any(String) },
        last_used_at: null,
        revoked_at: null,
      },
      api_key: expect.stringMatching(/^gk_[A-Za-z0-9_-]{64}$/),
    });
    const listed = await api.get('/api/v1/keys');
    expect(listed.body.data).toMatchObject([body.key, { name: 'First key', last_four: api.key.slice(-4) }]);
    expect(JSON.stringify(listed.body)).not.toContain(body.api_key);
    const page = await api.get('/api/v1/keys?limit=1');
    expect(page.body.data).toMatchObject([{ id: body.key.id }]);
    const next = /^<(.+)>; rel="next"$/.exec(page.headers.get('Link')!)![1]!;
    expect((await api.get(next)).body).toMatchObject({ data: [{ name: 'First key' }], next_cursor: null });

    const key = new Api({ url: first.url, key: body.api_key, accountId: api.accountId });
    expectProblem(await key.post('/api/v1/keys'), 403, 'forbidden');
    const used = async () => (await api.get('/api/v1/keys')).body.data[0].last_used_at as string | null;
    const firstUse = await pollUntil(used, (at) => at !== null);
    await key.get('/api/v1/maps');
    expect(await used()).toBe(firstUse);
    advance(minute + 1);
    await key.get('/api/v1/maps');
    await pollUntil(used, (at) => Date.parse(at!) - Date.parse(firstUse!) > minute);
  });

  test('[AUTH-25] a key has all scopes and a name unless it is made with others', async () => {
    const api = await newApi(servers().first);
    const { body } = await api.post('/api/v1/keys');
    expect(body.key).toMatchObject({ name: 'API key', scopes: allScopes });
    expect((await (await made(api)).post('/api/v1/maps', { name: 'X' })).status).toBe(201);
    const wrong = await api.post('/api/v1/keys', { name: '', scopes: ['read', 'read'], secret: 'x' });
    expectWrongFields(wrong, ['/name', '/scopes', '/secret']);
    expectWrongFields(await api.post('/api/v1/keys', { scopes: [] }), ['/scopes']);
    expectWrongFields(await api.post('/api/v1/keys', { scopes: ['root'] }), ['/scopes/0']);
  });

  test('[AUTH-42] the scope write alone records, over REST and in a push', async () => {
    const api = await newApi(servers().first);
    const { id: map_id } = await api.createMap();
    const writer = await made(api, { scopes: ['write'] });
    expect((await writer.post(`/api/v1/maps/${map_id}/recording`, { steps: steps('Cut') })).status).toBe(200);
    const client = new SyncClient(writer);
    expect(await client.apply('upload_recording', { map_id, steps: steps('Cut') })).toMatchObject({
      status: 'applied',
    });
    const reader = new SyncClient(await made(api, { scopes: ['read', 'record'] }));
    expect(await reader.apply('create_map', { name: 'X' })).toMatchObject({ error: { code: 'forbidden' } });
  });

  test('[AUTH-26] a revoked key stops at once; revoking is idempotent, and unknown keys are not found', async () => {
    const { first, second } = servers();
    const api = await newApi(first);
    const key = await made(api);
    const revoked = await api.post(`/api/v1/keys/${key.id}/revoke`);
    expect(revoked).toMatchObject({ status: 200, body: { id: key.id, revoked_at: expect.any(String) } });
    for (const server of [first, second]) expectProblem(await key.at(server).get('/api/v1/maps'), 401, 'unauthorized');
    expect((await api.post(`/api/v1/keys/${key.id}/revoke`)).body).toEqual(revoked.body);
    const stranger = await newApi(first);
    expectProblem(await stranger.post(`/api/v1/keys/${key.id}/revoke`), 404, 'key_not_found');
    for (const id of [randomUUID(), 'x']) {
      expectProblem(await api.post(`/api/v1/keys/${id}/revoke`), 404, 'key_not_found');
    }
    const watch = await pairedDevice(first, api);
    expectProblem(await api.post(`/api/v1/keys/${watch.id}/revoke`), 404, 'key_not_found');
  });

  test('[AUTH-27] the last key with the scope admin cannot be revoked, however many try at once', async () => {
    const { first, second } = servers();
    const api = await newApi(first);
    await made(api, { scopes: ['read', 'write'] });
    await pairedDevice(first, api, { kind: 'phone' });
    const firstKeyId = (await api.get('/api/v1/keys')).body.data[1].id;
    expectProblem(await api.post(`/api/v1/keys/${firstKeyId}/revoke`), 409, 'last_admin_key');
    const next = await made(api);
    const revokes = await Promise.all([
      api.post(`/api/v1/keys/${next.id}/revoke`),
      next.at(second).post(`/api/v1/keys/${firstKeyId}/revoke`),
    ]);
    const statuses = revokes.map(({ status }) => status).toSorted();
    // The second key may be revoked before its request is authenticated.
    expect([
      [200, 401],
      [200, 409],
    ]).toContainEqual(statuses);
    const [left] = [api, next].filter((_, index) => revokes[index]!.status === 200);
    expect((await left!.get('/api/v1/keys')).status).toBe(200);
  });

  test('[AUTH-28] a repeated request under its Idempotency-Key hands out the same secret to the same token, and to no other', async () => {
    const { first, second } = servers();
    const api = await newApi(first);
    const other = await made(api);
    const header = (key: string) => ({ 'Idempotency-Key': key });
    for (const path of ['/api/v1/keys', '/api/v1/auth/pairing-code']) {
      const once = await api.post(path, {}, header(path));
      expect(once.status).toBe(201);
      const again = await api.at(second).post(path, {}, header(path));
      expect({ status: again.status, body: again.body }).toEqual({ status: 201, body: once.body });
      expect(again.headers.get('Idempotency-Replayed')).toBe('true');
      expect(again.headers.get('Cache-Control')).toBe('no-store');
      expectProblem(await other.post(path, {}, header(path)), 422, 'idempotency_key_mismatch');
    }
    expect((await api.get('/api/v1/keys')).body.data).toHaveLength(3);
    const copies = await Promise.all(
      [first, second, first].map((at) => api.at(at).post('/api/v1/keys', {}, header('x'))),
    );
    expect(new Set(copies.map(({ body }) => body.api_key)).size).toBe(1);

    const path = `/api/v1/keys/${other.id}/revoke`;
    const revoked = await api.post(path, undefined, header('revoke'));
    const replayed = await api.post(path, {}, header('revoke'));
    expect([replayed.headers.get('Idempotency-Replayed'), replayed.body]).toEqual(['true', revoked.body]);
    const watch = await pairedDevice(first, api);
    expectProblem(
      await api.post(`/api/v1/devices/${watch.id}/revoke`, undefined, header('revoke')),
      422,
      'idempotency_key_mismatch',
    );
  });

  test('[AUTH-34] an account has at most 100 live keys, however many are made at once, and a revoked one makes room', async () => {
    const { first, second } = servers();
    const api = await newApi(first);
    const many = (count: number) =>
      Promise.all(
        Array.from({ length: count }, (_, index) => api.at(index % 2 ? first : second).post('/api/v1/keys', {})),
      );
    const answers = await many(110);
    const created = answers.filter(({ status }) => status === 201);
    // The first of the 100 keys was made with the account.
    expect(created).toHaveLength(99);
    const refused = answers.filter(({ status }) => status !== 201);
    expectProblem(refused[0]!, 409, 'key_limit_reached');
    expect(refused[0]!.body.limit).toBe(100);

    const header = { 'Idempotency-Key': 'one-more' };
    expectProblem(await api.post('/api/v1/keys', {}, header), 409, 'key_limit_reached');
    await api.post(`/api/v1/keys/${created[0]!.body.key.id}/revoke`);
    expect((await api.post('/api/v1/keys', {}, header)).status).toBe(201);
    expectProblem(await api.post('/api/v1/keys'), 409, 'key_limit_reached');
    expect((await (await newApi(first)).post('/api/v1/keys')).status).toBe(201);
  });

  test('[AUTH-35] a change of an account under a known key gives its first answer again and changes nothing', async () => {
    const { first, second } = servers();
    const { accountId } = await newApi(first);
    const operator = new Api({ url: first.url, key: adminToken, accountId: '' });
    const path = `/api/v1/admin/accounts/${accountId}`;
    const header = { 'Idempotency-Key': 'rename' };
    const body = { name: ' Shop ', additional_seats: 2 };
    const copies = await Promise.all(
      [first, second, first].map((server) => operator.at(server).patch(path, body, header)),
    );
    for (const copy of copies) {
      expect(copy).toMatchObject({ status: 200, body: { account: { name: 'Shop', additional_seats: 2 } } });
    }
    const replays = copies.filter(({ headers }) => headers.get('Idempotency-Replayed') === 'true');
    expect(replays).toHaveLength(2);

    await operator.patch(path, { plan: 'free' });
    const again = await operator.patch(path, body, header);
    expect(again.body).toEqual(copies[0]!.body);
    expectProblem(await operator.patch(path, { name: 'Other' }, header), 422, 'idempotency_key_mismatch');
    const now = await operator.patch(path, {});
    expect(now.body.account).toMatchObject({ name: 'Shop', plan: 'free', additional_seats: 2 });
    expect((await operator.patch(path, { additional_seats: null })).body.account.phones_max).toBeNull();
  });

  test("[AUTH-36] the operator's keys are not those of the account that it makes or changes", async () => {
    const { first } = servers();
    const operator = new Api({ url: first.url, key: adminToken, accountId: '' });
    const path = '/api/v1/admin/accounts';
    const header = { 'Idempotency-Key': `1-${randomUUID()}` };
    const created = await operator.post(path, { name: 'Bakery', plan: 'team' }, header);
    const { account, api_key: key } = created.body;
    const tenant = new Api({ url: first.url, key, accountId: account.id });
    expect((await tenant.post('/api/v1/maps', { name: 'Map' }, header)).status).toBe(201);
    const taken = { 'Idempotency-Key': 'taken' };
    expect((await tenant.post('/api/v1/maps', { name: 'Map' }, taken)).status).toBe(201);
    expect((await operator.patch(`${path}/${account.id}`, { name: 'Shop' }, taken)).status).toBe(200);
    // Each request still replays its first answer.
    expect((await tenant.post('/api/v1/maps', { name: 'Map' }, header)).headers.get('Idempotency-Replayed')).toBe(
      'true',
    );
    expect((await operator.post(path, { name: 'Bakery', plan: 'team' }, header)).body).toEqual(created.body);
  });

  test('[AUTH-33] an account that is made under an Idempotency-Key is made once, however often and wherever it is asked for', async () => {
    const { first, second, dump } = servers();
    const operator = new Api({ url: first.url, key: adminToken, accountId: '' });
    const path = '/api/v1/admin/accounts';
    const [body, header] = [{ name: 'Shop', plan: 'team', seats: 2 }, { 'Idempotency-Key': randomUUID() }];
    const copies = [first, second, first, second].map((server) => operator.at(server).post(path, body, header));
    const answers = await Promise.all(copies);
    for (const answer of answers) expect(answer).toMatchObject({ status: 201, body: answers[0]!.body });
    const replays = answers.filter(({ headers }) => headers.get('Idempotency-Replayed') === 'true');
    expect(replays).toHaveLength(3);
    const { account, api_key } = answers[0]!.body;
    expect(account).toMatchObject({ name: 'Shop', additional_seats: 2, phones_max: 3 });
    const api = new Api({ url: first.url, key: api_key, accountId: account.id });
    expect((await api.get('/api/v1/keys')).body.data).toHaveLength(1);
    expectProblem(await operator.post(path, { ...body, name: 'Other' }, header), 422, 'idempotency_key_mismatch');
    expect(await dump()).not.toContain(api_key.slice(3));
  });
}
