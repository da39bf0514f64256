import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Gemba, Mirror } from '../../../client/client.ts';
import { deviceRowId } from '../../../client/storage/rows.ts';
import { journalTimeoutMs } from '../../../client/storage/journal/journal.ts';
import type { PairingCode } from '../../../shared/schema/auth.ts';
import type { MapRecord } from '../../../shared/schema/map.ts';
import { restClient, testServer } from '../../device/test-server.ts';
import { copyDatabase, inDatabase } from '../../device/databases.ts';
import { atRest, current, device, eventually, network, manualSync } from '../../device/devices.ts';
import { folderJournal } from '../../device/disk-journal.ts';
import { newFolder, breakableJournal } from '../../device/folder-journal.ts';

const url = 'http://127.0.0.1:9';
const offline: typeof fetch = () => Promise.reject(new TypeError('no network'));

/** Opens the device with a new database, so that the journal alone can restore earlier work. */
const openDeviceWith = (mirror?: Mirror) => device({ url, fetch: offline, ...(mirror ? { mirror } : {}) });

test('[STORAGE-4] [STORAGE-52] a tap stands when its second copy cannot be written, which is told, and the next write makes up for it', async () => {
  const folder = newFolder();
  const good = folderJournal(folder);
  let isBroken = false;
  const write: Mirror['write'] = (changes) => (isBroken ? Promise.reject(new Error('no room')) : good.write(changes));
  const phone = await openDeviceWith({ ...good, write });
  const recording = await phone.startRecording({ newMap: { name: 'Saw' } });
  await recording.step({ stage_name: 'load' });
  isBroken = true;
  await recording.step({ stage_name: 'cut' });
  expect(await current(phone.status$)).toMatchObject({ second_copy: 'behind' });
  isBroken = false;
  await recording.step({ stage_name: 'stack' });
  await eventually(phone.status$, ({ second_copy }) => second_copy === 'kept');
  await phone.close();

  const again = await openDeviceWith(good);
  const steps = (await current(again.recording$))?.steps.map(({ stage_name }) => stage_name);
  expect(steps).toEqual(['load', 'cut', 'stack']);
});

test('[STORAGE-53] a second copy that hangs is waited for once, and never again', async () => {
  const good = folderJournal(newFolder());
  let isHanging = false;
  const hangsNow = <Result>(work: () => Promise<Result>) => (isHanging ? new Promise<Result>(() => {}) : work());
  const timers: (() => void)[] = [];
  let tellTimer: () => void = () => {};
  const schedule = (ms: number, call: () => void) => {
    if (ms === journalTimeoutMs) {
      timers.push(call);
      tellTimer();
    }
    return () => {};
  };
  const mirror: Mirror = {
    ...good,
    write: (changes) => hangsNow(() => good.write(changes)),
    exchange: (decide) => hangsNow(() => good.exchange(decide)),
  };
  const phone = await device({ url, fetch: offline, mirror, clock: { schedule } });
  const recording = await phone.startRecording({ newMap: { name: 'Saw' } });
  isHanging = true;
  timers.length = 0;
  const scheduled = new Promise<void>((resolve) => (tellTimer = resolve));
  const waiting = recording.step({ stage_name: 'load' });
  await scheduled;
  for (const call of timers) call();
  await waiting;
  for (const stage_name of ['cut', 'stack', 'pack']) await recording.step({ stage_name });
  expect(await current(phone.status$)).toMatchObject({ second_copy: 'behind' });
});

test('[STORAGE-5] a device whose database is gone does not become a new one while its second copy cannot be read', async () => {
  const folder = newFolder();
  const mirror = folderJournal(folder);
  const phone = await openDeviceWith(mirror);
  const { map_id } = await phone.createMap({ name: 'Saw' });
  await phone.close();

  const unreadable: Mirror = { ...mirror, exchange: () => Promise.reject(new Error('another tab has it')) };
  await expect(openDeviceWith(unreadable)).rejects.toMatchObject({ code: 'storage_lost' });
  const again = await openDeviceWith(mirror);
  expect(await current(again.map$(map_id))).toMatchObject({ name: 'Saw', pending: true });
});

test('[STORAGE-6] [STORAGE-54] what the server has leaves the second copy, and without a place for one the engine works and says so', async () => {
  const server = await testServer();
  onTestFinished(() => server.remove());
  const mirror = folderJournal(newFolder());
  const phone = await device({ url: server.url, token: await server.newAccount(), mirror });
  const recording = await phone.startRecording({ newMap: { name: 'Saw' } });
  await recording.step({ stage_name: 'load' });
  expect(await storedKinds(mirror)).toEqual(['device', 'started', 'stepped']);
  const { recording_session_id } = await recording.finish();
  expect(await storedKinds(mirror)).toEqual(['device', 'mutation']);
  await phone.sync();
  expect(await current(phone.custody$(recording_session_id))).toBe('server');
  expect(await storedKinds(mirror)).toEqual(['device']);

  const plain = await openDeviceWith();
  await plain.createMap({ name: 'Saw' });
  expect(await current(plain.status$)).toMatchObject({ second_copy: 'none', pending: 1 });
});

