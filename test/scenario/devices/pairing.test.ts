import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Device, PairingCode } from '../../../shared/schema/auth.ts';
import type { FullMap } from '../../../shared/schema/map.ts';
import type { RunRecord } from '../../../shared/schema/run.ts';
import { restClient, testServer, type RestClient, type TestServer } from '../../device/test-server.ts';
import { current, device, eventually, network } from '../../device/devices.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.remove());

async function createAccount(): Promise<RestClient> {
  return restClient(server.url, await server.newAccount());
}

async function newCode(rest: RestClient, device_kind: 'phone' | 'wearable'): Promise<string> {
  const { status, body } = await rest.send<PairingCode>('POST', '/auth/pairing-code', { device_kind });
  expect(status).toBe(201);
  return body.code;
}

test('[AUTH-29] a phone that was never given a key records, is paired by a code, and syncs', async () => {
  const rest = await createAccount();
  const net = network(false);
  const phone = await device({ url: server.url, fetch: net.fetch });
  const recording = await phone.startRecording({ newMap: { name: 'Press line' } });
  await recording.step({ stage_name: 'Load' });
  const { run_id, map_id } = await recording.finish();
  net.online = true;
  await phone.sync();
  expect(await current(phone.status$)).toMatchObject({ phase: 'blocked', pending: 1 });
  await expect(phone.pair('0000-0000', 'Phone')).rejects.toThrow('The pairing code is wrong');
  await phone.pair((await newCode(rest, 'phone')).toLowerCase(), 'Phone of Ada');
  await eventually(phone.status$, ({ phase, pending }) => phase === 'idle' && pending === 0);
  expect(await rest.list<RunRecord>(`/maps/${map_id}/runs`)).toMatchObject([{ id: run_id }]);
  const [paired] = await rest.list<Device>('/devices');
  expect(paired).toMatchObject({ name: 'Phone of Ada', kind: 'phone', revoked_at: null });
  expect((await rest.get<{ device_id: string }>(`/runs/${run_id}`)).device_id).toBe(paired!.id);
});

test('[AUTH-30] a paired wearable holds the maps alone, and records', async () => {
  const rest = await createAccount();
  const { body: map } = await rest.send<FullMap>('POST', '/maps', { name: 'Saw' });
  const steps = [{ stage_name: 'Cut', order: 1, duration_secs: 9 }];
  await rest.send('POST', `/maps/${map.id}/recording`, { steps });
  const watch = await device({ url: server.url, kind: 'wearable' });
  await watch.pair(await newCode(rest, 'wearable'), 'Watch 7');
  await eventually(watch.map$(map.id), (seen) => seen?.run_count === 1);
  expect(await current(watch.runs$(map.id))).toEqual([]);
  const recording = await watch.startRecording({ mapId: map.id });
  await recording.step({ stage_name: 'Cut' });
  const { recording_session_id, run_id } = await recording.finish();
  await eventually(watch.custody$(recording_session_id), (custody) => custody === 'server');
  expect((await rest.list<RunRecord>(`/maps/${map.id}/runs`)).map(({ id }) => id)).toContain(run_id);
  await watch.createMap({ name: 'Not with a watch' });
  const [refused] = await eventually(watch.attention$, (attentions) => attentions.length > 0);
  expect(refused).toMatchObject({ name: 'create_map', error: { code: 'forbidden' } });
});

test('[AUTH-31] [AUTH-94] a revoked phone is blocked and keeps everything; paired again it goes on and nothing is lost', async () => {
  const rest = await createAccount();
  const phone = await device({ url: server.url });
  await phone.pair(await newCode(rest, 'phone'), 'Phone');
  const { map_id } = await phone.createMap({ name: 'Saw' });
  await eventually(phone.status$, ({ phase, pending }) => phase === 'idle' && pending === 0);

  const [paired] = await rest.list<Device>('/devices');
  expect((await rest.send('POST', `/devices/${paired!.id}/revoke`)).status).toBe(200);
  const recorded: number[] = [];
  const record = async (secs: number) => {
    const steps = [{ stage_name: 'Cut', order: 1, duration_secs: secs }];
    recorded.push((await phone.importRecording({ mapId: map_id, recording: { steps } })).run_id);
  };
  await record(1);
  const blocked = await eventually(phone.status$, ({ phase }) => phase === 'blocked');
  expect(blocked).toMatchObject({ pending: 1, error: { status: 401, code: 'unauthorized' } });
  await record(2);
  await phone.sync();
  expect(await current(phone.status$)).toMatchObject({ phase: 'blocked', pending: 2, attention: 0 });
  expect((await current(phone.runs$(map_id))).map(({ id, pending }) => [id, pending])).toEqual([
    [recorded[1], true],
    [recorded[0], true],
  ]);
  expect(await rest.list(`/maps/${map_id}/runs`)).toEqual([]);

  await phone.pair(await newCode(rest, 'phone'), 'Phone');
  await eventually(phone.status$, ({ phase, pending }) => phase === 'idle' && pending === 0);
  await record(3);
  await eventually(phone.status$, ({ phase, pending }) => phase === 'idle' && pending === 0);
  const held = await rest.list<RunRecord>(`/maps/${map_id}/runs`);
  expect(held.map(({ id }) => id)).toEqual(recorded.toReversed());
  expect(await current(phone.attention$)).toEqual([]);
  expect(await rest.list<Device>('/devices')).toMatchObject([{ id: paired!.id, revoked_at: null }]);
});
