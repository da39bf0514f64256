import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Attention, Gemba } from '../../../client/client.ts';
import { protocolVersion } from '../../../shared/protocol/version.ts';
import type { FullMap, MapRecord } from '../../../shared/schema/map.ts';
import type { RunRecord } from '../../../shared/schema/run.ts';
import { restClient, testServer, type RestClient, type TestServer } from '../../device/test-server.ts';
import { current, device, network, type Network } from '../../device/devices.ts';
import { recordingOf } from '../../device/phones.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.remove());

interface Setting {
  token: string;
  phone: Gemba;
  rest: RestClient;
  net: Network;
}

async function openSetting(plan: 'free' | 'team' = 'team'): Promise<Setting> {
  const token = await server.newAccount(plan);
  const net = network(false);
  return {
    token,
    phone: await device({ url: server.url, token, fetch: net.fetch }),
    rest: restClient(server.url, token),
    net,
  };
}

const attentionOf = (phone: Gemba): Promise<Attention[]> => current(phone.attention$);
const mapNamesOf = async (rest: RestClient): Promise<string[]> =>
  (await rest.list<MapRecord>('/maps')).map(({ name }) => name).toSorted();
/** Goes online for one sync and offline again. */
async function syncOnce({ phone, net }: Setting): Promise<void> {
  net.online = true;
  await phone.sync();
  net.online = false;
}

async function openSettingWithFullAccount(): Promise<Setting> {
  const it = await openSetting('free');
  for (const name of ['One', 'Two']) await it.rest.send('POST', '/maps', { name });
  return it;
}

test('[ATTENTION-1] [ATTENTION-8] [ATTENTION-7] what hangs on a refused mutation says so, and its remedy takes all of it along in order', async () => {
  const it = await openSettingWithFullAccount();
  const { phone, rest } = it;
  const { map_id } = await phone.createMap({ name: 'Three' });
  await phone.updateMap(map_id, { name: 'Third' });
  const { stage_id } = await phone.addStage(map_id, { stage: 'Load' });
  await phone.updateStage(map_id, stage_id, { stage: 'Load blank' });
  const { run_id } = await phone.importRecording({ mapId: map_id, recording: recordingOf('s-1') });
  await syncOnce(it);
  const attention = await attentionOf(phone);
  expect(attention.map(({ name, error, because_of }) => [name, error.code, because_of])).toEqual([
    ['create_map', 'map_cap_reached', undefined],
    ['update_map', 'map_not_found', 1],
    ['add_stage', 'map_not_found', 1],
    ['update_stage', 'map_not_found', 3],
    ['upload_recording', 'map_not_found', 1],
  ]);
  expect(attention[0]?.message).toMatch(/^The new map was not taken. Your plan includes 2 maps. Delete one/);
  expect(attention[1]?.message).toBe(
    'The change of the map waits for something that was not taken: the new map “Three”. Solve that first; this goes along.',
  );
  expect(attention.map(({ remedies }) => remedies.includes('send_again'))).toEqual([true, false, false, false, false]);

  const [one] = await rest.list<MapRecord>('/maps');
  await rest.send('POST', `/maps/${one!.id}/delete`);
  await phone.resolve(1, 'send_again');
  expect(await current(phone.map$(map_id))).toMatchObject({ name: 'Third', run_count: 1, pending: true });
  await syncOnce(it);
  expect(await attentionOf(phone)).toEqual([]);
  expect(await rest.get<FullMap>(`/maps/${map_id}`)).toMatchObject({ name: 'Third', run_count: 1 });
  expect(await rest.list<RunRecord>(`/maps/${map_id}/runs`)).toMatchObject([{ id: run_id }]);
});

