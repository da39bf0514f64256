/**
 * A phone shows which device recorded, where a photo is, and whether a sync succeeded. Real server process, real
 * Chromium.
 */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { expectNoViolationsInOneScheme } from '../../accessibility.ts';
import { appServer } from '../../app-server.ts';
import { builtApp } from '../../built-app.ts';
import { openDevice, openUnwatchedPage, pair, watchSizes } from '../../devices.ts';
import { inPage } from '../../../in-page.ts';
import { button, finish, heading, openDevices, section, status } from '../../locators.ts';
import { link, openPhone, uploadRecordings } from '../../recorded-runs.ts';

const app = builtApp();

const steps = [
  { stage_name: 'Cut', duration_secs: 30, photos: ['https://photos.example/cut.jpg', 'shelf 3'] },
  { stage_name: 'Pack', duration_secs: 10 },
];

async function openRun(page: Page, name: string): Promise<void> {
  await section(page, 'Maps').click();
  await page.getByText('Saw').click();
  await page.getByRole('link', { name: /runs? / }).click();
  await page.getByText(name, { exact: true }).click();
  await heading(page, name).waitFor();
}

test('[APP-331] [APP-332] two watches are told apart, and a run says which of them recorded it, offline too', async () => {
  const server = await appServer(app.folder);
  await uploadRecordings(server, steps);
  const page = await openPhone(server);
  for (let watches = 1; watches <= 2; watches++) {
    const { page: watch } = await openDevice(watchSizes[1]);
    await pair(watch, await server.newLink('wearable'));
    if (watches === 1) continue;
    await button(watch, 'Saw').click();
    await button(watch, 'Next: Cut').click();
    await finish(watch);
    await watch.getByText('Safe on the server').waitFor();
  }
  await openDevices(page);
  const names = page.getByRole('list', { name: 'Devices' }).locator('.list-name');
  await expect.poll(() => names.allInnerTexts()).toEqual(['Watch 2', 'Watch', 'Computer']);
  await page.getByRole('button', { name: 'Watch 2' }).click();
  await heading(page, 'Watch 2').waitFor();
  expect(await page.getByLabel('Name of this device').inputValue()).toBe('Watch');
  await button(page, 'Close').click();

  await openRun(page, 'Run 1');
  await page.getByText('Sent with an API key').waitFor();
  await server.kill();
  await openRun(page, 'Run 2');
  await page.getByText('Recorded on Watch 2').waitFor();
  await expectNoViolationsInOneScheme(page);
  await section(page, 'Maps').click();
  await page.getByText('Saw').click();
  await button(page, 'Record').click();
  await button(page, 'Next: Cut').click();
  await finish(page);
  await button(page, 'Only this run').or(heading(page, 'Saw')).first().waitFor();
  if (await button(page, 'Only this run').isVisible()) await button(page, 'Only this run').click();
  await openRun(page, 'Run 3');
  await page.getByText(/^Recorded on (?:Computer|this device)$/).waitFor();
});

test('[APP-390] a phone that opens a run offline asks for the name of its device once it is online', async () => {
  const server = await appServer(app.folder);
  await uploadRecordings(server, steps);
  const { page: watch } = await openDevice(watchSizes[1]);
  await pair(watch, await server.newLink('wearable'));
  await button(watch, 'Saw').click();
  await button(watch, 'Next: Cut').click();
  await finish(watch);
  await watch.getByText('Safe on the server').waitFor();
  const page = await openPhone(server);
  await server.kill();
  await status(page, 'Offline').waitFor();
  const failed = page.waitForEvent('requestfailed', (request) => new URL(request.url()).pathname.endsWith('/devices'));
  await openRun(page, 'Run 2');
  await failed;
  expect(await page.getByText(/^Recorded on/).count()).toBe(0);
  await server.start();
  await page.getByText('Recorded on Watch').waitFor();
  await heading(page, 'Run 2').waitFor();
});

