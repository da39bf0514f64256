import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import type { Gemba } from '../../../client/client.ts';
import type { ApiKey, Device, DeviceKind, PairingCode } from '../../../shared/schema/auth.ts';
import { restClient, testServer, type RestClient, type TestServer } from '../../device/test-server.ts';
import { current, device, eventually, network } from '../../device/devices.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.remove());

async function createPairingCode(rest: RestClient, device_kind: DeviceKind): Promise<string> {
  return (await rest.send<PairingCode>('POST', '/auth/pairing-code', { device_kind })).body.code;
}

async function pairedPhone(): Promise<{ phone: Gemba; rest: RestClient; net: ReturnType<typeof network> }> {
  const rest = restClient(server.url, await server.newAccount());
  const net = network();
  const phone = await device({ url: server.url, fetch: net.fetch });
  await phone.pair(await createPairingCode(rest, 'phone'), 'Phone of Ada');
  return { phone, rest, net };
}

test('[AUTH-38] a phone hands out a code, lists the devices and which of them it is, renames and revokes one', async () => {
  const { phone, rest } = await pairedPhone();
  const { code, expires_in_secs } = await phone.pairingCode('wearable');
  expect(expires_in_secs).toBe(600);
  const watch = await device({ url: server.url, kind: 'wearable' });
  await watch.pair(code, 'Watch');
  await eventually(watch.status$, ({ phase }) => phase === 'idle');
  const devices = await phone.devices();
  expect(devices.map(({ name, kind, is_this }) => [name, kind, is_this])).toEqual([
    ['Watch', 'wearable', false],
    ['Phone of Ada', 'phone', true],
  ]);

  const { id } = devices[0]!;
  await phone.renameDevice(id, 'Watch of hall 3');
  await phone.revokeDevice(id);
  const [onServer] = await rest.list<Device>('/devices');
  expect(onServer).toMatchObject({ id, name: 'Watch of hall 3', revoked_at: expect.any(String) });
  expect((await phone.devices())[0]).toEqual({ ...onServer, is_this: false });
  await watch.sync();
  expect(await current(watch.status$)).toMatchObject({ phase: 'blocked', error: { code: 'unauthorized' } });
});

test('[AUTH-38] a phone lists all devices of its account, over the pages of the server', async () => {
  const rest = restClient(server.url, await server.newAccount());
  const pages: string[] = [];
  const inShortPages: typeof fetch = (input, init) => {
    const url = String(input).replace('limit=200', 'limit=2');
    if (url.includes('/devices?')) pages.push(url);
    return fetch(url, init);
  };
  const names = ['A', 'B', 'C', 'D', 'E'];
  for (const name of names.slice(0, -1)) {
    await (await device({ url: server.url })).pair(await createPairingCode(rest, 'phone'), name);
  }
  const phone = await device({ url: server.url, fetch: inShortPages });
  await phone.pair(await createPairingCode(rest, 'phone'), 'E');
  expect((await phone.devices()).map(({ name }) => name)).toEqual(names.toReversed());
  expect(pages.length).toBe(3);
});

test('[AUTH-99] [AUTH-102] a desk is paired, pulls the runs and asks for its account; offline it says so by a code', async () => {
  const rest = restClient(server.url, await server.newAccount());
  await rest.send('POST', '/recording/new', {
    name: 'Saw',
    steps: [{ stage_name: 'Cut', duration_secs: 3, order: 1 }],
  });
  const net = network();
  const desk = await device({ url: server.url, fetch: net.fetch, kind: 'desk' });
  await desk.pair(await createPairingCode(rest, 'desk'), 'Desk of Ada');
  const [map] = await eventually(desk.maps$, (maps) => maps.length === 1);
  await eventually(desk.runs$(map!.id), (runs) => runs.length === 1);
  expect(await desk.account()).toMatchObject({ phones: 0, devices: 1, maps: 1, phones_max: null });
  expect((await desk.devices()).map(({ kind }) => kind)).toEqual(['desk']);
  net.online = false;
  await expect(desk.account()).rejects.toMatchObject({ code: 'unreachable' });
});

