import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Gemba } from '../../../client/client.ts';
import type { PairingCode } from '../../../shared/schema/auth.ts';
import type { MapRecord } from '../../../shared/schema/map.ts';
import type { RunRecord } from '../../../shared/schema/run.ts';
import { restClient, testServer, type TestServer } from '../../device/test-server.ts';
import { atRest, current, device, memoryStorage, network } from '../../device/devices.ts';
import { recordingOf } from '../../device/phones.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.remove());

/** Puts the device online only for the pairing itself, so that the test decides when the device syncs. */
async function pairQuietly(phone: Gemba, net: { online: boolean }, rest: ReturnType<typeof restClient>) {
  const { body } = await rest.send<PairingCode>('POST', '/auth/pairing-code', { device_kind: 'phone' });
  net.online = true;
  await phone.pair(body.code, 'Phone');
}

test('[ACCOUNT-4] paired after it had an API key, a device goes on: what was pushed and not proven is neither doubled nor done again', async () => {
  const token = await server.newAccount();
  const rest = restClient(server.url, token);
  const options = { name: 'from-key-to-pairing', storage: memoryStorage(), url: server.url };
  let pushed = 0;
  let online = true;
  // The second push arrives at the server; its answer is lost.
  const cutOff: typeof fetch = async (input, init) => {
    if (!online || pushed > 1) throw new TypeError('no network');
    const response = await fetch(input, init);
    if (!new URL(String(input)).pathname.endsWith('sync/push')) return response;
    if (++pushed > 1) throw new TypeError('no network');
    return response;
  };
  const byKey = await device({ ...options, token, fetch: cutOff });
  const { map_id } = await byKey.createMap({ name: 'Saw' });
  await byKey.sync();
  online = false;
  const recorded = [await byKey.importRecording({ mapId: map_id, recording: recordingOf('s-1') })];
  await byKey.updateMap(map_id, { name: 'Renamed by the device' });
  const { map_id: second } = await byKey.createMap({ name: 'Press' });
  const { stage_id } = await byKey.addStage(second, { stage: 'Load' });
  online = true;
  await byKey.sync();
  expect(await current(byKey.status$)).toMatchObject({ pending: 4 });
  await byKey.close();
  await rest.send('PATCH', `/maps/${map_id}`, { name: 'Renamed since' });

  const net = network(false);
  const paired = await device({ ...options, fetch: net.fetch });
  recorded.push(await paired.importRecording({ mapId: map_id, recording: recordingOf('s-2') }));
  await paired.updateStage(second, stage_id, { stage: 'Load blank' });
  await pairQuietly(paired, net, rest);
  await paired.sync();
  expect(await atRest(paired)).toMatchObject({ phase: 'idle', pending: 0, attention: 0 });
  expect((await rest.list<MapRecord>('/maps')).map(({ name }) => name)).toEqual(['Press', 'Renamed since']);
  expect((await rest.get<{ stages: { stage: string }[] }>(`/maps/${second}`)).stages).toMatchObject([
    { stage: 'Load blank' },
  ]);
  const runs = await rest.list<RunRecord>(`/maps/${map_id}/runs`);
  expect(runs.map(({ id }) => id)).toEqual(recorded.map(({ run_id }) => run_id).toReversed());
  for (const session of ['s-1', 's-2']) expect(await current(paired.custody$(session))).toBe('server');
});

test('[ACCOUNT-4] with nothing left to push, a device that is paired after it had an API key pulls on', async () => {
  const token = await server.newAccount();
  const rest = restClient(server.url, token);
  const options = { name: 'quiet-change', storage: memoryStorage(), url: server.url };
  const byKey = await device({ ...options, token });
  await byKey.createMap({ name: 'Saw' });
  await byKey.sync();
  await byKey.close();
  const net = network(false);
  const paired = await device({ ...options, fetch: net.fetch });
  await pairQuietly(paired, net, rest);
  await paired.sync();
  expect(await atRest(paired)).toMatchObject({ phase: 'idle', error: null });
});

test('[ACCOUNT-4] [TRANSFER-1] what it exported before it was paired anew is done once, by whichever device comes first', async () => {
  const token = await server.newAccount();
  const rest = restClient(server.url, token);
  const options = { name: 'exported-then-paired', storage: memoryStorage(), url: server.url };
  const first = network(true);
  const byKey = await device({ ...options, token, fetch: first.fetch });
  const { map_id } = await byKey.createMap({ name: 'Saw' });
  await byKey.sync();
  first.online = false;
  await byKey.updateMap(map_id, { name: 'Renamed on the device' });
  const file = await byKey.exportUnsent();
  await byKey.close();

  const net = network(false);
  const paired = await device({ ...options, fetch: net.fetch });
  await pairQuietly(paired, net, rest);
  await paired.sync();
  await rest.send('PATCH', `/maps/${map_id}`, { name: 'Renamed since' });
  const other = await device({ name: 'importer', url: server.url, token });
  await other.importUnsent(file);
  await other.sync();
  expect((await rest.get<MapRecord>(`/maps/${map_id}`)).name).toBe('Renamed since');
  expect(await atRest(other)).toMatchObject({ phase: 'idle', pending: 0, attention: 0 });
});
