/** Installation of the app, and the progress of its first pull. Real server process, real Chromium. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { inPage } from '../../in-page.ts';
import { appServer } from '../app-server.ts';
import { builtApp } from '../built-app.ts';
import { openDevice, pair } from '../devices.ts';
import { expectNoViolationsInOneScheme } from '../accessibility.ts';
import { button, heading, join, section, status } from '../locators.ts';

const app = builtApp();

test('[APP-75] [APP-118] [APP-119] installing is offered once where the browser has a prompt, explained on an iPhone, and not offered to the installed', async () => {
  const server = await appServer(app.folder);
  const { context, page } = await openDevice();
  await pair(page, server.link);
  await section(page, 'Sync').click();
  await heading(page, 'Sync').waitFor();
  expect(await button(page, 'Install').count()).toBe(0);
  await inPage(page, offerInstall);
  await button(page, 'Install').waitFor();
  await expectNoViolationsInOneScheme(page);
  await button(page, 'Install').click();
  await button(page, 'Install').waitFor({ state: 'detached' });
  expect(await inPage(page, () => document.documentElement.dataset['asked'])).toBe('once');

  const iphone = await context.newPage();
  await iphone.addInitScript(() => Object.defineProperty(navigator, 'standalone', { value: false }));
  await iphone.goto(`${server.url}/sync`);
  await iphone.getByText('In Safari tap Share, then Add to Home Screen.').waitFor();

  const installed = await context.newPage();
  await installed.addInitScript(pretendInstalled);
  await installed.goto(`${server.url}/sync`);
  await button(installed, 'Sync now').waitFor();
  await inPage(installed, offerInstall);
  await section(installed, 'Maps').click();
  await section(installed, 'Sync').click();
  await button(installed, 'Sync now').waitFor();
  expect(await button(installed, 'Install').count()).toBe(0);
});

/** Makes the page believe that it runs as an installed app, which a headless browser cannot. */
function pretendInstalled(): void {
  const ask = window.matchMedia.bind(window);
  window.matchMedia = (query) => ask(query === '(display-mode: standalone)' ? 'all' : query);
}

/** Fires `beforeinstallprompt`, which a headless browser never does. */
function offerInstall(): void {
  const prompt = () => {
    document.documentElement.dataset['asked'] = 'once';
    return Promise.resolve();
  };
  dispatchEvent(Object.assign(new Event('beforeinstallprompt', { cancelable: true }), { prompt }));
}

test('[APP-76] while the first maps come their number is told, and an empty list is not taken for all that there is', async () => {
  const server = await appServer(app.folder);
  for (let made = 0; made < 1_200; made += 100) {
    const names = Array.from({ length: 100 }, (_, index) => `Line ${made + index}`);
    const answers = await Promise.all(names.map((name) => server.rest.send('POST', '/maps', { name })));
    expect(new Set(answers.map(({ status: code }) => code))).toEqual(new Set([201]));
  }
  // Make this map last and alone, since the page shows only the newest maps, and maps made at once have no fixed order.
  await server.rest.send('POST', '/maps', { name: 'Newest line' });
  const { page } = await openDevice();
  const pulls = await holdPulls(page);
  await page.goto(server.link);
  await join(page);
  await heading(page, 'Loading the maps').waitFor();
  await expectNoViolationsInOneScheme(page);
  await pulls.letGo();
  await page.getByText('Loading from the server: 500 so far').waitFor();
  await page.getByRole('list', { name: 'Maps' }).waitFor();
  await expectNoViolationsInOneScheme(page);
  await pulls.letGo();
  await page.getByText('Loading from the server: 1,000 so far').waitFor();
  await pulls.letGo();
  await page.getByText('Loading from the server').waitFor({ state: 'detached' });
  await status(page, 'All safe on the server').waitFor();
  await page.getByText('Newest line', { exact: true }).waitFor();
});

/** Holds each page of a pull, of 500 changes instead of 1,000, until the test releases the page. */
async function holdPulls(page: Page): Promise<{ letGo(): Promise<void> }> {
  const held: (() => void)[] = [];
  await page.route(/sync\/pull\?.*limit=1000/, async (route, request) => {
    await new Promise<void>((resolve) => held.push(resolve));
    await route.continue({ url: request.url().replace('limit=1000', 'limit=500') });
  });
  return {
    letGo: async () => {
      await expect.poll(() => held.length).toBeGreaterThan(0);
      held.shift()!();
    },
  };
}