test('[AUTH-39] without a network, a token, a scope or such a device these verbs say so by their code, and leave nothing behind', async () => {
  const { phone, rest, net } = await pairedPhone();
  const [self] = await phone.devices();
  const verbs = (gemba: Gemba) => [
    gemba.devices(),
    gemba.renameDevice(self!.id, 'Other'),
    gemba.revokeDevice(self!.id),
    gemba.pairingCode('phone'),
  ];
  const codes = async (gemba: Gemba) =>
    (await Promise.allSettled(verbs(gemba))).map((verb) => verb.status === 'rejected' && verb.reason.code);
  const all = (code: string) => Array.from({ length: 4 }, () => code);

  net.online = false;
  expect(await codes(phone)).toEqual(all('unreachable'));
  net.online = true;
  expect(await codes(await device({ url: server.url }))).toEqual(all('unauthorized'));
  const watch = await device({ url: server.url, kind: 'wearable' });
  await watch.pair(await createPairingCode(rest, 'wearable'), 'Watch');
  expect(await codes(watch)).toEqual(all('forbidden'));
  const notFound = { name: 'GembaError', code: 'device_not_found' };
  await expect(phone.renameDevice(randomUUID(), 'Nobody')).rejects.toMatchObject(notFound);
  await expect(phone.revokeDevice('../keys')).rejects.toMatchObject(notFound);
  await expect(phone.renameDevice(self!.id, ' ')).rejects.toMatchObject({
    code: 'validation_failed',
    errors: [{ path: '/name' }],
  });
  expect(await rest.list<Device>('/devices')).toMatchObject([
    { name: 'Watch' },
    { name: 'Phone of Ada', revoked_at: null },
  ]);
});

test('[AUTH-73] a device tells whose account a code joins, and pairs with it afterwards', async () => {
  const rest = restClient(server.url, await server.newAccount());
  const net = network();
  const phone = await device({ url: server.url, fetch: net.fetch });
  const code = await createPairingCode(rest, 'phone');
  const { id, name } = await phone.pairingAccount(code);
  expect([id, name]).toEqual([expect.any(String), 'Test']);
  await expect(phone.pairingAccount('0000-0000')).rejects.toMatchObject({ code: 'pairing_code_invalid' });
  net.online = false;
  await expect(phone.pairingAccount(code)).rejects.toMatchObject({ name: 'GembaError', code: 'unreachable' });
  net.online = true;
  await phone.pair(code, 'Phone');
  // A device that lost the answer to its pairing pairs again with the same code.
  expect(await phone.pairingAccount(code)).toEqual({ id, name });
  await phone.pair(code, 'Phone');
});

test('[AUTH-91] a device with the work of one account is refused the code of another, which stays unused', async () => {
  const { phone, rest } = await pairedPhone();
  await phone.createMap({ name: 'Ours' });
  await eventually(phone.status$, ({ phase, pending }) => phase === 'idle' && pending === 0);
  const other = restClient(server.url, await server.newAccount());
  const code = await createPairingCode(other, 'phone');
  await expect(phone.pairingAccount(code)).rejects.toMatchObject({ code: 'account_mismatch' });
  await expect(phone.pair(code, 'Phone')).rejects.toMatchObject({ name: 'GembaError', code: 'account_mismatch' });
  expect(await other.list<Device>('/devices')).toEqual([]);
  expect(await rest.list<Device>('/devices')).toMatchObject([{ revoked_at: null }]);
  await (await device({ url: server.url })).pair(code, 'Another phone');
  expect(await other.list<Device>('/devices')).toMatchObject([{ name: 'Another phone' }]);
});

test('[AUTH-74] a phone lists the API keys of its account, makes one that works, and revokes it', async () => {
  const { phone, rest } = await pairedPhone();
  const { key, api_key } = await phone.createKey({ name: 'ERP', scopes: ['read'] });
  expect(key).toMatchObject({ name: 'ERP', scopes: ['read'], last_four: api_key.slice(-4), revoked_at: null });
  const erp = restClient(server.url, api_key);
  expect(await erp.list('/maps')).toEqual([]);
  const keys = await phone.keys();
  expect(keys.map(({ name }) => name)).toEqual(['ERP', (await rest.list<ApiKey>('/keys'))[1]!.name]);
  await phone.revokeKey(key.id);
  expect((await phone.keys())[0]).toMatchObject({ id: key.id, revoked_at: expect.any(String) });
  await expect(erp.list('/maps')).rejects.toThrow('401');
  expect((await phone.createKey()).key).toMatchObject({ name: 'API key' });
});

