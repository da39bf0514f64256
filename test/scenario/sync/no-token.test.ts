/** A device without a token of its own. */
import { expect, onTestFinished, test, vi } from 'vitest';
import type { MapRecord } from '../../../shared/schema/map.ts';
import { atRest, current, device, network } from '../../device/devices.ts';
import { restClient, testServer } from '../../device/test-server.ts';

test('[SYNC-80] a device without a token syncs through a `fetch` of its own that adds one', async () => {
  const server = await testServer();
  onTestFinished(() => server.remove());
  const token = await server.newAccount();
  const signed: typeof fetch = (input, init) => {
    const headers = new Headers(init?.headers);
    headers.set('Authorization', `Bearer ${token}`);
    return fetch(input, { ...init, headers });
  };
  const phone = await device({ url: server.url, fetch: signed });
  await phone.createMap({ name: 'Saw' });
  await phone.sync();
  expect(await atRest(phone)).toMatchObject({ phase: 'idle', pending: 0, error: null });
  expect(await restClient(server.url, token).list<MapRecord>('/maps')).toMatchObject([{ name: 'Saw' }]);
});

test('[SYNC-80] a device without a token that has no network of its own is offline', async () => {
  const phone = await device({ url: 'http://127.0.0.1:9', fetch: network(false).fetch });
  await phone.createMap({ name: 'Saw' });
  await phone.sync();
  expect(await current(phone.status$)).toMatchObject({ phase: 'offline', pending: 1, error: null });
});

test('[SYNC-80] a device without a token asks nothing of the platform and says that it is not paired', async () => {
  const asked = vi.spyOn(globalThis, 'fetch');
  onTestFinished(() => asked.mockRestore());
  const phone = await device({ url: 'http://127.0.0.1:9' });
  await phone.createMap({ name: 'Saw' });
  await phone.sync();
  const unpaired = { phase: 'blocked', pending: 1, error: { code: 'unauthorized' } };
  expect(await current(phone.status$)).toMatchObject(unpaired);
  expect(asked).not.toHaveBeenCalled();
});
