/** Revocations and ids that a restore does not take back. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { backUpDatabase } from '../../../server/backup/backup.ts';
import { restoreDatabase } from '../../../server/backup/restore.ts';
import { systemWorld } from '../../../server/core/world.ts';
import { closeServer } from '../../contract/close-server.ts';
import { Api, newApi, steps } from '../../contract/fixture.ts';
import { createKeyOfPhone, pairedDevice } from '../../contract/pairing.ts';
import { databaseFolders, backupTime, open } from './database-folders.ts';
import { runCommand } from './command.ts';

test('[BACKUP-11] what was revoked after a backup stays revoked when it is restored', async () => {
  const { live, backup } = databaseFolders();
  let server = await open(live);
  const api = await newApi(server);
  const [watch, other] = [await pairedDevice(server, api), await pairedDevice(server, api)];
  const { key, api_key } = (await api.post('/api/v1/keys')).body;
  const leaked = new Api({ ...api, key: api_key });
  await backUpDatabase(live, backup);
  await api.post(`/api/v1/devices/${watch.id}/revoke`);
  await api.post(`/api/v1/keys/${key.id}/revoke`);
  await closeServer(server, live);
  expect(await restoreDatabase({ from: backup, dataDir: live, now: backupTime })).toMatchObject({ ok: true });
  server = await open(live);
  const statuses = [];
  for (const who of [watch, leaked, other, api]) statuses.push((await who.at(server).get('/api/v1/maps')).status);
  expect(statuses).toEqual([401, 401, 200, 200]);
  const devices = (await api.at(server).get('/api/v1/devices')).body.data;
  expect(devices).toMatchObject([
    { id: other.id, revoked_at: null },
    { id: watch.id, revoked_at: expect.any(String) },
  ]);
  await closeServer(server, live);
});

test('[BACKUP-12] [BACKUP-19] [BACKUP-17] [BACKUP-18] a restore that revokes all devices revokes the keys that they made, and leaves the others', async () => {
  const { live, backup, root } = databaseFolders();
  const server = await open(live);
  const api = await newApi(server);
  const watch = await pairedDevice(server, api);
  const made = await createKeyOfPhone(server, api);
  await backUpDatabase(live, backup);
  await closeServer(server, live);
  const elsewhere = join(root, 'elsewhere');
  const command = await runCommand('restore', [backup, '--revoke-all-devices'], { DATA_DIR: elsewhere });
  expect(command.printed).toContain('All devices are revoked, and the 1 API keys that they made');
  const restored = await open(elsewhere);
  expect((await watch.at(restored).get('/api/v1/maps')).status).toBe(401);
  expect((await made.at(restored).get('/api/v1/maps')).status).toBe(401);
  expect((await api.at(restored).get('/api/v1/maps')).status).toBe(200);
  await closeServer(restored, elsewhere);
});

test('[STORE-64] [STORE-65] no id of a lost run or stage is given again, by no restore of the same backup and by none that is undone', async () => {
  const { live, backup } = databaseFolders();
  let server = await open(live);
  const api = await newApi(server);
  const { id } = await api.createMap();
  await backUpDatabase(live, backup);
  const given: number[] = [];
  const record = async () => {
    const { run, map } = await api.at(server).record(id, { steps: steps('Cut', 'Weld') });
    given.push(run.id, ...map.stages.map((stage: { id: number }) => stage.id));
    await closeServer(server, live);
  };
  await record();
  // The clock stands still, so that only the replaced database tells which ids it gave.
  const world = { ...systemWorld, now: () => backupTime.getTime() };
  const replaced: string[] = [];
  for (const source of [() => backup, () => backup, () => replaced[0]!]) {
    const now = new Date(backupTime.getTime() + replaced.length);
    const restored = await restoreDatabase({ from: source(), dataDir: live, now, world });
    if (restored.ok) replaced.push(restored.replacedFolder!);
    server = await open(live);
    await record();
  }
  expect(new Set(given).size).toBe(4 * 3);
});
