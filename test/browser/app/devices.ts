/**
 * Opens phones and watches as pages of a real Chromium. Any error or warning on their consoles, such as a violation of
 * the content security policy, fails the test.
 */
import type { BrowserContext, Page } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';
import { openBrowser, createUserDataDir } from '../browser.ts';
import { sharedBrowser, workerNeeded } from './shared-browser.ts';
import { isNetworkFailure, logPolicyBreaches } from '../tabs.ts';
import { inPage } from '../in-page.ts';
import { join } from './locators.ts';

export interface Size {
  width: number;
  height: number;
}

export const phoneSize: Size = { width: 390, height: 844 };
export const watchSizes: Size[] = [
  { width: 192, height: 192 },
  { width: 240, height: 240 },
  { width: 480, height: 480 },
];

export interface Device {
  context: BrowserContext;
  page: Page;
}

interface DeviceOptions {
  /** The languages of the device, the preferred one first. */
  languages?: readonly string[];
  /** Lets `tap` send touches. */
  hasTouch?: boolean;
  /** Further flags of Chromium. The device then has a browser of its own. */
  flags?: readonly string[];
}

/** Opens a device that has no stored data. `size` tells whether the device is a phone or a watch. */
export async function openDevice(
  size: Size = phoneSize,
  { languages, hasTouch = false, flags = [] }: DeviceOptions = {},
): Promise<Device> {
  const isShared = flags.length === 0;
  const context = isShared ? await sharedBrowser.newContext({ hasTouch, viewport: size }) : await ownContext(flags);
  const complaints: string[] = [];
  await context.addInitScript(logPolicyBreaches);
  const page = await context.newPage();
  if (!isShared) {
    await page.setViewportSize(size);
    await hideScrollbars(page);
  }
  if (languages) await setLanguages(page, languages);
  page.on('pageerror', (error) => complaints.push(error.stack || error.message));
  page.on('crash', () => complaints.push('the page crashed'));
  page.on('console', (message) => {
    const text = message.text();
    const refused =
      text.startsWith('Failed to load resource: the server responded') && isApiUrl(message.location().url);
    if (message.type() === 'error' && !isNetworkFailure(text) && !refused) complaints.push(text);
  });
  onTestFinished(() => expect(complaints).toEqual([]));
  onTestFinished(async ({ task }) => {
    if (task.result?.state === 'fail') await printShown(page);
  });
  return { context, page };
}

/** Prints where the page is and what a person reads there. */
async function printShown(page: Page): Promise<void> {
  const shown = await inPage(page, () => document.body.innerText).catch((error: Error) => error.message);
  console.log(`The page of the failed test, ${page.url()}, shows:\n${shown}`);
}

async function ownContext(flags: readonly string[]): Promise<BrowserContext> {
  const folder = await createUserDataDir();
  onTestFinished(() => folder.remove());
  const browser = await openBrowser(folder.path, { flags });
  onTestFinished(() => browser.kill());
  return browser.context;
}

/** Opens a page whose errors on the console do not fail the test. */
export async function openUnwatchedPage(): Promise<Page> {
  return (await sharedBrowser.newContext({})).newPage();
}

/** Hides scrollbars, since those of phones and watches take no room on the page. */
export async function hideScrollbars(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setScrollbarsHidden', { hidden: true });
}

async function setLanguages(page: Page, languages: readonly string[]): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const userAgent = await page.evaluate(() => navigator.userAgent);
  await session.send('Emulation.setUserAgentOverride', { userAgent, acceptLanguage: languages.join() });
}

/** Failed requests to the API do not fail a test, since some tests provoke refusals. */
const isApiUrl = (url: string): boolean => new URL(url).pathname.startsWith('/api/');

/** Opens the link and pairs under the proposed name. */
export async function pair(page: Page, link: string): Promise<void> {
  await page.goto(link);
  await join(page);
  await page.getByRole('status', { name: 'Sync' }).waitFor();
}

/** Resolves when all files of the app are cached, so that the app can open offline. */
export async function keptForOffline(page: Page): Promise<void> {
  await inPage(
    page,
    async (needed) => {
      dispatchEvent(new Event(needed));
      const { serviceWorker } = navigator;
      await serviceWorker.ready;
      if (serviceWorker.controller) return;
      await new Promise((controlled) => serviceWorker.addEventListener('controllerchange', controlled, { once: true }));
    },
    workerNeeded,
  );
}
