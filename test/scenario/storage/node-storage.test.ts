/** A device in Node on an SQLite file, against a real server. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RunDoc } from '../../../shared/schema/run.ts';
import { fileMirror, nodeStorage } from '../../../client/entries/node.ts';
import { current, device, manualSync, network } from '../../device/devices.ts';
import { newFolder } from '../../device/folder-journal.ts';
import { newFile } from '../../device/sqlite/sqlite-files.ts';
import { restClient, testServer, type TestServer } from '../../device/test-server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.remove());

test('[STORAGE-92] a device on an SQLite file records, is closed and opened again, records on, and syncs', async () => {
  const [path, token, net] = [newFile(), await server.newAccount(), network(false)];
  const open = () => device({ name: 'press', url: server.url, token, storage: nodeStorage(path), ...manualSync(net) });
  const first = await open();
  const started = await first.startRecording({ newMap: { name: 'Press line' } });
  await started.step({ stage_name: 'Load' });
  await first.close();

  const second = await open();
  const recording = await current(second.recording$);
  await recording!.step({ stage_name: 'Press' });
  const finished = await recording!.finish();
  expect(await current(second.status$)).toMatchObject({ pending: 1, second_copy: 'none' });
  await second.close();

  net.online = true;
  const third = await open();
  await third.sync();
  expect(await current(third.custody$(finished.recording_session_id))).toBe('server');
  const rest = restClient(server.url, token);
  const run = await rest.get<RunDoc>(`/runs/${finished.run_id}`);
  expect(run.steps.map(({ stage_name }) => stage_name)).toEqual(['Load', 'Press']);
  await third.close();

  net.online = false;
  const last = await open();
  expect(await current(last.run$(finished.run_id))).toMatchObject(run);
});

test('[STORAGE-93] work that was in a lost SQLite file comes back from the second copy in a folder', async () => {
  const [path, folder, token] = [newFile(), join(newFolder(), 'second copy'), await server.newAccount()];
  const open = () =>
    device({
      name: 'press',
      url: server.url,
      token,
      storage: nodeStorage(path),
      mirror: fileMirror(folder),
      ...manualSync(network()),
    });
  const first = await open();
  expect(await current(first.status$)).toMatchObject({ second_copy: 'kept' });
  const started = await first.startRecording({ newMap: { name: 'Press line' } });
  await started.step({ stage_name: 'Load' });
  const { map_id } = await started.finish();
  await first.close();
  for (const suffix of ['', '-wal', '-shm']) rmSync(path + suffix, { force: true });

  const second = await open();
  await second.sync();
  const rest = restClient(server.url, token);
  expect(await rest.list(`/maps/${map_id}/runs`)).toHaveLength(1);
});

test('[STORAGE-94] a device syncs where responses have no streams, as in React Native', async () => {
  const token = await server.newAccount();
  const plain: typeof fetch = async (...args) => {
    const response = await fetch(...args);
    return Object.defineProperty(response, 'body', { value: undefined });
  };
  const net = network();
  const options = { url: server.url, token, clock: manualSync(net).clock, fetch: plain };
  const phone = await device({ ...options, storage: nodeStorage(newFile()) });
  const { map_id } = await phone.createMap({ name: 'Press line' });
  await phone.sync();
  expect(await current(phone.status$)).toMatchObject({ pending: 0, last_synced_at: expect.any(String) });
  const other = await device({ ...options, storage: nodeStorage(newFile()) });
  await other.sync();
  expect(await current(other.map$(map_id))).toMatchObject({ name: 'Press line' });
});