test('[DEVICE-18] a call that makes an API key makes one, also where replies are lost and a person tries again', async () => {
  const token = await server.newAccount();
  const [rest, net] = [restClient(server.url, token), network()];
  const sent: string[] = [];
  const countingKeys: typeof fetch = (input, init) => {
    if (init?.method === 'POST') sent.push(new Headers(init.headers).get('Idempotency-Key') ?? 'none');
    return net.fetch(input, init);
  };
  let repliesLost = 0;
  net.answers('keys', async (ask) => {
    const reply = await ask();
    if (repliesLost === 0) return reply;
    repliesLost--;
    throw new TypeError('the connection broke');
  });
  const gemba = await device({ url: server.url, token, fetch: countingKeys });
  const namesOfKeys = async () => (await rest.list<ApiKey>('/keys')).map(({ name }) => name).slice(0, -1);

  repliesLost = 1;
  const { api_key } = await gemba.createKey({ name: 'ERP', scopes: ['read'] });
  expect(await restClient(server.url, api_key).list('/maps')).toEqual([]);
  expect(await namesOfKeys()).toEqual(['ERP']);
  expect([sent.length, new Set(sent).size]).toEqual([2, 1]);

  repliesLost = 2;
  await expect(gemba.createKey({ name: 'MES' })).rejects.toMatchObject({ code: 'unreachable' });
  expect((await gemba.createKey({ name: 'MES' })).key.name).toBe('MES');
  await gemba.createKey({ name: 'MES' });
  await Promise.all([gemba.createKey({ name: 'BI' }), gemba.createKey({ name: 'BI' })]);
  expect(await namesOfKeys()).toEqual(['BI', 'BI', 'MES', 'MES', 'ERP']);
});

test('[AUTH-98] what keeps a device from that is told by its code', async () => {
  const { phone, rest, net } = await pairedPhone();
  const [first] = await phone.keys();
  const codes = async (gemba: Gemba) => {
    const verbs = [gemba.keys(), gemba.createKey(), gemba.revokeKey(first!.id)];
    return (await Promise.allSettled(verbs)).map((verb) => verb.status === 'rejected' && verb.reason.code);
  };
  net.online = false;
  expect(await codes(phone)).toEqual(['unreachable', 'unreachable', 'unreachable']);
  net.online = true;
  const watch = await device({ url: server.url, kind: 'wearable' });
  await watch.pair(await createPairingCode(rest, 'wearable'), 'Watch');
  expect(await codes(watch)).toEqual(['forbidden', 'forbidden', 'forbidden']);
  await expect(phone.revokeKey(randomUUID())).rejects.toMatchObject({ code: 'key_not_found' });
  await expect(phone.revokeKey(first!.id)).rejects.toMatchObject({ name: 'GembaError', code: 'last_admin_key' });
  await expect(phone.createKey({ name: ' ' })).rejects.toMatchObject({
    code: 'validation_failed',
    errors: [{ path: '/name' }],
  });
});

test('[AUTH-95] who guessed too many codes is told how long to wait', async () => {
  const own = await testServer();
  onTestFinished(() => own.remove());
  const phone = await device({ url: own.url });
  for (let guess = 0; guess < 10; guess++) {
    await expect(phone.pair('0000-0000', 'Phone')).rejects.toMatchObject({ code: 'pairing_code_invalid' });
  }
  const refused: unknown = await phone.pair('0000-0000', 'Phone').catch((error: unknown) => error);
  expect(refused).toMatchObject({ name: 'GembaError', code: 'rate_limited' });
  const { retryAfterMs } = refused as { retryAfterMs: number };
  expect(retryAfterMs).toBeGreaterThan(0);
  expect(retryAfterMs).toBeLessThanOrEqual(60_000);
});
