import { afterAll, beforeAll, expect, test } from 'vitest';
import type { PairingCode } from '../../../shared/schema/auth.ts';
import type { MapRecord } from '../../../shared/schema/map.ts';
import { restClient, testServer, type TestServer } from '../../device/test-server.ts';
import { copyDatabase } from '../../device/databases.ts';
import { atRest, current, device, eventually, memoryStorage } from '../../device/devices.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.remove());

const accountNames = async (token: string): Promise<string[]> =>
  (await restClient(server.url, token).list<MapRecord>('/maps')).map(({ name }) => name);

test('[ACCOUNT-1] [ACCOUNT-5] [ACCOUNT-6] a device that is opened with the token of another account keeps everything, sends nothing and says so', async () => {
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
  // The push arrives at the server; its answer is lost.
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

test('[ACCOUNT-3] [ACCOUNT-6] a device is not paired with another account; its own goes on', async () => {
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

test('[SYNC-52] a copy of a device that was never paired numbers its work anew when the first of them is of another account', async () => {
  const [own, other] = [await server.newAccount(), await server.newAccount()];
  const open = (name: string, token?: string) =>
    device({ name, storage: memoryStorage(), url: server.url, ...(token ? { token } : {}) });
  const image = await open('image');
  await image.createMap({ name: 'In the image' });
  await image.close();
  await copyDatabase({ from: 'image', to: 'copy-of-image' });
  const first = await open('image', own);
  await first.sync();
  const copy = await open('copy-of-image', other);
  await copy.createMap({ name: 'Made since' });
  for (let round = 0; round < 2; round++) await copy.sync();
  expect(await atRest(copy)).toMatchObject({ phase: 'idle', pending: 0, attention: 0, error: null });
  expect(await accountNames(own)).toEqual(['In the image']);
  expect(await accountNames(other)).toEqual(['Made since', 'In the image']);
});

test('[TRANSFER-20] [TRANSFER-27] what was handed over and is under a client of another account needs attention, and the rest goes on', async () => {
  const [own, other] = [await server.newAccount(), await server.newAccount()];
  const options = { name: 'handed-over', storage: memoryStorage(), url: server.url };
  const before = await device(options);
  await before.createMap({ name: 'Handed over' });
  const colleague = await device({ url: server.url, token: own });
  await colleague.importUnsent(await before.exportUnsent());
  await colleague.sync();
  await before.close();

  const phone = await device({ ...options, token: other });
  await phone.createMap({ name: 'Made since' });
  for (let round = 0; round < 2; round++) await phone.sync();
  expect(await atRest(phone)).toMatchObject({ phase: 'idle', pending: 0, attention: 1, error: null });
  const [attention] = await current(phone.attention$);
  expect(attention).toMatchObject({ error: { code: 'account_mismatch' }, remedies: ['send_again', 'discard'] });
  expect(attention!.message).toBe(
    'The new map was not taken. It may be work of another account. Send it again if it belongs to this one.',
  );
  expect(await accountNames(other)).toEqual(['Made since']);
  await phone.resolve(attention!.seq, 'send_again');
  await phone.sync();
  expect(await accountNames(other)).toContain('Handed over');
});
