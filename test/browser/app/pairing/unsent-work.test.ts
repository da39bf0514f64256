/** The unsent work on the account screen. Real server process, real Chromium. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { inPage } from '../../in-page.ts';
import { expectNoViolationsInOneScheme } from '../accessibility.ts';
import { appServer } from '../app-server.ts';
import { builtApp } from '../built-app.ts';
import { keptForOffline, openDevice, pair } from '../devices.ts';
import { button, createMap, heading, recordOneStep, section, status } from '../locators.ts';
import { openPhone, uploadRecordings } from '../recorded-runs.ts';

const app = builtApp();

async function openAccount(page: Page): Promise<void> {
  await section(page, 'Sync').click();
  await page.getByRole('link', { name: 'Account', exact: true }).click();
  await heading(page, 'Account').waitFor();
}

test('[APP-462] unsent work can be saved only where there is some, the recording under way and refused changes included', async () => {
  const server = await appServer(app.folder);
  const { mapId } = await uploadRecordings(server, [{ stage_name: 'Cut', duration_secs: 30 }]);
  const page = await openPhone(server);
  await openAccount(page);
  const save = button(page, 'Save as a file');
  await page.getByText('All work of this device is on the server.').waitFor();
  expect(await save.isDisabled()).toBe(true);
  await expectNoViolationsInOneScheme(page);

  await page.context().setOffline(true);
  await status(page, 'Offline').waitFor();
  await section(page, 'Maps').click();
  await page.getByText('Saw').click();
  await button(page, 'Record').click();
  await button(page, 'Next: Cut').click();
  await heading(page, 'Cut').waitFor();
  await openAccount(page);
  await page.getByText('A recording under way with 1 step', { exact: true }).waitFor();
  expect(await save.isEnabled()).toBe(true);
  expect(await page.getByText('All work of this device is on the server.').count()).toBe(0);

  await section(page, 'Record').click();
  await page.getByRole('button', { name: 'Finish', exact: true }).press('Enter');
  await heading(page, 'Saw').waitFor();
  await openAccount(page);
  await page.getByText('1 change only on this device').waitFor();
  await server.rest.send('POST', `/maps/${mapId}/delete`);
  await page.context().setOffline(false);
  await status(page, '1 item needs attention').waitFor();
  await page.getByText('1 refused change', { exact: true }).waitFor();
  expect(await save.isEnabled()).toBe(true);
  await expectNoViolationsInOneScheme(page);
});

test('[APP-463] the content of a saved file can be read for 10 min', async () => {
  const server = await appServer(app.folder);
  const { page, context } = await openDevice();
  // The policy of the app forbids the test to read the content.
  const session = await context.newCDPSession(page);
  await session.send('Page.setBypassCSP', { enabled: true });
  await pair(page, server.link);
  await status(page, 'All safe on the server').waitFor();
  await keptForOffline(page);
  await context.setOffline(true);
  await createMap(page, 'Saw');
  await recordOneStep(page);
  await page.clock.install();
  await openAccount(page);
  const downloading = page.waitForEvent('download');
  await button(page, 'Save as a file').click();
  const url = (await downloading).url();
  const canRead = () => inPage(page, async (address) => (await fetch(address)).ok, url).catch(() => false);
  await page.clock.fastForward(9 * 60_000);
  expect(await canRead()).toBe(true);
  await page.clock.fastForward(2 * 60_000);
  expect(await canRead()).toBe(false);
});
