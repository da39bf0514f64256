/** A device whose storage is full for some time. */
import { expect, onTestFinished, test } from 'vitest';
import type { AnyRxStorage } from '../../rx-storage.ts';
import { systemClock } from '../../../client/core/clock.ts';
import { openDeviceTables } from '../../../client/storage/device-tables.ts';
import { tombstoneRetryDelayMs } from '../../../client/storage/journal/tombstone-writer.ts';
import { fullStorageCheckIntervalMs } from '../../../client/storage/quota.ts';
import { testServer } from '../../device/test-server.ts';
import { current, device, eventually, memoryStorage, network, manualSync } from '../../device/devices.ts';
import { folderJournal } from '../../device/disk-journal.ts';
import { newFolder, breakableJournal } from '../../device/folder-journal.ts';
import { manualTimers } from '../../device/manual-timers.ts';
import { recordingOf } from '../../device/phones.ts';

interface Disk {
  isFull: boolean;
  /** A collection such as `outbox`; all of them if absent. */
  fullFor?: string;
  /** Tombstones still fit. */
  takesTombstones?: boolean;
  storage: AnyRxStorage;
}

function createDisk(inner = memoryStorage(), databaseName?: string): Disk {
  const isRefused = (name: string) => it.isFull && (it.fullFor ?? name) === name;
  const it: Disk = {
    isFull: false,
    storage: {
      ...inner,
      createStorageInstance: async (params) => {
        const instance = await inner.createStorageInstance({ ...params, ...(databaseName ? { databaseName } : {}) });
        const bulkWrite = instance.bulkWrite.bind(instance);
        const refused = new DOMException('no room', 'QuotaExceededError');
        instance.bulkWrite = (rows, context) => {
          const isTaken = it.takesTombstones && rows.every(({ document }) => document._deleted);
          return isRefused(params.collectionName) && !isTaken ? Promise.reject(refused) : bulkWrite(rows, context);
        };
        return instance;
      },
    },
  };
  return it;
}

test('[STORAGE-10] [STORAGE-66] a change that finds no room is refused, told, and forgotten once there is room again', async () => {
  const flash = createDisk();
  const offline: typeof fetch = () => Promise.reject(new TypeError('no network'));
  const phone = await device({ url: 'http://127.0.0.1:9', fetch: offline, storage: flash.storage });
  await phone.createMap({ name: 'Saw' });
  flash.isFull = true;
  await expect(phone.createMap({ name: 'Press' })).rejects.toMatchObject({ code: 'storage_full' });
  expect(await current(phone.status$)).toMatchObject({ pending: 1, error: { code: 'storage_full' } });
  flash.isFull = false;
  await phone.createMap({ name: 'Drill' });
  expect(await current(phone.status$)).toMatchObject({ pending: 2, error: null });
  expect((await current(phone.maps$)).map(({ name }) => name)).toEqual(['Drill', 'Saw']);
});

test('[STORAGE-18] a full disk does not keep a device from opening, which has receipts to forget', async () => {
  const server = await testServer();
  onTestFinished(() => server.remove());
  const flash = createDisk();
  let wall_ms = Date.UTC(2026, 3, 1);
  const net = network();
  const { clock, fetch } = manualSync(net);
  const options = {
    name: 'device-on-a-full-disk',
    storage: flash.storage,
    url: server.url,
    token: await server.newAccount(),
    fetch,
    clock: { ...clock, wallMs: () => wall_ms },
  };
  const before = await device(options);
  const { map_id } = await before.createMap({ name: 'Saw' });
  for (const session of ['old', 'new']) {
    await before.importRecording({ mapId: map_id, recording: recordingOf(session) });
    await before.sync();
    wall_ms += 35 * 24 * 60 * 60_000;
  }
  net.online = false;
  await before.importRecording({ mapId: map_id, recording: recordingOf('unsent') });
  await before.close();
  flash.isFull = true;
  const after = await device(options);
  expect(await current(after.status$)).toMatchObject({ pending: 1 });
  flash.isFull = false;
});

test('[RECORDER-12] [RECORDER-15] a finished recording that finds no room is refused each time somebody wants to go on, and goes before the next', async () => {
  const flash = createDisk();
  flash.fullFor = 'outbox';
  const offline: typeof fetch = () => Promise.reject(new TypeError('no network'));
  const options = { name: 'finishes-without-room', url: 'http://127.0.0.1:9', fetch: offline, storage: flash.storage };
  const before = await device(options);
  const { map_id } = await before.createMap({ name: 'Saw' });
  const recording = await before.startRecording({ mapId: map_id });
  await recording.step({ stage_name: 'load' });
  flash.isFull = true;
  const full = { code: 'storage_full' };
  await expect(recording.finish()).rejects.toMatchObject(full);
  await before.close();

  const after = await device(options);
  expect(await current(after.status$)).toMatchObject({ pending: 1, error: full });
  await expect((await current(after.recording$))!.finish()).rejects.toMatchObject(full);
  await expect(after.startRecording({ mapId: map_id })).rejects.toMatchObject(full);
  flash.isFull = false;
  const next = await after.startRecording({ mapId: map_id });
  expect(next.recording_session_id).not.toBe(recording.recording_session_id);
  expect(await current(after.status$)).toMatchObject({ pending: 2, error: null });
  expect(await current(after.runs$(map_id))).toMatchObject([
    { recording_session_id: recording.recording_session_id, step_count: 1 },
  ]);
});

