import { afterAll, beforeAll, expect, test } from 'vitest';
import type { PairingCode } from '../../shared/schema/auth.ts';
import type { MapRecord } from '../../shared/schema/map.ts';
import { restClient, testServer, type TestServer } from './account.ts';
import { atRest, current, device, eventually, memoryStorage } from './devices.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.remove());

const accountNames = async (token: string): Promise<string[]> =>
  (await restClient(server.url, token).list<MapRecord>('/maps')).map(({ name }) => name);

test('[ACCOUNT-1] a device that is opened with the token of another account keeps everything, sends nothing and says so', async () => {
  const [own, other] = [await server.newAccount(), await server.newAccount()];
  await restClient(server.url, other).send('POST', '/maps', { name: 'Theirs' });
  const options = { name: 'device-of-one-account', storage: memoryStorage(), url: server.url };
  const before = await device({ ...options, token: own });
  const { map_id } = await before.createMap({ name: 'Ours' });
  await before.sync();
  await before.close();

  const mixed = await device({ ...options, token: other });
  await mixed.updateMap(map_id, { name: 'Renamed' });
  await mixed.sync();
  const { phase, pending, error } = await current(mixed.status$);
  expect([phase, pending, error?.code]).toEqual(['blocked', 1, 'account_mismatch']);
  expect(error?.detail).toMatch(/^This device holds the work of another account/);
  expect((await current(mixed.maps$)).map(({ name }) => name)).toEqual(['Renamed']);
  await mixed.close();
  expect(await accountNames(other)).toEqual(['Theirs']);

  const again = await device({ ...options, token: own });
  await again.sync();
  expect(await atRest(again)).toMatchObject({ phase: 'idle', pending: 0, attention: 0 });
  expect(await accountNames(own)).toEqual(['Renamed']);
});

test('[ACCOUNT-2] nothing is sent before the device durably knows whose it is', async () => {
  const [own, other] = [await server.newAccount(), await server.newAccount()];
  const options = { name: 'device-cut-off', storage: memoryStorage(), url: server.url };
  let [online, pushed] = [false, false];
  // The push arrives, and nothing after it.
  const cutOff: typeof fetch = async (input, init) => {
    if (!online || pushed) throw new TypeError('no network');
    pushed = new URL(String(input)).pathname.endsWith('sync/push');
    return fetch(input, init);
  };
  const before = await device({ ...options, token: own, fetch: cutOff });
  await before.createMap({ name: 'Ours' });
  online = true;
  await before.sync();
  await before.close();
  expect(await accountNames(own)).toEqual(['Ours']);

  const mixed = await device({ ...options, token: other });
  await mixed.sync();
  expect(await current(mixed.status$)).toMatchObject({ phase: 'blocked', error: { code: 'account_mismatch' } });
  expect(await accountNames(other)).toEqual([]);
});

test('[ACCOUNT-3] a device is not paired with another account; its own goes on', async () => {
  const [own, other] = [await server.newAccount(), await server.newAccount()];
  const codeOf = async (token: string) => {
    const body = { device_kind: 'phone' };
    return (await restClient(server.url, token).send<PairingCode>('POST', '/auth/pairing-code', body)).body.code;
  };
  const phone = await device({ url: server.url });
  await phone.pair(await codeOf(own), 'Phone');
  await expect(phone.pair(await codeOf(other), 'Phone')).rejects.toMatchObject({ code: 'account_mismatch' });
  await phone.createMap({ name: 'Ours' });
  await eventually(phone.status$, ({ phase, pending }) => phase === 'idle' && pending === 0);
  expect([await accountNames(own), await accountNames(other)]).toEqual([['Ours'], []]);
});
