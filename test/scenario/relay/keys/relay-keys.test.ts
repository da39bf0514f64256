/** The keys of the relay as an operator handles them. */
import { expect, test } from 'vitest';
import { backUpDatabase } from '../../../../server/backup/backup.ts';
import { restoreDatabase } from '../../../../server/backup/restore.ts';
import { closeServer } from '../../../contract/close-server.ts';
import { newApi } from '../../../contract/fixture.ts';
import { pairedDevice } from '../../../contract/pairing.ts';
import { deliver, openInner, relayKeys, sealTo } from '../../../contract/sealed-client.ts';
import { runCommand } from '../../operations/command.ts';
import { backupTime, databaseFolders, open } from '../../operations/database-folders.ts';

test('[RELAY-18] npm run relay-keys -- rotate adds keys while a server runs, and other words are refused', async () => {
  const { live } = databaseFolders();
  const server = await open(live);
  const before = await relayKeys(server.url);
  const rotated = await runCommand('relay-keys', ['rotate'], { DATA_DIR: live });
  const said = /^New keys (\d+) and (\d+); what is sealed to earlier ones is opened for 400 days\.\n$/;
  const added = said.exec(rotated.printed)?.slice(1).map(Number);
  expect(rotated.exitCode).toBe(0);
  expect(before.map(({ id }) => id)).toEqual([0, 1]);
  expect((await relayKeys(server.url)).map(({ id }) => id)).toEqual(added);
  for (const id of added ?? []) expect([0, 1]).not.toContain(id);
  const refused = await runCommand('relay-keys', ['revoke'], { DATA_DIR: live });
  expect(refused).toMatchObject({
    exitCode: 1,
    printed: expect.stringContaining('usage: npm run relay-keys -- rotate | remove ID'),
  });
  await closeServer(server, live);
});

test('[RELAY-32] npm run relay-keys -- remove takes a replaced key away while a server runs, and no other key', async () => {
  const { live } = databaseFolders();
  const server = await open(live);
  const api = await newApi(server);
  const watch = await pairedDevice(server, api);
  const pull = { method: 'GET', path: '/api/v1/sync/pull', token: watch.key };
  const sent = await sealTo(await relayKeys(server.url), pull);
  const remove = (id: number) => runCommand('relay-keys', ['remove', String(id)], { DATA_DIR: live });
  const isNewest = expect.stringContaining('key 0 is the newest of its kind');
  expect(await remove(0)).toMatchObject({ exitCode: 1, printed: isNewest });
  expect((await runCommand('relay-keys', ['rotate'], { DATA_DIR: live })).exitCode).toBe(0);
  expect(await remove(0)).toMatchObject({ exitCode: 0, printed: expect.stringContaining('Removed key 0') });
  const again = await remove(0);
  expect(again).toMatchObject({ exitCode: 1, printed: expect.stringContaining('there is no key 0') });
  const refused = await deliver(api, sent.sealed);
  expect(refused.status).toBe(422);
  expect(await refused.json()).toMatchObject({ code: 'relay_key_unknown' });
  await closeServer(server, live);
});

test('[RELAY-19] a backup has the keys, so what was sealed before it is opened after the restore', async () => {
  const { live, backup } = databaseFolders();
  const server = await open(live);
  const api = await newApi(server);
  const watch = await pairedDevice(server, api);
  const sent = await sealTo(await relayKeys(server.url), {
    method: 'GET',
    path: '/api/v1/sync/pull',
    token: watch.key,
  });
  expect(await backUpDatabase(live, backup)).toMatchObject({ ok: true });
  await closeServer(server, live);
  expect(await restoreDatabase({ from: backup, dataDir: live, now: backupTime })).toMatchObject({ ok: true });
  const restored = await open(live);
  const answer = await openInner(await deliver(api.at(restored), sent.sealed), sent);
  expect(answer.status).toBe(200);
  await closeServer(restored, live);
});
