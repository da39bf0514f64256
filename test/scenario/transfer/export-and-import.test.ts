import { afterAll, beforeAll, expect, test } from 'vitest';
import { sha256 } from '../../../client/core/hash.ts';
import { type UnsentFile } from '../../../client/transfer/unsent-file.ts';
import { canonicalJson } from '../../../shared/protocol/canonical-json.ts';
import type { PairingCode } from '../../../shared/schema/auth.ts';
import type { FullMap, MapRecord } from '../../../shared/schema/map.ts';
import type { RunRecord } from '../../../shared/schema/run.ts';
import { testServer, type RestClient, type TestServer } from '../../device/test-server.ts';
import { current, device, network } from '../../device/devices.ts';
import { phonesOf, recordingOf, sync, type Phone } from '../../device/phones.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.remove());

const account = (plan?: 'free' | 'team') => phonesOf(server, plan);

/** Makes work of every kind: two maps, a rename, a changed stage, two recordings, one deletion. */
async function makeWork({ phone }: Phone): Promise<{ map_id: string; runIds: number[] }> {
  const { map_id } = await phone.createMap({ name: 'Saw' });
  await phone.updateMap(map_id, { name: 'Big saw' });
  const { map_id: other } = await phone.createMap({ name: 'Press' });
  const { stage_id } = await phone.addStage(other, { stage: 'Load' });
  await phone.updateStage(other, stage_id, { stage: 'Load blank' });
  const runs = [];
  for (const session of ['s-1', 's-2', 's-3']) {
    runs.push(await phone.importRecording({ mapId: map_id, recording: recordingOf(session) }));
  }
  await phone.deleteRun(runs[1]!.run_id);
  return { map_id, runIds: [runs[2]!.run_id, runs[0]!.run_id] };
}

async function expectWorkOnce(
  rest: RestClient,
  { map_id, runIds }: { map_id: string; runIds: number[] },
  name = 'Big saw',
) {
  const maps = await rest.list<MapRecord>('/maps');
  expect(maps.map((map) => map.name).toSorted()).toEqual([name, 'Press'].toSorted());
  expect((await rest.list<RunRecord>(`/maps/${map_id}/runs`)).map(({ id }) => id)).toEqual(runIds);
  const other = await rest.get<FullMap>(`/maps/${maps.find((map) => map.id !== map_id)!.id}`);
  expect(other.stages.map(({ stage }) => stage)).toEqual(['Load blank']);
}

async function expectIdle({ phone }: Phone): Promise<void> {
  expect(await current(phone.status$)).toMatchObject({ phase: 'idle', pending: 0, attention: 0, error: null });
}

test('[TRANSFER-1] [TRANSFER-25] what a device could not send is carried on by another, in order and under its ids; the first then finds it done', async () => {
  const { rest, newPhone } = await account();
  const [old, fresh] = [await newPhone(), await newPhone()];
  const work = await makeWork(old);
  const file = JSON.stringify(await old.phone.exportUnsent());
  expect(await fresh.phone.importUnsent(file)).toEqual({ mutations: 9, recording: false });
  expect(await current(fresh.phone.map$(work.map_id))).toMatchObject({ name: 'Big saw', run_count: 2, pending: true });
  expect(await current(fresh.phone.custody$('s-1'))).toBe('device');
  await fresh.phone.updateMap(work.map_id, { name: 'Small saw' });
  await sync(fresh);
  await expectWorkOnce(rest, work, 'Small saw');
  await expectIdle(fresh);
  expect(await current(fresh.phone.custody$('s-1'))).toBe('server');

  await sync(old);
  await expectWorkOnce(rest, work, 'Small saw');
  await expectIdle(old);
  expect(await current(old.phone.map$(work.map_id))).toMatchObject({ name: 'Small saw', pending: false });
});

