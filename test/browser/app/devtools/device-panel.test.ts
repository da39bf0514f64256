/** The panel that shows what a phone or a desk is doing, and its file for support. Real server process, real Chromium. */
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { expectNoViolations } from '../accessibility.ts';
import { inPage } from '../../in-page.ts';
import { appServer } from '../app-server.ts';
import { builtApp } from '../built-app.ts';
import { openDesk } from '../desk/desk-page.ts';
import { button, heading, section, status } from '../locators.ts';
import { morningRecordings, openPhone, uploadRecordings } from '../recorded-runs.ts';

const app = builtApp();

const part = (page: Page, title: string) => page.locator('details.section').filter({ has: heading(page, title) });
const open = (page: Page, title: string) => part(page, title).getByRole('heading', { name: title }).click();

test('[DEV-11] [DEV-12] [DEV-13] [DEV-14] [DEV-21] a phone shows what it is doing behind a switch, without a network, and saves a file for support', async () => {
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

  await page.context().setOffline(true);
  await status(page, 'Offline').waitFor();
  await section(page, 'Maps').click();
  await page.getByRole('link', { name: /Saw/ }).click();
  await button(page, 'More').click();
  await button(page, 'Edit').click();
  await page.getByLabel('Process name').fill('Saw in hall 4');
  await button(page, 'Save').click();
  await heading(page, 'Saw in hall 4').waitFor();
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
  await part(page, 'Storage').getByText('indexeddb').waitFor();
  await open(page, 'Custody');
  await expectNoViolations(page);

  await shareByStub(page);
  await button(page, 'Make the file').click();
  const [download] = await Promise.all([page.waitForEvent('download'), button(page, 'Save').click()]);
  expect(download.suggestedFilename()).toMatch(/^gemba-support-[\dT-]+\.json$/);
  await button(page, 'Share').click();
  expect(await inPage(page, () => document.body.dataset['shared'])).toBe(
    `${download.suggestedFilename().replace('.json', '.txt')} true`,
  );
  const text = await readFile(await download.path(), 'utf8');
  expect(JSON.parse(text)).toMatchObject({
    format: 'gemba-support',
    settings: { is_german: false, has_centiminutes: false, runs_kept: 2000 },
    storage: { driver: 'indexeddb' },
    journal: { state: 'kept' },
    engine: { kind: 'phone' },
    outbox: { counts: { pending: 1 } },
  });
  expect(text).not.toContain('Saw');

  await page.context().setOffline(false);
  await part(page, 'Outbox').getByText('Nothing waits, and nothing was refused.').waitFor();
  const round = part(page, 'Sync').locator('summary', { hasText: 'Up to date' }).first();
  await round.press('Enter');
  const push = part(page, 'Sync').getByText('Push').first();
  await push.waitFor();
  const key = (await round.getAttribute('data-key')) ?? '';
  await server.rest.send('PATCH', `/maps/${mapId}`, { name: 'Saw in hall 5' });
  await page.getByRole('option', { name: 'Saw in hall 5' }).waitFor({ state: 'attached' });
  await expect.poll(() => part(page, 'Sync').locator('summary[data-key]').count()).toBeGreaterThan(1);
  expect(await push.isVisible()).toBe(true);
  expect(await page.locator('summary:focus').getAttribute('data-key')).toBe(key);

  await page.getByRole('link', { name: 'Back' }).click();
  await page.getByLabel('Show what this device is doing').uncheck();
  await page.getByRole('link', { name: 'What this device is doing' }).waitFor({ state: 'detached' });
});

test('[DEV-12] [DEV-15] [DEV-19] a desk has the panel, too, without the code of the relay, and reads no closed part of it', async () => {
  const server = await appServer(app.folder);
  const { mapId } = await uploadRecordings(server, ...morningRecordings);
  const page = await openDesk(server);
  const loaded: string[] = [];
  page.on('request', (request) => loaded.push(request.url()));
  await page.goto(`${server.url}/desk/sync`);
  await page.getByLabel('Show what this device is doing').check();
  await countStorageReads(page);
  await page.getByRole('link', { name: 'What this device is doing' }).click();
  await part(page, 'Device').getByText('(desk)').waitFor();
  expect(loaded.filter((url) => /\/assets\/(?:devtools|carrying)-/.test(url))).toEqual([
    expect.stringContaining('/devtools-'),
  ]);

  await open(page, 'Records');
  await page.getByLabel('Map', { exact: true }).selectOption(mapId);
  await page.keyboard.press('r');
  expect(new URL(page.url()).pathname).toBe('/desk/sync/device');
  await part(page, 'Records').getByText('From the server').click();
  const content = page.getByRole('group', { name: 'From the server' });
  await content.focus();
  await content.evaluate((block) => (block.scrollTop = 40));
  await server.rest.send('PATCH', `/maps/${mapId}`, { name: 'Saw in hall 6' });
  await content.getByText('"name": "Saw in hall 6"').waitFor();
  expect(await page.locator('pre:focus').evaluate((block) => block.scrollTop)).toBe(40);

  expect(await storageReads(page)).toBe(0);
  await open(page, 'Storage');
  await part(page, 'Storage').getByText('indexeddb').waitFor();
  expect(await storageReads(page)).toBeGreaterThan(0);
  await expectNoViolations(page);
  await page.getByRole('link', { name: 'Back' }).click();
  await page.getByLabel('Show what this device is doing').waitFor();
});

/** Counts the questions whether the browser keeps the storage, which the engine asks when a recording begins. */
const countStorageReads = (page: Page): Promise<void> =>
  inPage(page, () => {
    const { prototype } = StorageManager;
    const persisted = prototype.persisted;
    document.body.dataset['reads'] = '0';
    prototype.persisted = function (this: StorageManager) {
      document.body.dataset['reads'] = String(Number(document.body.dataset['reads']) + 1);
      return persisted.call(this);
    };
  });

const storageReads = async (page: Page): Promise<number> =>
  Number(await inPage(page, () => document.body.dataset['reads']));

/** Stands for Web Share, which Linux does not have, and shares text alone as Chromium does. */
const shareByStub = (page: Page): Promise<void> =>
  inPage(page, () => {
    navigator.canShare = ({ files = [] } = {}) => files.every(({ type }) => type.startsWith('text/'));
    navigator.share = async ({ files = [] } = {}) => {
      document.body.dataset['shared'] = `${files[0]?.name} ${navigator.userActivation.isActive}`;
    };
  });
