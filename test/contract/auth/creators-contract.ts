/** Keys and pairing codes are revoked together with the device or key that made them. */
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { Api, expectProblem, newApi, type GetServers } from '../fixture.ts';
import { newCode, codeWithOtherFirstHalf, pair, pairedDevice } from '../pairing.ts';

const maps = '/api/v1/maps';
const statusesOf = (...callers: Api[]) => Promise.all(callers.map(async (caller) => (await caller.get(maps)).status));

async function createKeyBy(by: Api, scopes: string[] = ['read', 'admin']): Promise<Api & { id: string }> {
  const { status, body } = await by.post('/api/v1/keys', { scopes });
  expect(status).toBe(201);
  return Object.assign(new Api({ url: by.url, key: body.api_key, accountId: by.accountId }), { id: body.key.id });
}

export function creatorsContract(servers: GetServers): void {
  test('[AUTH-50] a key tells which device or key made it; none made the first key', async () => {
    const { first } = servers();
    const api = await newApi(first);
    const phone = await pairedDevice(first, api, { kind: 'phone' });
    const byPhone = await createKeyBy(phone);
    const byKey = await createKeyBy(byPhone);
    const { data } = (await api.get('/api/v1/keys')).body;
    expect(data).toMatchObject([
      { id: byKey.id, created_by: { kind: 'key', id: byPhone.id } },
      { id: byPhone.id, created_by: { kind: 'device', id: phone.id } },
      { name: 'First key', created_by: null },
    ]);
  });

  test('[AUTH-51] [AUTH-97] revoking a device revokes the keys that it made and those that these made, and says so each time', async () => {
    const { first, second } = servers();
    const api = await newApi(first);
    const phone = await pairedDevice(first, api, { kind: 'phone' });
    const other = await pairedDevice(first, api, { kind: 'phone' });
    const rotated = await createKeyBy(phone);
    const key = await createKeyBy(rotated);
    const last = await createKeyBy(key, ['read']);
    expect((await key.post(`/api/v1/keys/${rotated.id}/revoke`)).status).toBe(200);
    const others = [await createKeyBy(other), await createKeyBy(api)];

    const path = `/api/v1/devices/${phone.id}/revoke`;
    const kept = await api.post(path, { revoke_created: false });
    expect(kept.body).toMatchObject({ id: phone.id, revoked_keys: [], kept_keys: [key.id, last.id] });
    expect(await statusesOf(phone, key, last)).toEqual([401, 200, 200]);

    const revoked = await api.post(path);
    expect(revoked.body).toEqual({ ...kept.body, revoked_keys: [key.id, last.id], kept_keys: [] });
    expect((await api.post(path)).body).toEqual(revoked.body);
    expect(await statusesOf(key.at(second), last.at(second))).toEqual([401, 401]);
    expect(await statusesOf(other, ...others)).toEqual([200, 200, 200]);
  });

  test('[AUTH-96] the last key with the scope admin outlives the device that made it', async () => {
    const { first } = servers();
    const api = await newApi(first);
    const phone = await pairedDevice(first, api, { kind: 'phone' });
    const [older, reader, newest] = [
      await createKeyBy(phone),
      await createKeyBy(phone, ['read']),
      await createKeyBy(phone),
    ];
    const [{ id: firstKeyId }] = (await api.get('/api/v1/keys')).body.data.slice(-1);
    expect((await phone.post(`/api/v1/keys/${firstKeyId}/revoke`)).status).toBe(200);
    const { body } = await phone.post(`/api/v1/devices/${phone.id}/revoke`);
    expect(body).toMatchObject({ revoked_keys: [older.id, reader.id], kept_keys: [newest.id] });
    expect(await statusesOf(phone, older, reader, newest)).toEqual([401, 401, 401, 200]);
    expectProblem(await newest.post(`/api/v1/keys/${newest.id}/revoke`), 409, 'last_admin_key');
  });

  test('[AUTH-52] a code whose maker was revoked is a wrong code, to pair and to ask whose it is', async () => {
    const { first, second, advance } = servers();
    advance(61_000);
    const api = await newApi(first);
    const [phone, key] = [await pairedDevice(first, api, { kind: 'phone' }), await createKeyBy(api)];
    const codes = [await newCode(phone), await newCode(key)];
    const live = [await newCode(phone), await newCode(key), await newCode(api)];
    for (const code of live.slice(0, 2)) expect((await pair(first, { code })).status).toBe(201);
    await api.post(`/api/v1/devices/${phone.id}/revoke`);
    await api.post(`/api/v1/keys/${key.id}/revoke`);

    const wrong = await pair(first, { code: codeWithOtherFirstHalf(codes[0]!) });
    const asked = { url: first.url, key: 'none', accountId: '' };
    for (const code of codes) {
      const dead = [
        await pair(second, { code }),
        await pair(first, { code, accountId: randomUUID() }),
        await new Api(asked).post('/api/v1/auth/pairing-code/account', { code, device_kind: 'wearable' }),
      ];
      for (const answer of dead) {
        expectProblem(answer, 401, 'pairing_code_invalid');
        expect(answer.body.detail).toBe(wrong.body.detail);
      }
    }
    expect((await pair(first, { code: live[2]! })).status).toBe(201);
    // The failed attempts above must not count in the next test.
    advance(61_000);
  });

  test('[AUTH-81] a phone that is revoked and paired again does not get back the codes that it made before', async () => {
    const { first, second, advance } = servers();
    advance(61_000);
    const api = await newApi(first);
    const phone = await pairedDevice(first, api, { kind: 'phone' });
    const before = await newCode(phone);
    await api.post(`/api/v1/devices/${phone.id}/revoke`);
    const again = await pairedDevice(first, api, { kind: 'phone', id: phone.id });
    expectProblem(await pair(second, { code: before }), 401, 'pairing_code_invalid');
    expect((await pair(second, { code: await newCode(again) })).status).toBe(201);
    advance(61_000);
  });

  test('[AUTH-53] a revoked key leaves the keys that it made, unless they are to go with it', async () => {
    const { first } = servers();
    const api = await newApi(first);
    const [rotated, leaked] = [await createKeyBy(api), await createKeyBy(api)];
    const [next, thiefs] = [await createKeyBy(rotated), await createKeyBy(leaked)];
    const kept = await next.post(`/api/v1/keys/${rotated.id}/revoke`);
    expect(kept.body).toMatchObject({ id: rotated.id, revoked_keys: [], kept_keys: [next.id] });
    const gone = await next.post(`/api/v1/keys/${leaked.id}/revoke`, { revoke_created: true });
    expect(gone.body).toMatchObject({ id: leaked.id, revoked_keys: [thiefs.id], kept_keys: [] });
    expect(await statusesOf(rotated, next, leaked, thiefs)).toEqual([401, 200, 401, 401]);
  });
}
