/** The panel that shows what a phone is doing, and its file for support. Real server process, real Chromium. */
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { expectNoViolations } from '../accessibility.ts';
import { appServer } from '../app-server.ts';
import { builtApp } from '../built-app.ts';
import { button, heading, section, status } from '../locators.ts';
import { morningRecordings, openPhone, uploadRecordings } from '../recorded-runs.ts';

const app = builtApp();

const part = (page: Page, title: string) => page.locator('details.section').filter({ has: heading(page, title) });
const open = (page: Page, title: string) => part(page, title).getByRole('heading', { name: title }).click();

test('[DEV-11] [DEV-12] [DEV-13] [DEV-14] a phone shows what it is doing behind a switch, without a network, and saves a file for support', async () => {
  const server = await appServer(app.folder);
  const { mapId } = await uploadRecordings(server, ...morningRecordings);
  const page = await openPhone(server);
  const loaded: string[] = [];
  page.on('request', (request) => loaded.push(request.url()));
  await section(page, 'Sync').click();
  expect(await page.getByRole('link', { name: 'What this device is doing' }).count()).toBe(0);
  await page.getByLabel('Show what this device is doing').check();
  await page.getByRole('link', { name: 'What this device is doing' }).click();
  await part(page, 'Device').getByText('Up to date').waitFor();
  expect(loaded.filter((url) => url.includes('/assets/devtools-'))).toHaveLength(1);
  await part(page, 'Outbox').getByText('Nothing waits, and nothing was refused.').waitFor();
  await expectNoViolations(page);

  await page.context().setOffline(true);
  await status(page, 'Offline').waitFor();
  await section(page, 'Maps').click();
  await page.getByRole('link', { name: /Saw/ }).click();
  await button(page, 'More').click();
  await button(page, 'Edit').click();
  await page.getByLabel('Process name').fill('Saw in hall 4');
  await button(page, 'Save').click();
  await page.goto(`${server.url}/sync/device`);
  const item = part(page, 'Outbox').locator('summary', { hasText: 'update_map' });
  await item.waitFor();
  await item.press('Enter');
  await part(page, 'Outbox').getByText('"name": "Saw in hall 4"').waitFor();
  await open(page, 'Records');
  await page.getByLabel('Map', { exact: true }).selectOption(mapId);
  await part(page, 'Records').getByText('Changed here, and not on the server yet:').waitFor();
  await open(page, 'Storage');
  await open(page, 'Second copy');
  await part(page, 'Second copy').getByText('up to date').waitFor();
  await open(page, 'Custody');
  await expectNoViolations(page);
  await page.screenshot({ path: '/tmp/panel-phone.png', fullPage: true });

  await button(page, 'Make the file').click();
  const [download] = await Promise.all([page.waitForEvent('download'), button(page, 'Save').click()]);
  expect(download.suggestedFilename()).toMatch(/^gemba-support-[\dT-]+\.json$/);
  const text = await readFile(await download.path(), 'utf8');
  expect(JSON.parse(text)).toMatchObject({
    format: 'gemba-support',
    settings: { language: 'en', times: 'clock', runs_kept: 2000 },
    storage: { driver: 'indexeddb' },
    journal: { state: 'kept' },
    engine: { kind: 'phone' },
    outbox: { counts: { pending: 1 } },
  });
  expect(text).not.toContain('Saw');

  // The part that was opened stays open, and keeps the focus, while the engine changes.
  await item.focus();
  await page.context().setOffline(false);
  await part(page, 'Outbox').getByText('Nothing waits, and nothing was refused.').waitFor();
  const round = part(page, 'Sync').getByText('Up to date').first();
  await round.click();
  await part(page, 'Sync').getByText('Push').first().waitFor();
  await page.screenshot({ path: '/tmp/panel-online.png', fullPage: true });
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.screenshot({ path: '/tmp/panel-wide-dark.png', fullPage: true });
});
