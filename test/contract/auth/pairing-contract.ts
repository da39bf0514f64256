import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { Api, expectProblem, expectWrongFields, newApi, steps, type GetServers } from '../fixture.ts';
import {
  createCodesInEachState,
  newCode,
  codeWithOtherSecondHalf,
  codeWithOtherFirstHalf,
  pair,
  pairedDevice,
  comparableParts,
} from '../pairing.ts';

export function pairingContract(servers: GetServers): void {
  test('[AUTH-6] a code pairs a device, whose token may do what its kind may', async () => {
    const { first } = servers();
    const api = await newApi(first);
    const made = await api.post('/api/v1/auth/pairing-code');
    expect(made.status).toBe(201);
    expect(made.headers.get('Cache-Control')).toBe('no-store');
    expect(made.body).toEqual({
      code: expect.stringMatching(/^[0-9A-HJKMNP-TV-Z]{4}-[0-9A-HJKMNP-TV-Z]{4}$/),
      expires_at: expect.stringMatching(/Z$/),
      expires_in_secs: 600,
    });
    const id = randomUUID();
    const paired = await pair(first, { code: made.body.code, id, name: ' Watch ' });
    expect(paired.status).toBe(201);
    expect(paired.headers.get('Cache-Control')).toBe('no-store');
    expect(paired.body).toEqual({
      device_id: id,
      token: expect.stringMatching(/^gd_[A-Za-z0-9_-]{64}$/),
      scopes: ['read', 'record'],
      account: { id: api.accountId, name: 'Account', plan: 'team' },
      relay_keys: expect.stringMatching(/^[A-Za-z0-9_-]+$/),
    });
    const watch = new Api({ url: first.url, key: paired.body.token, accountId: api.accountId });
    const map = await api.createMap();
    expect((await watch.get('/api/v1/maps')).body.data).toMatchObject([{ id: map.id }]);
    const recorded = await watch.post(`/api/v1/maps/${map.id}/recording`, { steps: steps('A') });
    expect(recorded.body.run.device_id).toBe(id);
    expectProblem(await watch.post('/api/v1/maps', { name: 'X' }), 403, 'forbidden');

    const phone = await pairedDevice(first, api, { kind: 'phone' });
    expect((await phone.post('/api/v1/maps', { name: 'X' })).status).toBe(201);
    expect((await pair(first, { code: await newCode(phone) })).status).toBe(201);
  });

  test('[AUTH-7] codes, devices and keys are for tokens with the scope admin', async () => {
    const { first } = servers();
    const watch = await pairedDevice(first, await newApi(first));
    const id = randomUUID();
    for (const path of ['auth/pairing-code', 'keys', `keys/${id}/revoke`, `devices/${id}/revoke`]) {
      expectProblem(await watch.post(`/api/v1/${path}`), 403, 'forbidden');
    }
    for (const path of ['keys', 'devices']) expectProblem(await watch.get(`/api/v1/${path}`), 403, 'forbidden');
  });

  test('[AUTH-8] a code is read without regard to case, hyphen, spaces, O for 0, and I or L for 1', async () => {
    const { first } = servers();
    const api = await newApi(first);
    const spellings = [
      (code: string) => code.toLowerCase(),
      (code: string) => ` ${code.replace('-', '')} `,
      (code: string) => code.replace('-', ' - ').replaceAll('0', 'O').replaceAll('1', 'I'),
      (code: string) => code.replaceAll('0', 'o').replaceAll('1', 'l'),
    ];
    for (const spelled of spellings) {
      const code = spelled(await newCode(api));
      expect((await pair(first, { code })).status, code).toBe(201);
    }
  });

  test('[AUTH-9] wrong, used, expired and malformed codes and those of the other kind are answered alike', async () => {
    const { first, advance } = servers();
    const api = await newApi(first);
    advance(61_000);
    const { used, expired, live } = await createCodesInEachState(servers(), api);
    const answers = [
      await pair(first, { code: codeWithOtherFirstHalf(live) }),
      await pair(first, { code: codeWithOtherSecondHalf(live) }),
      await pair(first, { code: used }),
      await pair(first, { code: expired }),
      await pair(first, { code: live, kind: 'phone' }),
      await pair(first, { code: `${live}0` }),
      await pair(first, { code: 'UUUU-UUUU' }),
      await pair(first, { code: '🙂' }),
    ];
    for (const answer of answers) {
      expectProblem(answer, 401, 'pairing_code_invalid');
      expect(comparableParts(answer)).toEqual(comparableParts(answers[0]!));
    }
    expect((await pair(first, { code: live })).status).toBe(201);
    const wrong = await new Api({ url: first.url, key: 'none', accountId: '' }).post('/api/v1/auth/pair', {
      code: 5,
      device_id: 'x',
      device_name: ' ',
      device_kind: 'fridge',
      token: 'x',
    });
    expectWrongFields(wrong, ['/code', '/device_id', '/device_name', '/device_kind', '/token']);
    expectWrongFields(await api.post('/api/v1/auth/pairing-code', { device_kind: 'fridge' }), ['/device_kind']);
  });

  test('[AUTH-10] the same code and device give a fresh token within the life of the code, and revoke the first', async () => {
    const { first, second, advance } = servers();
    advance(61_000);
    const api = await newApi(first);
    const code = await newCode(api);
    const id = randomUUID();
    const tokenOf = async (server = first) => {
      const paired = await pair(server, { code, id });
      expect(paired.status).toBe(201);
      return new Api({ url: first.url, key: paired.body.token, accountId: api.accountId });
    };
    const lost = await tokenOf();
    const repaired = await tokenOf(second);
    expectProblem(await lost.get('/api/v1/maps'), 401, 'unauthorized');
    expect((await repaired.get('/api/v1/maps')).status).toBe(200);
    expect((await api.get('/api/v1/devices')).body.data).toMatchObject([{ id }]);
    advance(601_000);
    expectProblem(await pair(first, { code, id }), 401, 'pairing_code_invalid');
    expect((await repaired.get('/api/v1/maps')).status).toBe(200);
  });

  test('[AUTH-11] of devices that use a code at once, on two servers, exactly one is paired', async () => {
    const { first, second, advance } = servers();
    const api = await newApi(first);
    for (let round = 0; round < 3; round++) {
      advance(61_000);
      const code = await newCode(api);
      const racers = Array.from({ length: 5 }, (_, index) => pair(index % 2 ? first : second, { code }));
      const statuses = (await Promise.all(racers)).map(({ status }) => status);
      expect(statuses.toSorted()).toEqual([201, 401, 401, 401, 401]);
    }
    expect((await api.get('/api/v1/devices')).body.data).toHaveLength(3);
  });

  test('[AUTH-12] pairing a device again with another code replaces its token, in its account alone', async () => {
    const { first } = servers();
    const [api, other] = [await newApi(first), await newApi(first)];
    const id = randomUUID();
    const before = await pairedDevice(first, api, { id });
    const elsewhere = await pairedDevice(first, other, { id, name: 'Elsewhere' });
    const after = await pairedDevice(first, api, { id, name: 'Renamed' });
    expectProblem(await before.get('/api/v1/maps'), 401, 'unauthorized');
    for (const device of [elsewhere, after]) expect((await device.get('/api/v1/maps')).status).toBe(200);
    expect((await api.get('/api/v1/devices')).body.data).toMatchObject([{ id, name: 'Renamed', revoked_at: null }]);
    expect((await other.get('/api/v1/devices')).body.data).toMatchObject([{ id, name: 'Elsewhere' }]);
  });

  test('[AUTH-13] the store holds hashes of tokens and codes, never themselves, and sealed answers', async () => {
    const { first, dump } = servers();
    const api = await newApi(first);
    const key = await api.post('/api/v1/keys', { name: 'CI-name' }, { 'Idempotency-Key': 'k1' });
    const code = await api.post('/api/v1/auth/pairing-code', {}, { 'Idempotency-Key': 'k2' });
    const { body: paired } = await pair(first, { code: code.body.code, name: 'Findable-name' });
    const held = await dump();
    expect(held).toContain('CI-name');
    expect(held).toContain('Findable-name');
    const secrets = [api.key, key.body.api_key, paired.token].map((token: string) => token.slice(3));
    for (const secret of [...secrets, code.body.code, code.body.code.replace('-', '')]) {
      expect(held.includes(secret)).toBe(false);
    }
  });
}
