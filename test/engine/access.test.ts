import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import type { Gemba } from '../../client/client.ts';
import type { Device, DeviceKind, PairingCode } from '../../shared/schema/auth.ts';
import { restClient, testServer, type RestClient, type TestServer } from './account.ts';
import { current, device, eventually, network } from './devices.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.remove());

async function codeOf(rest: RestClient, device_kind: DeviceKind): Promise<string> {
  return (await rest.send<PairingCode>('POST', '/auth/pairing-code', { device_kind })).body.code;
}

async function pairedPhone(): Promise<{ phone: Gemba; rest: RestClient; net: ReturnType<typeof network> }> {
  const rest = restClient(server.url, await server.newAccount());
  const net = network();
  const phone = await device({ url: server.url, fetch: net.fetch });
  await phone.pair(await codeOf(rest, 'phone'), 'Phone of Ada');
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
    await (await device({ url: server.url })).pair(await codeOf(rest, 'phone'), name);
  }
  const phone = await device({ url: server.url, fetch: inShortPages });
  await phone.pair(await codeOf(rest, 'phone'), 'E');
  expect((await phone.devices()).map(({ name }) => name)).toEqual(names.toReversed());
  expect(pages.length).toBe(3);
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
  await watch.pair(await codeOf(rest, 'wearable'), 'Watch');
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

test('[AUTH-39] who guessed too many codes is told how long to wait', async () => {
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
