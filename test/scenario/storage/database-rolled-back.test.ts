/** Databases that return in another state: an earlier one, a copy, or without a row. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { MapRecord } from '../../../shared/schema/map.ts';
import type { RunRecord } from '../../../shared/schema/run.ts';
import type { Gemba } from '../../../client/client.ts';
import { restClient, testServer, type TestServer } from '../../device/test-server.ts';
import { copyDatabase, inDatabase } from '../../device/databases.ts';
import { atRest, current, device, network, manualSync, idleStatus } from '../../device/devices.ts';
import { folderJournal } from '../../device/disk-journal.ts';
import { newFolder, breakableJournal } from '../../device/folder-journal.ts';
import { recordingOf } from '../../device/phones.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.remove());

async function readSessions(token: string): Promise<string[]> {
  const rest = restClient(server.url, token);
  const maps = await rest.list<MapRecord>('/maps');
  const runs = await Promise.all(maps.map(({ id }) => rest.list<RunRecord>(`/maps/${id}/runs`)));
  return runs
    .flat()
    .map(({ recording_session_id }) => recording_session_id)
    .toSorted();
}

async function record(phone: Gemba, mapId: string, sessions: string[]): Promise<void> {
  for (const session of sessions) await phone.importRecording({ mapId, recording: recordingOf(session) });
}

test('[STORAGE-16] what is made after a database went back without a second copy arrives', async () => {
  const token = await server.newAccount();
  const options = { url: server.url, token, ...manualSync(network()) };
  const before = await device({ ...options, name: 'one-past' });
  const { map_id } = await before.createMap({ name: 'Saw' });
  await before.sync();
  await before.close();
  await copyDatabase({ from: 'one-past', to: 'another-past' });
  const lost = await device({ ...options, name: 'one-past' });
  await record(lost, map_id, ['a', 'b', 'c']);
  await lost.sync();
  await lost.close();

  const again = await device({ ...options, name: 'another-past' });
  await record(again, map_id, ['d', 'e']);
  await again.sync();
  await again.sync();
  expect(await readSessions(token)).toEqual(['a', 'b', 'c', 'd', 'e']);
  expect(await atRest(again)).toMatchObject(idleStatus);
  expect(await current(again.custody$('d'))).toBe('server');
});

test('[STORAGE-16] of two copies of one device, both at work, each brings all that was made on it', async () => {
  const token = await server.newAccount();
  const open = (name: string) => device({ url: server.url, token, name, ...manualSync(network()) });
  const original = await open('original');
  const { map_id } = await original.createMap({ name: 'Saw' });
  await original.sync();
  await original.close();
  await copyDatabase({ from: 'original', to: 'copy' });
  const both = [await open('original'), await open('copy')] as const;
  await record(both[0], map_id, ['a', 'b', 'c']);
  await record(both[1], map_id, ['d', 'e', 'f', 'g']);
  for (const phone of [...both, ...both]) await phone.sync();
  expect(await readSessions(token)).toEqual(['a', 'b', 'c', 'd', 'e', 'f', 'g']);
  for (const phone of both) expect(await atRest(phone)).toMatchObject(idleStatus);
});

test('[STORAGE-40] a database that went back behind a change of its client id takes a finished recording from the second copy', async () => {
  const token = await server.newAccount();
  const net = network();
  const options = { url: server.url, token, mirror: folderJournal(newFolder()), ...manualSync(net) };
  const before = await device({ ...options, name: 'one-client' });
  const { map_id } = await before.createMap({ name: 'Saw' });
  await before.sync();
  net.online = false;
  await record(before, map_id, ['a']);
  const recording = await before.startRecording({ mapId: map_id });
  await recording.step({ stage_name: 'load' });
  await before.close();
  await copyDatabase({ from: 'one-client', to: 'client-of-before' });
  const lost = await device({ ...options, name: 'one-client' });
  await lost.exportUnsent();
  const { recording_session_id } = await (await current(lost.recording$))!.finish();
  await lost.close();

  const again = await device({ ...options, name: 'client-of-before' });
  expect(await current(again.recording$)).toBeNull();
  net.online = true;
  await again.sync();
  expect(await readSessions(token)).toEqual(['a', recording_session_id].toSorted());
  expect(await atRest(again)).toMatchObject(idleStatus);
});

test.each(['under the same client id', 'under another client id'])(
  '[STORAGE-41] a database that went on without its second copy, %s, and the second copy both keep their recordings',
  async (how) => {
    const token = await server.newAccount();
    const net = network();
    const options = { url: server.url, token, ...manualSync(net) };
    const mirror = folderJournal(newFolder());
    const [one, other] = [`one ${how}`, `other ${how}`].map((name) => name.replaceAll(' ', '-')) as [string, string];
    const before = await device({ ...options, mirror, name: one });
    const { map_id } = await before.createMap({ name: 'Saw' });
    await before.sync();
    net.online = false;
    await before.close();
    await copyDatabase({ from: one, to: other });
    const lost = await device({ ...options, mirror, name: one });
    await record(lost, map_id, ['a', 'b', 'c']);
    await lost.close();
    const alone = await device({ ...options, name: other });
    await record(alone, map_id, ['d']);
    if (how === 'under another client id') await alone.exportUnsent();
    await record(alone, map_id, ['e']);
    await alone.close();

    const again = await device({ ...options, mirror, name: other });
    net.online = true;
    await again.sync();
    expect(await readSessions(token)).toEqual(['a', 'b', 'c', 'd', 'e']);
    expect(await atRest(again)).toMatchObject(idleStatus);
  },
);

test('[STORAGE-17] a row that alone was lost from the database comes back from the second copy', async () => {
  const token = await server.newAccount();
  const net = network(false);
  const options = {
    url: server.url,
    token,
    name: 'with-a-hole',
    mirror: folderJournal(newFolder()),
    ...manualSync(net),
  };
  const before = await device(options);
  const { map_id } = await before.createMap({ name: 'Saw' });
  await record(before, map_id, ['a', 'b', 'c']);
  await before.close();
  await inDatabase('with-a-hole', async ({ outbox }) => {
    const lost = [...outbox.entries()].find(
      ([, body]) => body.kind === 'mutation' && body.args['recording_session_id'] === 'b',
    );
    await outbox.write([], [lost![0]]);
  });

  const after = await device(options);
  net.online = true;
  await after.sync();
  expect(await readSessions(token)).toEqual(['a', 'b', 'c']);
  expect(await atRest(after)).toMatchObject(idleStatus);
});

test('[TRANSFER-7] what the server knows no more of, since the device had acknowledged it before its database was lost, needs attention', async () => {
  const token = await server.newAccount();
  const net = network();
  const mirror = breakableJournal(folderJournal(newFolder()));
  const options = { url: server.url, token, mirror, ...manualSync(net) };
  const before = await device(options);
  const { map_id } = await before.createMap({ name: 'Saw' });
  await before.sync();
  net.online = false;
  await record(before, map_id, ['refused']);
  mirror.isBroken = true;
  await restClient(server.url, token).send('POST', `/maps/${map_id}/delete`);
  net.online = true;
  await before.sync();
  expect(await current(before.status$)).toMatchObject({ pending: 0, attention: 1 });
  await before.createMap({ name: 'Press' });
  await before.sync();
  await before.close();
  mirror.isBroken = false;

  const after = await device(options);
  await after.sync();
  expect(await atRest(after)).toMatchObject({ phase: 'idle', pending: 0, attention: 1 });
  expect(await current(after.attention$)).toMatchObject([
    { error: { code: 'map_deleted' }, remedies: ['restore_map', 'save_as_new_map', 'discard'] },
  ]);
  expect(await current(after.custody$('refused'))).toBe('device');
});
