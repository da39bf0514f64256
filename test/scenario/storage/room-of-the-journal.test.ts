/** A device whose second copy says whether there is room. */
import { expect, test } from 'vitest';
import type { Gemba, Mirror } from '../../../client/client.ts';
import { journalTimeoutMs, spaceTestValidMs } from '../../../client/storage/journal/journal.ts';
import { reservedSpaceBytes } from '../../../client/storage/quota.ts';
import { current, device, eventually } from '../../device/devices.ts';
import { folderJournal } from '../../device/disk-journal.ts';
import { newFolder } from '../../device/folder-journal.ts';
import { manualTimers } from '../../device/manual-timers.ts';

const offline: typeof fetch = () => Promise.reject(new TypeError('no network'));

/** Opens a device with a map. Its journal answers each question for room with `answer`. */
async function openPhone(answer: NonNullable<Mirror['hasRoom']>) {
  const asked: number[] = [];
  const hasRoom = (bytes: number) => {
    asked.push(bytes);
    return answer(bytes);
  };
  const timers = manualTimers();
  const mirror = { ...folderJournal(newFolder()), hasRoom };
  const phone = await device({ url: 'http://127.0.0.1:9', fetch: offline, mirror, clock: timers.clock });
  const { map_id } = await phone.createMap({ name: 'Saw' });
  return { phone, map_id, asked, ...timers };
}

async function recordOnce(phone: Gemba, mapId: string): Promise<void> {
  const recording = await phone.startRecording({ mapId });
  await recording.discard();
}

test('[STORAGE-78] a recording starts with 32 MiB of room in the second copy, not with less, and again once there is room', async () => {
  let room = 2 * reservedSpaceBytes;
  const { phone, map_id, fire } = await openPhone((bytes) => Promise.resolve(bytes <= room));
  await recordOnce(phone, map_id);
  fire(spaceTestValidMs);
  room = reservedSpaceBytes;
  await recordOnce(phone, map_id);
  fire(spaceTestValidMs);
  room = reservedSpaceBytes - 1;
  await expect(phone.startRecording({ mapId: map_id })).rejects.toMatchObject({ code: 'storage_full' });
  expect(await current(phone.status$)).toMatchObject({ error: { code: 'storage_full' } });
  room = reservedSpaceBytes;
  await recordOnce(phone, map_id);
  expect(await current(phone.status$)).toMatchObject({ error: null });
});

test('[STORAGE-79] a room that was found is not asked for again within 60 s', async () => {
  expect(spaceTestValidMs).toBe(60_000);
  const { phone, map_id, asked, fire, has } = await openPhone(() => Promise.resolve(true));
  for (let count = 0; count < 3; count++) await recordOnce(phone, map_id);
  expect(asked).toHaveLength(1);
  fire(spaceTestValidMs);
  await recordOnce(phone, map_id);
  expect(asked).toHaveLength(2);
  await phone.close();
  expect(has(spaceTestValidMs)).toBe(false);
});

test('[STORAGE-80] a second copy that fails when it is asked for room keeps no recording from its start, and is not asked again', async () => {
  const { phone, map_id, asked } = await openPhone(() => Promise.reject(new Error('the file cannot be opened')));
  for (let count = 0; count < 2; count++) await recordOnce(phone, map_id);
  await eventually(phone.status$, ({ error, second_copy }) => error === null && second_copy === 'kept');
  expect(asked).toHaveLength(1);
});

test('[STORAGE-80] a second copy that hangs when it is asked for room is waited for once', async () => {
  let tellAsked!: () => void;
  const isAsked = new Promise<void>((resolve) => (tellAsked = resolve));
  const { phone, map_id, asked, fire } = await openPhone(() => {
    tellAsked();
    return new Promise(() => {});
  });
  const starting = phone.startRecording({ mapId: map_id });
  await Promise.race([isAsked, starting]);
  fire(journalTimeoutMs);
  await (await starting).discard();
  await recordOnce(phone, map_id);
  expect(asked).toHaveLength(1);
});