test('[TRANSFER-1] what is carried on by a third device goes in the order in which it was made on the two before', async () => {
  const { rest, newPhone } = await account();
  const [old, fresh, third] = [await newPhone(), await newPhone(), await newPhone()];
  await old.phone.createMap({ name: 'Press' });
  await sync(old);
  // The number of this mutation is above the number that the next device gives to the import.
  const { map_id } = await old.phone.createMap({ name: 'Saw' });
  await fresh.phone.importUnsent(await old.phone.exportUnsent());
  await fresh.phone.addStage(map_id, { stage: 'Load' });
  await third.phone.importUnsent(await fresh.phone.exportUnsent());
  expect(await current(third.phone.map$(map_id))).toMatchObject({ stage_count: 1, pending: true });
  await sync(third);
  await expectIdle(third);
  expect(await rest.get<FullMap>(`/maps/${map_id}`)).toMatchObject({ name: 'Saw', stage_count: 1 });
});

test('[TRANSFER-2] imported again, here, on the device itself and on a third one, nothing is doubled', async () => {
  const { rest, newPhone } = await account();
  const [old, fresh, third] = [await newPhone(), await newPhone(), await newPhone()];
  const work = await makeWork(old);
  const file = await old.phone.exportUnsent();
  await fresh.phone.importUnsent(file);
  expect(await fresh.phone.importUnsent(file)).toEqual({ mutations: 0, recording: false });
  expect(await old.phone.importUnsent(file)).toEqual({ mutations: 0, recording: false });
  await third.phone.importUnsent(file);
  await sync(fresh);
  await rest.send('PATCH', `/maps/${work.map_id}`, { name: 'Renamed since' });
  for (const phone of [third, old, fresh]) await sync(phone);
  await fresh.phone.importUnsent(await old.phone.exportUnsent());
  await fresh.phone.importUnsent(file);
  await sync(fresh);
  await expectWorkOnce(rest, work, 'Renamed since');
  for (const phone of [old, fresh, third]) await expectIdle(phone);
});

test('[TRANSFER-3] what was refused goes along and can be remedied on either device, once', async () => {
  const { rest, newPhone } = await account('free');
  for (const name of ['One', 'Two']) await rest.send('POST', '/maps', { name });
  const [old, fresh] = [await newPhone(), await newPhone()];
  const { map_id } = await old.phone.createMap({ name: 'Three' });
  await old.phone.addStage(map_id, { stage: 'Load' });
  await sync(old);
  const file = await old.phone.exportUnsent();
  const twice = await Promise.all([fresh.phone.importUnsent(file), fresh.phone.importUnsent(file)]);
  expect(twice.map(({ mutations }) => mutations).toSorted()).toEqual([0, 2]);
  expect((await current(fresh.phone.attention$)).map(({ seq, because_of }) => [seq, because_of])).toEqual([
    [-1, undefined],
    [0, -1],
  ]);
  for (const { id } of await rest.list<MapRecord>('/maps')) await rest.send('POST', `/maps/${id}/delete`);
  await fresh.phone.resolve(-1, 'send_again');
  await old.phone.resolve(1, 'send_again');
  for (const phone of [fresh, old, fresh]) await sync(phone);
  expect(await fresh.phone.importUnsent(file)).toEqual({ mutations: 0, recording: false });
  for (const phone of [old, fresh]) await expectIdle(phone);
  expect(await rest.list<MapRecord>('/maps')).toMatchObject([{ id: map_id, name: 'Three', stage_count: 1 }]);
});

test('[TRANSFER-5] a file that is damaged, of a newer app, of another account or no such file is refused and changes nothing', async () => {
  const { newPhone } = await account();
  const [old, fresh] = [await newPhone(), await newPhone()];
  const stranger = await (await account()).newPhone();
  await makeWork(old);
  const file = await old.phone.exportUnsent();
  const damaged = { ...file, mutations: file.mutations.slice(1) };
  for (const [content, code] of [
    [damaged, 'unsent_file_invalid'],
    [JSON.stringify(file).slice(0, -9), 'unsent_file_invalid'],
    [{ ...file, version: 3 }, 'unsent_file_too_new'],
    [{}, 'unsent_file_invalid'],
    // These files are complete, and a push of their content would always be refused.
    [await withNewChecksum(file, { client_id: 'nobody' }), 'unsent_file_invalid'],
    [await withNewChecksum(file, { recorded_at: 'soon' }), 'unsent_file_invalid'],
    [null, 'unsent_file_invalid'],
  ] as const) {
    await expect(fresh.phone.importUnsent(content)).rejects.toMatchObject({ code });
  }
  await expect(stranger.phone.importUnsent(file)).rejects.toMatchObject({ code: 'account_mismatch' });
  for (const { phone } of [fresh, stranger]) {
    expect(await current(phone.status$)).toMatchObject({ pending: 0, attention: 0 });
    expect(await current(phone.maps$)).toEqual([]);
  }
});