test('[ATTENTION-5] a refused mutation is remedied once, also after it was discarded and had back', async () => {
  const it = await openSettingWithFullAccount();
  const { phone, rest } = it;
  await phone.createMap({ name: 'Three' });
  await syncOnce(it);
  await phone.resolve(1, 'discard');
  await phone.restoreChange(1);
  expect((await attentionOf(phone)).map(({ seq }) => seq)).toEqual([1]);
  await expect(phone.resolve(1, 'new_id')).rejects.toMatchObject({ code: 'remedy_unfit' });
  const [one] = await rest.list<MapRecord>('/maps');
  await rest.send('POST', `/maps/${one!.id}/delete`);
  const resolved = await Promise.allSettled([phone.resolve(1, 'send_again'), phone.resolve(1, 'send_again')]);
  expect(resolved.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
  await syncOnce(it);
  expect(await mapNamesOf(rest)).toHaveLength(2);
  expect(await attentionOf(phone)).toEqual([]);
});

test('[ATTENTION-2] [ATTENTION-9] an id that another record has is made anew by itself, once, and what hangs on it follows', async () => {
  const it = await openSetting();
  const { phone, rest } = it;
  const { map_id } = await phone.createMap({ name: 'Mine' });
  const { stage_id } = await phone.addStage(map_id, { stage: 'Load' });
  await rest.send('POST', '/maps', { id: map_id, name: 'Theirs' });
  await rest.send('POST', `/maps/${map_id}/delete`);
  await syncOnce(it);
  await syncOnce(it);
  expect(await attentionOf(phone)).toEqual([]);
  expect(await current(phone.status$)).toMatchObject({ pending: 0 });
  const held = await rest.list<MapRecord>('/maps');
  expect(held).toMatchObject([{ name: 'Mine', stage_count: 1 }]);
  expect(held[0]!.id).not.toBe(map_id);
  expect((await rest.get<FullMap>(`/maps/${held[0]!.id}`)).stages).toMatchObject([{ id: stage_id, stage: 'Load' }]);
});

test('[ATTENTION-10] a map or stage that stands already under its id and name is not made a second time', async () => {
  const it = await openSetting();
  const { phone, rest } = it;
  const { map_id } = await phone.createMap({ name: 'Saw' });
  const stage = 'Load';
  const { stage_id } = await phone.addStage(map_id, { stage });
  await rest.send('POST', '/maps', { id: map_id, name: 'Saw' });
  const sameStage = {
    seq: 1,
    name: 'add_stage',
    args: { map_id, stage_id, stage },
    recorded_at: '2026-04-01T09:30:00.000Z',
  };
  await fetch(`${server.url}/api/v1/sync/push`, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${it.token}`,
      'Content-Type': 'application/json',
      'Gemba-Protocol': String(protocolVersion),
    },
    body: JSON.stringify({ client_id: crypto.randomUUID(), acked_seq: 0, mutations: [sameStage] }),
  });
  await syncOnce(it);
  expect(await mapNamesOf(rest)).toEqual(['Saw']);
  expect((await rest.get<FullMap>(`/maps/${map_id}`)).stages).toMatchObject([{ id: stage_id, stage }]);
  expect(await attentionOf(phone)).toEqual([]);
  expect(await current(phone.status$)).toMatchObject({ pending: 0 });
});

test('[ATTENTION-3] [ATTENTION-11] a recording of a deleted map is saved as a new one under the name of the old', async () => {
  const it = await openSetting();
  const { phone, rest } = it;
  const { map_id } = await phone.createMap({ name: 'Saw' });
  await phone.createMap({ name: 'Saw (2)' });
  await syncOnce(it);
  await phone.importRecording({ mapId: map_id, recording: recordingOf('s-1') });
  await phone.importRecording({ mapId: map_id, recording: recordingOf('s-2') });
  await rest.send('POST', `/maps/${map_id}/delete`);
  await syncOnce(it);
  const [first, second] = await attentionOf(phone);
  expect(first?.message).toBe('The recording was not taken. Its map is in the recycle bin.');
  await phone.resolve(first!.seq, 'save_as_new_map');
  await phone.resolve(second!.seq, 'save_as_new_map');
  await syncOnce(it);
  expect(await mapNamesOf(rest)).toEqual(['Saw', 'Saw (2)', 'Saw (3)']);
  expect(await attentionOf(phone)).toEqual([]);
  for (const session of ['s-1', 's-2']) expect(await current(phone.custody$(session))).toBe('server');
});

test('[ATTENTION-4] [ATTENTION-12] what did not fit is edited, and wrong fields are told at once', async () => {
  const it = await openSetting();
  const { phone, rest } = it;
  const { map_id } = await phone.createMap({ name: 'Saw' });
  const first = await phone.addStage(map_id, { stage: 'Load' });
  const second = await phone.addStage(map_id, { stage: 'Cut' });
  await syncOnce(it);
  await phone.reorderStages(map_id, [second.stage_id, first.stage_id]);
  await rest.send('POST', `/maps/${map_id}/stages`, { stage: 'Check' });
  await syncOnce(it);
  const [refused] = await attentionOf(phone);
  expect(refused).toMatchObject({ error: { code: 'stage_ids_mismatch' }, remedies: ['edit', 'discard'] });
  await expect(phone.resolve(refused!.seq, 'edit', { map_id })).rejects.toMatchObject({
    code: 'validation_failed',
    errors: [{ path: '/stage_ids' }],
  });
  const ids = (await current(phone.map$(map_id)))!.stages.map(({ id }) => id).toReversed();
  await phone.resolve(refused!.seq, 'edit', { map_id, stage_ids: ids });
  await syncOnce(it);
  expect((await rest.get<FullMap>(`/maps/${map_id}`)).stages.map(({ stage }) => stage)).toEqual([
    'Check',
    'Cut',
    'Load',
  ]);
  expect(await attentionOf(phone)).toEqual([]);
});

test('[ATTENTION-13] what was discarded can be had back, the last 20', async () => {
  const it = await openSettingWithFullAccount();
  const { phone } = it;
  for (let count = 1; count <= 21; count++) await phone.createMap({ name: `more ${count}` });
  await syncOnce(it);
  for (let seq = 1; seq <= 21; seq++) await phone.resolve(seq, 'discard');
  expect(await attentionOf(phone)).toEqual([]);
  expect((await current(phone.discardedChanges$)).map(({ seq }) => seq)).toHaveLength(20);
  await phone.restoreChange(7);
  expect((await attentionOf(phone)).map(({ seq, args }) => [seq, args['name']])).toEqual([[7, 'more 7']]);
  await expect(phone.restoreChange(7)).rejects.toMatchObject({ code: 'attention_not_found' });
});