test('[APP-335] [APP-337] a photo with an address is a link, and work that nobody judged says so beside its PCE', async () => {
  const server = await appServer(app.folder);
  await uploadRecordings(server, steps);
  const page = await openPhone(server);
  const unjudged = page.getByText('Set the work types first');
  await page.getByText('Saw').click();
  await unjudged.waitFor();
  await openRun(page, 'Run 1');
  await unjudged.waitFor();
  expect(await link(page, 'Photo 1').getAttribute('href')).toBe('https://photos.example/cut.jpg');
  await page.getByText('Photo: shelf 3').waitFor();
  await expectNoViolationsInOneScheme(page);
  await section(page, 'Maps').click();
  await page.getByText('Saw').click();
  await page.getByText('1. Cut').click();
  await page.getByRole('radio', { name: 'Valuable' }).check();
  await button(page, 'Save').click();
  await unjudged.waitFor({ state: 'detached' });
});

test('[APP-334] "Sync now" says what came of it, with a server and without', async () => {
  const server = await appServer(app.folder);
  const page = await openPhone(server);
  await section(page, 'Sync').click();
  await button(page, 'Sync now').click();
  await page.getByText('Everything is up to date.').waitFor();
  await server.kill();
  await status(page, 'Offline').waitFor();
  for (let taps = 1; taps <= 2; taps++) {
    await button(page, 'Sync now').click();
    await page.getByText("You're offline. Everything is sent once the server can be reached.").waitFor();
    await page.locator('.toast').waitFor({ state: 'detached' });
  }
  await expect.poll(() => button(page, 'Sync now').isEnabled()).toBe(true);
});

test('[APP-333] an address that the app does not know says that no page is there', async () => {
  const server = await appServer(app.folder);
  // The page's status 404 is expected, and also appears in the console.
  const page = await openUnwatchedPage();
  await pair(page, server.link);
  await heading(page, 'No maps yet').waitFor();
  for (const path of ['/nowhere', '/settings']) {
    const response = await page.goto(server.url + path);
    expect(response?.status()).toBe(404);
    await heading(page, 'Page not found').waitFor();
  }
  await link(page, 'Go to the maps').click();
  await heading(page, 'No maps yet').waitFor();
});

/** The width of A4 within margins of 1 cm, in CSS pixels. */
const a4Size = { width: 718, height: 1046 };

test('[APP-338] a phone prints a map and a comparison without its bars, and cuts nothing off', async () => {
  const server = await appServer(app.folder);
  const eight = Array.from({ length: 8 }, (_, nth) => ({ stage_name: `Station ${nth + 1}`, duration_secs: 30 }));
  await uploadRecordings(server, eight, eight);
  const page = await openPhone(server);
  await page.getByText('Saw').click();
  await heading(page, 'Stages').waitFor();
  expect(await printAndMeasure(page)).toEqual({ bars: [], cut: [] });
  await page.getByRole('link', { name: /runs / }).click();
  await link(page, 'Compare runs').click();
  await button(page, 'Select all').click();
  await button(page, 'Compare 2 runs').click();
  await page.getByText('All times as a table').click();
  await page.getByRole('table').last().waitFor();
  expect(await printAndMeasure(page)).toEqual({ bars: [], cut: [] });
});

/** Returns the bars of the app that are printed, and the elements that do not fit on the paper. */
async function printAndMeasure(page: Page) {
  const size = page.viewportSize()!;
  await page.emulateMedia({ media: 'print' });
  await page.setViewportSize(a4Size);
  const found = await inPage(page, () => {
    const isShown = (element: Element) => element.checkVisibility() && !element.closest('.visually-hidden, defs');
    const bars = [...document.querySelectorAll('.phone-top, .phone-nav, .running-bar, .toasts, .update, .run-bar')];
    const cut = [...document.querySelectorAll('main *')].filter((element) => {
      const { right, left, width } = element.getBoundingClientRect();
      const isClipped =
        element.clientWidth > 0 &&
        element.scrollWidth > element.clientWidth + 1 &&
        getComputedStyle(element).overflowX !== 'visible';
      const isOutside = width > 0 && (right > innerWidth + 1 || left < -1) && !(element instanceof SVGPathElement);
      return isShown(element) && (isClipped || isOutside);
    });
    const nameOf = (element: Element) =>
      `${element.tagName} ${element.getAttribute('class')} ${element.textContent?.slice(0, 20)}`;
    return { bars: bars.filter(isShown).map(nameOf), cut: cut.map(nameOf) };
  });
  await page.emulateMedia({ media: 'screen' });
  await page.setViewportSize(size);
  return found;
}
