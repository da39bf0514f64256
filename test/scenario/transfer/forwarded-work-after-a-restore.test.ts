/** A device sends again, after a restore, what it exported and so forwarded before. */
import { expect, test } from 'vitest';
import { backUpDatabase } from '../../../server/backup/backup.ts';
import { restoreDatabase } from '../../../server/backup/restore.ts';
import type { RunRecord } from '../../../shared/schema/run.ts';
import type { FullMap } from '../../../shared/schema/map.ts';
import { current } from '../../device/devices.ts';
import { phonesOf, recordingOf, sync, type Phone } from '../../device/phones.ts';
import { restartableServer } from '../relay/restartable-server.ts';

/** Restores the server to before `work`, lets the phone sync, and returns the sessions of the runs by their numbers. */
async function sessionsAfterRestore(work: (phone: Phone, mapId: string) => Promise<void>): Promise<string[]> {
  const { server, live, backup, close, reopen } = await restartableServer();
  const { rest, newPhone } = await phonesOf(server);
  const phone = await newPhone();
  const { map_id } = await phone.phone.createMap({ name: 'Saw' });
  await sync(phone);
  await backUpDatabase(live, backup);
  await work(phone, map_id);
  await close();
  await restoreDatabase({ from: backup, dataDir: live, now: new Date() });
  await reopen();
  await sync(phone);
  await sync(phone);
  const runs = await rest.list<RunRecord>(`/maps/${map_id}/runs`);
  return runs.toSorted((a, b) => a.number - b.number).map((run) => run.recording_session_id);
}

test('[OUTBOX-43] recordings of which the later one was exported are sent again in the order of their making', async () => {
  const sessions = await sessionsAfterRestore(async (device, mapId) => {
    await device.phone.importRecording({ mapId, recording: recordingOf('first') });
    await sync(device);
    await device.phone.importRecording({ mapId, recording: recordingOf('second') });
    await device.phone.exportUnsent();
    await sync(device);
  });
  expect(sessions).toEqual(['first', 'second']);
});

test('[OUTBOX-44] a run whose deletion was exported does not come back', async () => {
  const sessions = await sessionsAfterRestore(async (device, mapId) => {
    const { run_id } = await device.phone.importRecording({ mapId, recording: recordingOf('gone') });
    await sync(device);
    await device.phone.deleteRun(run_id);
    await device.phone.exportUnsent();
    await sync(device);
  });
  expect(sessions).toEqual([]);
});

test('[OUTBOX-44] a run that was exported before its deletion does not come back', async () => {
  const sessions = await sessionsAfterRestore(async (device, mapId) => {
    const { run_id } = await device.phone.importRecording({ mapId, recording: recordingOf('gone') });
    await device.phone.exportUnsent();
    await device.phone.deleteRun(run_id);
    await sync(device);
  });
  expect(sessions).toEqual([]);
});

test('[OUTBOX-45] a map whose creation was answered but not pulled before the restore is made again', async () => {
  const { server, live, backup, close, reopen } = await restartableServer();
  const { rest, newPhone } = await phonesOf(server);
  const phone = await newPhone();
  await phone.phone.createMap({ name: 'Before' });
  await sync(phone);
  await backUpDatabase(live, backup);
  await phone.phone.createMap({ name: 'Saw' });
  await phone.phone.exportUnsent();
  let isCut = true;
  phone.net.answers('sync/pull', (ask) => (isCut ? Promise.reject(new TypeError('no network')) : ask()));
  await sync(phone).catch(() => {});
  const onServer = async () => (await rest.list<FullMap>('/maps')).map(({ name }) => name).toSorted();
  expect(await onServer()).toEqual(['Before', 'Saw']);
  isCut = false;
  await close();
  await restoreDatabase({ from: backup, dataDir: live, now: new Date() });
  await reopen();
  await sync(phone);
  await sync(phone);
  expect(await onServer()).toEqual(['Before', 'Saw']);
  expect((await current(phone.phone.maps$)).map(({ name }) => name).toSorted()).toEqual(['Before', 'Saw']);
});