/** Changes the first mutation of the file and seals the file with a checksum that fits. */
async function withNewChecksum({ checksum: _old, ...work }: UnsentFile, fields: object): Promise<UnsentFile> {
  const [first, ...rest] = work.mutations;
  const changed = { ...work, mutations: [{ ...first!, ...fields }, ...rest] };
  return { ...changed, checksum: await sha256(canonicalJson(changed)) };
}

test('[TRANSFER-6] the work of a device that never had a network is carried on by another, and it goes on once it is paired', async () => {
  const { rest, newPhone } = await account();
  const net = network(false);
  const old: Phone = { phone: await device({ url: server.url, fetch: net.fetch }), net };
  const work = await makeWork(old);
  const fresh = await newPhone();
  await fresh.phone.importUnsent(await old.phone.exportUnsent());
  await sync(fresh);
  await expectWorkOnce(rest, work);
  const { run_id } = await old.phone.importRecording({ mapId: work.map_id, recording: recordingOf('s-4') });
  await rest.send('PATCH', `/maps/${work.map_id}`, { name: 'Renamed since' });
  const { body } = await rest.send<PairingCode>('POST', '/auth/pairing-code', { device_kind: 'phone' });
  net.online = true;
  await old.phone.pair(body.code, 'Old');
  await old.phone.sync();
  await expectIdle(old);
  await expectWorkOnce(rest, { ...work, runIds: [run_id, ...work.runIds] }, 'Renamed since');
});

test('[TRANSFER-11] equal changes of one moment are taken in each, in their order and once, also once they are numbered anew', async () => {
  const { rest, newPhone } = await account();
  const stopped = Date.UTC(2026, 3, 1);
  const [old, fresh] = [
    await newPhone({ clock: { schedule: () => () => {}, wallMs: () => stopped } }),
    await newPhone(),
  ];
  const { map_id } = await old.phone.createMap({ name: 'Saw' });
  for (const name of ['Big saw', 'Small saw']) await old.phone.updateMap(map_id, { name });
  expect(await fresh.phone.importUnsent(await old.phone.exportUnsent())).toMatchObject({ mutations: 3 });
  await old.phone.updateMap(map_id, { name: 'Big saw' });
  const file = await old.phone.exportUnsent();
  expect(await fresh.phone.importUnsent(file)).toMatchObject({ mutations: 1 });
  expect(await fresh.phone.importUnsent(file)).toMatchObject({ mutations: 0 });
  await sync(fresh);
  expect(await rest.list<MapRecord>('/maps')).toMatchObject([{ name: 'Big saw' }]);
  await sync(old);
  for (const phone of [old, fresh]) await expectIdle(phone);
  expect(await rest.list<MapRecord>('/maps')).toMatchObject([{ name: 'Big saw' }]);
});

test('[TRANSFER-11] a refused change that another device took in is known to the first by the number that it was made under', async () => {
  const { rest, newPhone } = await account('free');
  for (const name of ['One', 'Two']) await rest.send('POST', '/maps', { name });
  const [old, fresh, third] = [await newPhone(), await newPhone(), await newPhone()];
  await old.phone.createMap({ name: 'Three' });
  await sync(old);
  await fresh.phone.importUnsent(await old.phone.exportUnsent());
  const again = await fresh.phone.exportUnsent();
  expect(again.mutations).toHaveLength(1);
  expect(await third.phone.importUnsent(again)).toMatchObject({ mutations: 1 });
  for (const { phone } of [old, fresh, third]) {
    expect(await phone.importUnsent(again)).toMatchObject({ mutations: 0 });
    expect(await phone.importUnsent(await old.phone.exportUnsent())).toMatchObject({ mutations: 0 });
  }
});
