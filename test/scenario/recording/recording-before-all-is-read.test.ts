/** A device shows its work and accepts new work before it has read all its rows. */
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openGemba, type EarlyEngine, type Recording } from '../../../client/client.ts';
import type { AnyRxStorage } from '../../rx-storage.ts';
import { recordsCollection } from '../../../client/storage/device-tables.ts';
import { JournalLog } from '../../../client/storage/journal/log.ts';
import { testServer } from '../../device/test-server.ts';
import { current, device, memoryStorage, network, manualSync } from '../../device/devices.ts';
import { diskFile, folderJournal } from '../../device/disk-journal.ts';
import { newFolder } from '../../device/folder-journal.ts';

const offline = { url: 'http://127.0.0.1:9', ...manualSync(network(false)) };

/** Opens the device and calls `ask` as soon as a recording can begin. */
async function asking<Answer>(options: { name: string }, ask: (begun: EarlyEngine) => Promise<Answer>) {
  let answer: Promise<Answer> | undefined;
  let isOpen = false;
  let wasOpen: boolean | undefined;
  const onBegun = (begun: EarlyEngine) => {
    answer = ask(begun).finally(() => (wasOpen = isOpen));
  };
  const gemba = await device({ ...offline, ...options, onBegun });
  isOpen = true;
  return { gemba, answer: await answer!, wasOpen };
}

test('[APP-90] [APP-121] a recording begins before all was read, and is on the device twice when it has begun', async () => {
  const server = await testServer();
  onTestFinished(() => server.remove());
  const folder = newFolder();
  const options = { name: 'device-that-begins', storage: memoryStorage(), mirror: folderJournal(folder) };
  const before = await device({ url: server.url, token: await server.newAccount(), ...options });
  const { map_id } = await before.createMap({ name: 'Saw' });
  await before.sync();
  await before.close();

  const { gemba, answer, wasOpen } = await asking(options, async (begun) => {
    const { recording_session_id } = await begun.startRecording({ mapId: map_id });
    const log = new JournalLog([diskFile(join(folder, 'a.log')), diskFile(join(folder, 'b.log'))]);
    return { recording_session_id, copied: [...log.rows.keys()] };
  });
  expect(wasOpen).toBe(false);
  expect(answer.copied).toContain(`drafts|${answer.recording_session_id}|000000`);
  expect(await current(gemba.recording$)).toMatchObject({ map_id, recording_session_id: answer.recording_session_id });
});

test('[APP-90] what cannot be recorded is refused as ever before all was read', async () => {
  const options = { name: 'device-that-refuses', storage: memoryStorage() };
  const before = await device({ ...offline, ...options });
  const { map_id } = await before.createMap({ name: 'Saw' });
  await before.deleteMap(map_id);
  await before.close();
  const refusal = (begun: EarlyEngine) => begun.startRecording({ mapId: map_id }).catch((error: unknown) => error);
  expect(await asking(options, refusal)).toMatchObject({ answer: { code: 'map_deleted' }, wasOpen: false });
});

test('[APP-90] a map counts by its id, however that is written', async () => {
  const server = await testServer();
  onTestFinished(() => server.remove());
  const options = { name: 'device-with-capitals', storage: memoryStorage() };
  const before = await device({ url: server.url, token: await server.newAccount(), ...options });
  const { map_id } = await before.createMap({ name: 'Saw' });
  await before.sync();
  await before.close();
  const start = (begun: EarlyEngine) => begun.startRecording({ mapId: map_id.toUpperCase() });
  expect(await asking(options, start)).toMatchObject({ answer: { map_id }, wasOpen: false });
});

test('[APP-92] what was asked for is finished before an opening fails, and nothing is taken after it', async () => {
  const storage = memoryStorage();
  const starting: Promise<Recording>[] = [];
  const begun = ({ startRecording }: EarlyEngine) => void starting.push(startRecording({ newMap: { name: 'Saw' } }));
  const options = { ...offline, name: 'device-that-fails' };
  const opening = openGemba({ ...options, storage: withoutRecords(storage), onBegun: begun });
  await expect(opening).rejects.toThrow('not readable');
  const recording = await starting[0]!;
  await expect(recording.step({ stage_name: 'cut' })).rejects.toMatchObject({ code: 'closed' });

  const again = await device({ ...options, storage });
  expect(await current(again.recording$)).toMatchObject({ new_map_name: 'Saw', steps: [] });
});

/** A storage that fails to open the records. */
function withoutRecords(storage: AnyRxStorage): AnyRxStorage {
  const opened: AnyRxStorage['createStorageInstance'] = async (options) => {
    const instance = await storage.createStorageInstance(options);
    if (options.collectionName === recordsCollection) instance.query = () => Promise.reject(new Error('not readable'));
    return instance;
  };
  return { ...storage, createStorageInstance: opened };
}

test('[APP-91] [APP-122] a map is known with what is pending before all was read, unless that hangs on runs', async () => {
  const options = { name: 'device-that-loadMap', storage: memoryStorage() };
  const before = await device({ ...offline, ...options });
  const { map_id } = await before.createMap({ name: 'Saw' });
  const recording = await before.startRecording({ mapId: map_id });
  await recording.step({ stage_name: 'cut' });
  const { run_id } = await recording.finish();
  await before.updateMap(map_id, { name: 'Saw 2' });
  await before.close();

  const known = async (begun: EarlyEngine) => [await begun.loadMap(map_id), await current(begun.map$(map_id))];
  const first = await asking(options, known);
  expect(first.wasOpen).toBe(false);
  const map = { name: 'Saw 2', run_count: 1, stages: [{ stage: 'cut' }], pending: true };
  expect(first.answer).toMatchObject([true, map]);
  await first.gemba.deleteRun(run_id);
  await first.gemba.close();
  expect(await asking(options, (begun) => begun.loadMap(map_id))).toMatchObject({ answer: false, wasOpen: false });
});