test('[STORAGE-14] what is made after a second copy that was behind was put back has numbers that were never given', async () => {
  const server = await testServer();
  onTestFinished(() => server.remove());
  const token = await server.newAccount();
  const good = folderJournal(newFolder());
  const mirror = breakableJournal(good);
  const net = network();
  const options = { url: server.url, token, fetch: net.fetch };
  const phone = await device({ ...options, mirror });
  await phone.sync();
  net.online = false;
  const { map_id } = await phone.createMap({ name: 'Saw' });
  await phone.updateMap(map_id, { name: 'Big saw' });
  mirror.isBroken = true;
  net.online = true;
  for (const name of ['Press', 'Lathe']) await phone.createMap({ name });
  await phone.sync();
  expect(await current(phone.status$)).toMatchObject({ pending: 0, second_copy: 'behind' });
  await phone.close();
  const rest = restClient(server.url, token);
  await rest.send('PATCH', `/maps/${map_id}`, { name: 'Renamed since' });

  net.online = false;
  const again = await device({ ...options, mirror: good });
  await again.createMap({ name: 'Drill' });
  expect((await current(again.maps$)).map(({ name }) => name).toSorted()).toEqual(['Big saw', 'Drill']);
  net.online = true;
  await again.sync();
  const names = ['Drill', 'Lathe', 'Press', 'Renamed since'];
  expect((await current(again.maps$)).map(({ name }) => name).toSorted()).toEqual(names);
  expect((await rest.list<MapRecord>('/maps')).map(({ name }) => name).toSorted()).toEqual(names);
  expect(await atRest(again)).toMatchObject({ phase: 'idle', pending: 0, attention: 0 });
});

test('[STORAGE-15] a database that went back to an earlier state takes what it lost from the second copy, and gives no number twice', async () => {
  const server = await testServer();
  onTestFinished(() => server.remove());
  const token = await server.newAccount();
  const net = network();
  const options = { url: server.url, token, fetch: net.fetch, mirror: folderJournal(newFolder()) };
  const named = { ...options, name: 'goes-back' };
  const before = await device(named);
  const { map_id } = await before.createMap({ name: 'Saw' });
  await before.sync();
  const recording = await before.startRecording({ mapId: map_id });
  await recording.step({ stage_name: 'load' });
  net.online = false;
  await before.close();
  await copyDatabase({ from: 'goes-back', to: 'went-back' });

  const lost = await device(named);
  await (await current(lost.recording$))!.finish();
  await lost.createMap({ name: 'Press' });
  net.online = true;
  await lost.sync();
  net.online = false;
  await lost.createMap({ name: 'Lathe' });
  await lost.close();

  const again = await device({ ...options, name: 'went-back' });
  expect(await current(again.recording$)).toBeNull();
  await again.createMap({ name: 'Drill' });
  net.online = true;
  await again.sync();
  expect(await atRest(again)).toMatchObject({ phase: 'idle', pending: 0, attention: 0 });
  const onServer = await restClient(server.url, token).list<MapRecord>('/maps');
  expect(onServer.map(({ name, run_count }) => `${name} ${run_count}`).toSorted()).toEqual([
    'Drill 0',
    'Lathe 0',
    'Press 0',
    'Saw 1',
  ]);
});

test('[STORAGE-32] [STORAGE-55] [STORAGE-56] no token is in the second copy: a device that has nothing else keeps its work, and goes on when it is paired again', async () => {
  const server = await testServer();
  onTestFinished(() => server.remove());
  const rest = restClient(server.url, await server.newAccount());
  const folder = newFolder();
  const pair = async (phone: Gemba) => {
    const { body } = await rest.send<PairingCode>('POST', '/auth/pairing-code', { device_kind: 'phone' });
    await phone.pair(body.code, 'Phone');
  };
  const net = network();
  const options = { url: server.url, ...manualSync(net), mirror: folderJournal(folder) };
  const name = 'device-with-a-token';
  const phone = await device({ ...options, name });
  await pair(phone);
  await phone.sync();
  net.online = false;
  await phone.createMap({ name: 'Saw' });
  await phone.close();
  const body = await inDatabase(name, ({ outbox }) => Promise.resolve(outbox.get(deviceRowId)));
  const token = body?.kind === 'device' ? body.token : null;
  expect(token).toMatch(/./);
  expect(textIn(folder)).not.toContain(token);

  // An earlier version of the app left this row.
  await options.mirror.write([['outbox|device', body]]);
  expect(textIn(folder)).toContain(token);
  await (await device({ ...options, name })).close();
  expect(textIn(folder)).not.toContain(token);

  net.online = true;
  const again = await device(options);
  await again.sync();
  expect(await current(again.status$)).toMatchObject({
    phase: 'blocked',
    pending: 1,
    error: { code: 'unauthorized' },
  });
  await pair(again);
  await again.sync();
  expect(await current(again.status$)).toMatchObject({ phase: 'idle', pending: 0, attention: 0 });
  expect((await rest.list<MapRecord>('/maps')).map((map) => map.name)).toEqual(['Saw']);
});

const textIn = (folder: string): string =>
  readdirSync(folder)
    .map((file) => readFileSync(join(folder, file), 'utf8'))
    .join('');

async function storedKinds(mirror: Mirror): Promise<string[]> {
  let kinds: string[] = [];
  await mirror.exchange((rows) => {
    kinds = [...rows.values()].flatMap((body) => (body as { kind?: string }).kind ?? []);
    return Promise.resolve({ changes: [] });
  });
  return kinds.toSorted();
}
