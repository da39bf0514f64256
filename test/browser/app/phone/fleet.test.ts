/** The reports of devices on a phone. Real server process, real Chromium. */
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import type { ListedDevice } from '../../../../shared/schema/fleet.ts';
import { appServer, newCode } from '../app-server.ts';
import { builtApp } from '../built-app.ts';
import { openDevice, pair } from '../devices.ts';
import { openDevices, section, status } from '../locators.ts';

const app = builtApp();

test('[FLEET-25] [FLEET-26] a phone shows what it reports, and the device that is stuck before the others', async () => {
  const server = await appServer(app.folder);
  const code = await newCode(server.rest, 'wearable');
  const device = { code, device_id: randomUUID(), device_name: 'Watch of hall 3', device_kind: 'wearable' };
  const { body } = await server.rest.send<{ token: string }>('POST', '/auth/pair', device);
  const headers = { Authorization: `Bearer ${body.token}`, 'Gemba-Protocol': '1' };
  const report = { ...headers, 'Gemba-Device': 'pending=4, oldest=90000' };
  expect((await fetch(`${server.url}/api/v1/sync/pull`, { headers: report })).status).toBe(200);
  await expect.poll(async () => (await server.rest.list<ListedDevice>('/devices'))[0]?.health).toBe('stuck');

  const { page } = await openDevice();
  await pair(page, await server.newLink('phone'));
  await status(page, 'All safe on the server').waitFor();
  await section(page, 'Sync').click();
  await page.getByText('What this device reports').click();
  for (const text of ['Free storage', 'Runs on', 'web', 'Version', 'Refused by the server']) {
    await page.getByText(text, { exact: true }).waitFor();
  }
  await openDevices(page);
  const first = page.getByRole('list', { name: 'Devices' }).getByRole('listitem').first();
  await first.getByText('Watch of hall 3').waitFor();
  expect(await first.innerText()).toMatch(/Sync is stuck · 4 unsent, as of /);
});
