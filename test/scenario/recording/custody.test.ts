import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import type { Custody } from '../../../client/client.ts';
import type { MapRecord } from '../../../shared/schema/map.ts';
import { restClient, testServer, type TestServer } from '../../device/test-server.ts';
import { current, device, memoryStorage, network } from '../../device/devices.ts';
import { recordingOf } from '../../device/phones.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.remove());

test.each(['phone', 'wearable'] as const)(
  '[CUSTODY-1] the %s hands a recording over when the pull has proven it, not when the push was answered',
  async (kind) => {
    const token = await server.newAccount();
    const net = network(false);
    let pulls = false;
    const noPull: typeof fetch = async (input, init) => {
      // The device pulls once without `client_id`, to learn its account.
      const isDevicePull = String(input).includes('sync/pull') && String(input).includes('client_id');
      if (isDevicePull && !pulls) throw new TypeError('no network');
      return net.fetch(input, init);
    };
    const options = { name: `custody-${kind}`, storage: memoryStorage(), url: server.url, token, kind, fetch: noPull };
    const before = await device(options);
    const { map_id } = await before.createMap({ name: 'Saw' });
    await before.importRecording({ mapId: map_id, recording: recordingOf('s-1') });
    const seen: Custody[] = [];
    const watching = before.custody$('s-1').subscribe((custody) => seen.push(custody));
    onTestFinished(() => watching.unsubscribe());
    net.online = true;
    await before.sync();
    expect(await restClient(server.url, token).list<MapRecord>('/maps')).toMatchObject([{ run_count: 1 }]);
    expect(seen).toEqual(['device']);
    pulls = true;
    await before.sync();
    expect(seen).toEqual(['device', 'server']);
    await before.close();
    const after = await device(options);
    expect(await current(after.custody$('s-1'))).toBe('server');
    expect(await current(after.custody$('never heard of'))).toBe('device');
  },
);

test('[CUSTODY-2] a recording that was refused stays with the device, until its remedy is proven', async () => {
  const token = await server.newAccount();
  const rest = restClient(server.url, token);
  const net = network();
  const phone = await device({ url: server.url, token, fetch: net.fetch });
  const { map_id } = await phone.createMap({ name: 'Saw' });
  await phone.sync();
  net.online = false;
  await rest.send('POST', `/maps/${map_id}/delete`);
  await phone.importRecording({ mapId: map_id, recording: recordingOf('s-2') });
  const seen: Custody[] = [];
  const watching = phone.custody$('s-2').subscribe((custody) => seen.push(custody));
  onTestFinished(() => watching.unsubscribe());
  net.online = true;
  await phone.sync();
  const [refused] = await current(phone.attention$);
  await phone.resolve(refused!.seq, 'save_as_new_map');
  expect(seen).toEqual(['device']);
  await phone.sync();
  expect(seen).toEqual(['device', 'server']);
});
