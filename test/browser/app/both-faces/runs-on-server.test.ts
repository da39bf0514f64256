/** Runs that a phone or a desk does not hold. Real server process, real Chromium. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { expectNoViolationsInOneScheme } from '../accessibility.ts';
import { appServer } from '../app-server.ts';
import { builtApp } from '../built-app.ts';
import { keptForOffline, openDevice, pair, phoneSize } from '../devices.ts';
import { button, heading, section, status } from '../locators.ts';
import { link } from '../recorded-runs.ts';
import { createMap, limitScope, openScoped } from '../scoped-app.ts';

const app = builtApp();

const runCountOf = async (page: Page): Promise<string | null> =>
  page.getByRole('list', { name: 'Runs' }).getByRole('listitem').first().getAttribute('aria-setsize');

test('[APP-533] [APP-534] a phone keeps the newest 2,000 runs, says what is on the server, and loads it', async () => {
  const server = await appServer(app.folder);
  const { mapId } = await createMap(server, 'Press line', 2_150);
  const { page } = await openDevice();
  await pair(page, server.link);
  await page.getByRole('list', { name: 'Maps' }).waitFor();
  await page.goto(`${server.url}/maps/${mapId}/runs`);
  await page.getByText('150 older runs are on the server.').waitFor();
  expect(await runCountOf(page)).toBe('2000');
  await expectNoViolationsInOneScheme(page);
  await button(page, 'Load older runs').click();
  await page.getByText('50 older runs are on the server.', { exact: true }).waitFor();
  expect(await runCountOf(page)).toBe('2100');
  await server.kill();
  await page.getByText("You're offline. They can be loaded once the server can be reached.").waitFor();
  expect(await button(page, 'Load older runs').count()).toBe(0);
  await server.start();
  await button(page, 'Load older runs').click();
  await page.getByText('50 older runs are on the server.').waitFor({ state: 'detached' });
  expect(await runCountOf(page)).toBe('2150');
});

test('[APP-533] [APP-534] [APP-538] a desk asks for 10,000 runs, also in a narrow window, and says what its list and the times of a stage leave out', async () => {
  const server = await appServer(app.folder);
  const { mapId } = await createMap(server, 'Press line', 6);
  const { page, named } = await openScoped({ server, runsMax: 3, face: 'desk' });
  await page.goto(`${server.url}/desk/maps/${mapId}`);
  await page.getByText('3 older runs are on the server.').waitFor();
  await page.locator('.pane-overview .ladder-box').first().click();
  await page.getByText('These times are of the runs on this device. 3 other runs are on the server.').waitFor();
  await expectNoViolationsInOneScheme(page);
  await page.goto(`${server.url}/maps/${mapId}/runs`);
  await button(page, 'Load older runs').click();
  await page.getByText('older runs are on the server').waitFor({ state: 'detached' });
  expect(new Set(named)).toEqual(new Set(['10000']));
});

test('[APP-535] a list without runs on the device loads the newest', async () => {
  const server = await appServer(app.folder);
  const { mapId } = await createMap(server, 'Saw', 2);
  await createMap(server, 'Press line', 3);
  const { page } = await openScoped({ server, runsMax: 3 });
  await page.goto(`${server.url}/maps/${mapId}/runs`);
  await link(page, 'Run 2').waitFor();
  await link(page, 'Run 1').waitFor();
  expect(await page.getByText('runs are on the server').count()).toBe(0);
});

test('[APP-536] a link to a run that is not here loads it, at once or when the server is back', async () => {
  const server = await appServer(app.folder);
  const { mapId, ids } = await createMap(server, 'Press line', 6);
  const { page } = await openScoped({ server, runsMax: 2 });
  const runUrl = (id: number) => `${server.url}/maps/${mapId}/runs/${id}`;
  await page.goto(runUrl(ids[0]!));
  await heading(page, 'Run 1').waitFor();
  await page.goto(runUrl(999_999));
  await heading(page, 'Run not found').waitFor();
  await server.kill();
  await page.goto(runUrl(ids[1]!));
  await heading(page, 'Run not on this device').waitFor();
  await page.getByText('The server cannot be reached.').waitFor();
  expect(await heading(page, 'Run not found').count()).toBe(0);
  await expectNoViolationsInOneScheme(page);
  await server.start();
  await heading(page, 'Run 2').waitFor();
});

test('[APP-537] a comparison loads what is not here, and offline says what its figures leave out', async () => {
  const server = await appServer(app.folder);
  const { mapId, ids } = await createMap(server, 'Press line', 8);
  const { page } = await openScoped({ server, runsMax: 3 });
  const compareUrl = (numbers: number[]) =>
    `${server.url}/maps/${mapId}/compare/${numbers.map((nth) => ids[nth - 1]).join()}`;
  const bars = page.locator('.yamazumi-bars').first();
  await page.goto(compareUrl([1, 2, 8]));
  await page.getByText('n = 3').first().waitFor();
  expect(await page.getByText('The figures leave').count()).toBe(0);
  expect(await bars.count()).toBe(1);
  await server.kill();
  await page.goto(compareUrl([3, 4, 7, 8]));
  await page.getByText(/^2 selected runs are not on this device\. The figures leave them out\./).waitFor();
  await page.getByText('n = 2').first().waitFor();
  await expectNoViolationsInOneScheme(page);
  await server.start();
  await page.getByText('n = 4').first().waitFor();
  expect(await page.getByText('The figures leave').count()).toBe(0);
});

test('[APP-540] a person chooses how many runs the phone keeps, which holds once the app is opened again', async () => {
  const server = await appServer(app.folder);
  const { mapId } = await createMap(server, 'Press line', 520);
  const { page } = await openDevice();
  await pair(page, server.link);
  await status(page, 'All safe on the server').waitFor();
  await section(page, 'Sync').click();
  await page.getByLabel('The newest 500').check({ force: true });
  await button(page, 'Open Gemba again to apply it').click();
  await status(page, 'All safe on the server').waitFor();
  expect(await page.getByLabel('The newest 500').isChecked()).toBe(true);
  expect(await button(page, 'Open Gemba again to apply it').count()).toBe(0);
  await expectNoViolationsInOneScheme(page);
  await page.goto(`${server.url}/maps/${mapId}/runs`);
  await page.getByText('20 older runs are on the server.').waitFor();
});

test('[APP-534] [APP-536] [APP-542] a German phone says so in German', async () => {
  const server = await appServer(app.folder);
  const { mapId, ids } = await createMap(server, 'Presse', 5);
  const { page, context } = await openDevice(phoneSize, { languages: ['de-DE'] });
  await limitScope(context, 2);
  await page.goto(server.link);
  await button(page, 'Koppeln').click();
  await button(page, 'Beitreten').click();
  await page.getByText('Presse').waitFor();
  await keptForOffline(page);
  await page.goto(`${server.url}/maps/${mapId}/runs`);
  await page.getByText('3 ältere Durchläufe sind auf dem Server.').waitFor();
  await server.kill();
  await page.getByText('Offline. Sie lassen sich laden, sobald der Server erreichbar ist.').waitFor();
  await page.getByText('Verlauf der Durchläufe').click();
  await page
    .getByText('Offline. 3 ältere Durchläufe sind nicht auf diesem Gerät. Der Verlauf zeigt die neuesten 2.')
    .waitFor();
  await page.goto(`${server.url}/maps/${mapId}/runs/${ids[0]}`);
  await heading(page, 'Durchlauf nicht auf diesem Gerät').waitFor();
  await expectNoViolationsInOneScheme(page);
});
