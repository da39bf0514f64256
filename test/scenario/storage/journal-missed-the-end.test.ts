/** Recordings that ended while the journal could not store their end. */
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import type { Gemba } from '../../../client/client.ts';
import { testServer, type TestServer } from '../../device/test-server.ts';
import { inDatabase } from '../../device/databases.ts';
import { current, device, network, manualSync, idleStatus } from '../../device/devices.ts';
import { folderJournal } from '../../device/disk-journal.ts';
import { newFolder, breakableJournal } from '../../device/folder-journal.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.remove());

/** A phone with a map, and a journal that a test can break. */
async function openPhoneWithJournal(name: string) {
  const mirror = breakableJournal(folderJournal(newFolder()));
  const token = await server.newAccount();
  const open = (opened = name) => device({ name: opened, url: server.url, token, mirror, ...manualSync(network()) });
  const phone = await open();
  const { map_id } = await phone.createMap({ name: 'Saw' });
  await phone.sync();
  return { phone, open, mirror, map_id };
}

async function record(phone: Gemba, mapId: string) {
  const recording = await phone.startRecording({ mapId });
  await recording.step({ stage_name: ' load ' });
  await recording.step({ stage_name: 'cut', notes: 'blunt' });
  return recording;
}

async function finishWithBrokenJournal({ phone, mirror, map_id }: Awaited<ReturnType<typeof openPhoneWithJournal>>) {
  const recording = await record(phone, map_id);
  mirror.isBroken = true;
  const finished = await recording.finish();
  await phone.sync();
  expect(await current(phone.status$)).toMatchObject({ pending: 0, second_copy: 'behind' });
  return finished;
}

test('[STORAGE-19] a recording whose end the second copy did not hear of, and whose receipt is gone, is not under way again', async () => {
  const life = await openPhoneWithJournal('ghost');
  const { run_id } = await finishWithBrokenJournal(life);
  await life.phone.deleteRun(run_id);
  await life.phone.sync();
  await life.phone.close();
  life.mirror.isBroken = false;

  const again = await life.open();
  expect(await current(again.recording$)).toBeNull();
  expect(await current(again.discardedRecordings$)).toEqual([]);
  await record(again, life.map_id);
});

test('[STORAGE-19] nor is it when the room was short and the database forgot what it had removed', async () => {
  const life = await openPhoneWithJournal('ghost-without-room');
  const { run_id, recording_session_id } = await finishWithBrokenJournal(life);
  const isRemembered = () =>
    inDatabase('ghost-without-room', ({ drafts }) => drafts.findRemoved([`${recording_session_id}|000000`]));
  await life.phone.deleteRun(run_id);
  await life.phone.sync();
  vi.stubGlobal('navigator', { storage: { estimate: () => Promise.resolve({ quota: 100, usage: 99 }) } });
  onTestFinished(() => void vi.unstubAllGlobals());
  const noRoom = (phone: Gemba) =>
    expect(phone.startRecording({ mapId: life.map_id })).rejects.toMatchObject({ code: 'storage_full' });
  await noRoom(life.phone);
  await life.phone.close();
  expect((await isRemembered()).size).toBe(1);
  life.mirror.isBroken = false;

  const again = await life.open();
  expect(await current(again.recording$)).toBeNull();
  await noRoom(again);
  await again.close();
  expect((await isRemembered()).size).toBe(0);
  expect(await current((await life.open()).recording$)).toBeNull();
});

test('[STORAGE-60] of a device that lost its database too, it ends once its run is pulled, and does not come back', async () => {
  const life = await openPhoneWithJournal('ghost-of-a-lost-database');
  const { recording_session_id } = await finishWithBrokenJournal(life);
  await life.phone.close();
  life.mirror.isBroken = false;

  const again = await life.open('another database');
  expect(await current(again.recording$)).toMatchObject({ recording_session_id });
  await again.sync();
  expect(await current(again.recording$)).toBeNull();
  expect(await current(again.status$)).toMatchObject(idleStatus);
  await record(again, life.map_id);
});