test('[RECORDER-22] [RECORDER-44] a recording that finds no room when its time to undo is over is under way again', async () => {
  const flash = createDisk();
  flash.fullFor = 'outbox';
  const { clock, fire } = manualTimers();
  const offline: typeof fetch = () => Promise.reject(new TypeError('no network'));
  const phone = await device({ url: 'http://127.0.0.1:9', fetch: offline, storage: flash.storage, clock });
  const recording = await phone.startRecording({ newMap: { name: 'Saw' } });
  await recording.step({ stage_name: 'load' });
  flash.isFull = true;
  const { run_id, map_id } = await recording.finish({ undoMs: 10_000 });
  expect(await current(phone.recording$)).toBeNull();
  fire(10_000);
  const again = await eventually(phone.recording$, (shown) => shown !== null);
  for (const options of [{}, { undoMs: 10_000 }]) {
    await expect(again?.finish(options)).rejects.toMatchObject({ code: 'storage_full' });
  }
  flash.isFull = false;
  expect(await again?.finish({ undoMs: 10_000 })).toMatchObject({ run_id });
  expect(await current(phone.recording$)).toBeNull();
  expect(await current(phone.runs$(map_id))).toMatchObject([{ id: run_id }]);
});

test('[STORAGE-43] a device that writes nothing looks each minute whether there is room again, and says so', async () => {
  const flash = createDisk();
  const { clock, fire, has } = manualTimers();
  const offline: typeof fetch = () => Promise.reject(new TypeError('no network'));
  const phone = await device({ url: 'http://127.0.0.1:9', fetch: offline, storage: flash.storage, clock });
  await phone.createMap({ name: 'Saw' });
  expect(has(fullStorageCheckIntervalMs)).toBe(false);
  flash.isFull = true;
  await expect(phone.createMap({ name: 'Press' })).rejects.toMatchObject({ code: 'storage_full' });
  fire(fullStorageCheckIntervalMs);
  await expect.poll(() => has(fullStorageCheckIntervalMs)).toBe(true);
  expect(await current(phone.status$)).toMatchObject({ error: { code: 'storage_full' } });
  flash.isFull = false;
  fire(fullStorageCheckIntervalMs);
  await eventually(phone.status$, ({ error }) => error === null);
  await phone.close();
  expect(has(fullStorageCheckIntervalMs)).toBe(false);
});

test('[STORAGE-33] a tab that found no room says so until any tab of the device writes again', async () => {
  const inner = memoryStorage();
  const databaseName = 'device-with-full-tabs';
  const tab = async (name: string) => {
    const flash = createDisk(inner, databaseName);
    const store = await openDeviceTables({ name, storage: flash.storage, clock: systemClock });
    onTestFinished(() => store.close());
    return { flash, store };
  };
  const [full, other] = [await tab('full-tab'), await tab('other-tab')];
  const row = { id: 'moved|mark', body: { kind: 'moved' as const, at: '2026-04-01T09:30:00.000Z' } };
  full.flash.isFull = true;
  await expect(full.store.outbox.write([row])).rejects.toMatchObject({ code: 'storage_full' });
  expect(full.store.storageHealth.problem$.value).toMatchObject({ code: 'storage_full' });
  await other.store.outbox.write([row]);
  expect(full.store.storageHealth.problem$.value).toBeNull();
});

/** A journal that takes one more write and then fails until it is mended. */
function journalThatBreaks() {
  const mirror = breakableJournal(folderJournal(newFolder()));
  const { write } = mirror;
  let isLast = false;
  return Object.assign(mirror, {
    breakAfterNext: () => void (isLast = true),
    write: async (changes: Parameters<typeof write>[0]) => {
      await write(changes);
      if (isLast) [isLast, mirror.isBroken] = [false, true];
    },
  });
}

const refusals = ['a recording', 'a change'].flatMap((what) =>
  ['at once', 'by a timer', 'before the next write'].map((when) => [what, when] as const),
);

test.each(refusals)(
  '[STORAGE-42] %s that the database refused while the second copy took it does not come back, though that can be neither changed nor read at an opening: told %s',
  async (what, when) => {
    const flash = createDisk();
    const mirror = journalThatBreaks();
    const { clock, fire } = manualTimers();
    const offline: typeof fetch = () => Promise.reject(new TypeError('no network'));
    const name = `refuses ${what} ${when}`.replaceAll(' ', '-');
    const options = { name, url: 'http://127.0.0.1:9', fetch: offline, storage: flash.storage, mirror, clock };
    const phone = await device(options);
    const { map_id } = await phone.createMap({ name: 'Saw' });
    mirror.breakAfterNext();
    flash.takesTombstones = when === 'at once';
    flash.isFull = true;
    const refused = what === 'a change' ? phone.createMap({ name: 'Press' }) : phone.startRecording({ mapId: map_id });
    await expect(refused).rejects.toMatchObject({ code: 'storage_full' });
    flash.isFull = false;
    if (when === 'by a timer') fire(tombstoneRetryDelayMs);
    // The storage is in memory, so the write of the timer ends in the next turn.
    await new Promise((resolve) => setImmediate(resolve));
    const isWriting = when === 'before the next write';
    if (isWriting) await phone.createMap({ name: 'Drill' });
    await phone.close();

    const unread = await device(options);
    expect(await current(unread.recording$)).toBeNull();
    const recording = await unread.startRecording({ mapId: map_id });
    await recording.step({ stage_name: 'load' });
    await unread.close();

    mirror.isBroken = false;
    const again = await device(options);
    const resumed = await current(again.recording$);
    expect(resumed).toMatchObject({ recording_session_id: recording.recording_session_id, steps: [{}] });
    await resumed!.finish();
    expect(await current(again.recording$)).toBeNull();
    const names = (await current(again.maps$)).map((map) => map.name);
    expect(names.toSorted()).toEqual(isWriting ? ['Drill', 'Saw'] : ['Saw']);
    expect(await current(again.status$)).toMatchObject({ second_copy: 'kept' });
  },
);
