/** The rows that remain in a device's database after work is done. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { deviceRowId, mutationRowId } from '../../../client/storage/rows.ts';
import { testServer, type TestServer } from '../../device/test-server.ts';
import { inDatabase } from '../../device/databases.ts';
import { device, network, manualSync } from '../../device/devices.ts';
import { folderJournal } from '../../device/disk-journal.ts';
import { newFolder, breakableJournal } from '../../device/folder-journal.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.remove());

test('[STORAGE-31] [STORAGE-68] mutations that are done leave nothing in the database once the device is at rest', async () => {
  const name = 'device-at-rest';
  const net = network(false);
  const phone = await device({ url: server.url, token: await server.newAccount(), name, ...manualSync(net) });
  const { map_id } = await phone.createMap({ name: 'Saw' });
  const edits = 150;
  for (let edit = 0; edit < edits; edit++) await phone.updateMap(map_id, { description: `${edit} `.repeat(500) });
  net.online = true;
  await phone.sync();
  await phone.close();
  const left = await inDatabase(name, async ({ outbox }) => {
    const body = outbox.get(deviceRowId);
    const clientId = body?.kind === 'device' ? body.client_id : '';
    const rowIds = Array.from({ length: edits + 1 }, (_, index) => mutationRowId(clientId, index + 1));
    return { rows: [...outbox.entries()].length, tombstones: (await outbox.findRemoved(rowIds)).size };
  });
  expect(left).toEqual({ rows: 1, tombstones: 0 });
});

test('[STORAGE-63] tombstones stay while the second copy may not have heard of what was removed or refused', async () => {
  const name = 'device-at-rest-with-a-broken-copy';
  const mirror = breakableJournal(folderJournal(newFolder()));
  const phone = await device({
    url: server.url,
    token: await server.newAccount(),
    name,
    mirror,
    ...manualSync(network()),
  });
  mirror.isBroken = true;
  await phone.createMap({ name: 'Saw' });
  await phone.sync();
  await phone.close();
  const tombstones = await inDatabase(name, async ({ outbox }) => {
    const body = outbox.get(deviceRowId);
    return outbox.findRemoved([mutationRowId(body?.kind === 'device' ? body.client_id : '', 1)]);
  });
  expect(tombstones.size).toBe(1);
});
