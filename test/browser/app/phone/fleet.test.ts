/** The reports of devices on a phone. Real server process, real Chromium. */
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import type { ListedDevice } from '../../../../shared/schema/fleet.ts';
import { appServer, newCode } from '../app-server.ts';
import { builtApp } from '../built-app.ts';
import { openDevice, pair } from '../devices.ts';
import { openDevices, section, status } from '../locators.ts';

const app = builtApp();

type AppServer = Awaited<ReturnType<typeof appServer>>;

/** Pairs a watch that reports once. */
async function watchThatReports({ rest, url }: AppServer, name: string, report?: string): Promise<void> {
  const code = await newCode(rest, 'wearable');
  const device = { code, device_id: randomUUID(), device_name: name, device_kind: 'wearable' };
  const { body } = await rest.send<{ token: string }>('POST', '/auth/pair', device);
  if (report === undefined) return;
  const headers = { Authorization: `Bearer ${body.token}`, 'Gemba-Protocol': '1', 'Gemba-Device': report };
  expect((await fetch(`${url}/api/v1/sync/pull`, { headers })).status).toBe(200);
  await expect
    .poll(async () => (await rest.list<ListedDevice>('/devices')).find((listed) => listed.name === name)?.status)
    .not.toBeNull();
}

test('[FLEET-25] [FLEET-26] a phone shows what it reports, and the device that is stuck before the others', async () => {
  const server = await appServer(app.folder);
  await watchThatReports(server, 'Watch of hall 3', 'pending=4, oldest=90000');

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

test('[FLEET-32] a long name and several states of a device stand in its row whole', async () => {
  const server = await appServer(app.folder);
  const name = 'Watch of the early shift in hall 3, by the gate';
  await watchThatReports(server, name, 'pending=1200, oldest=90000, attention=340');
  const { page } = await openDevice();
  await pair(page, await server.newLink('phone'));
  await status(page, 'All safe on the server').waitFor();
  await section(page, 'Sync').click();
  await openDevices(page);
  const row = page.getByRole('list', { name: 'Devices' }).getByRole('listitem').filter({ hasText: name });
  await row.getByText(/1,200 unsent and 340 refused/).waitFor();
  const cut = await row.evaluate((it) => {
    // A glyph may reach some pixels beyond its line.
    const isCut = ({ scrollHeight, clientHeight, scrollWidth, clientWidth }: Element) =>
      scrollHeight > clientHeight + 6 || scrollWidth > clientWidth + 1;
    return [...it.querySelectorAll('.list-text > *')].filter(isCut).map(({ textContent }) => textContent);
  });
  expect(cut).toEqual([]);
});

test('[FLEET-29] [FLEET-30] a phone shows what another device reported, also of one that is well', async () => {
  const server = await appServer(app.folder);
  await watchThatReports(server, 'New watch');
  const report = 'pending=2, oldest=7800, attention=1, battery=0.4, second_copy=behind, platform=web, app="0.1.0"';
  await watchThatReports(server, 'Watch of hall 3', report);

  const { page } = await openDevice();
  await pair(page, await server.newLink('phone'));
  await status(page, 'All safe on the server').waitFor();
  await section(page, 'Sync').click();
  await openDevices(page);
  const rows = page.getByRole('list', { name: 'Devices' }).getByRole('listitem');
  const row = rows.filter({ hasText: 'Watch of hall 3' });
  expect(await row.innerText()).toMatch(/\b2 unsent and 1 refused, as of /);
  await row.getByRole('button').click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText(/^It reported this /).waitFor();
  const facts = await dialog.locator('dl > div').allInnerTexts();
  expect(facts.map((fact) => fact.replaceAll('\n', ' '))).toEqual([
    'Unsent changes 2',
    'Oldest unsent 2 hours ago',
    'Refused by the server 1',
    'Battery 40 %',
    'Backup Behind',
    'Runs on web',
    'Version 0.1.0',
  ]);
  await page.keyboard.press('Escape');
  await rows.filter({ hasText: 'New watch' }).getByRole('button').click();
  await dialog.getByText('It has reported nothing yet.').waitFor();
});
