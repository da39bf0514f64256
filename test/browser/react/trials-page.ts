/**
 * Runs trials in a page, which each test loads anew without stored data: a page for each would take two seconds of the
 * processor. A complaint on its console, such as a warning of React, fails the test.
 */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished } from 'vitest';
import { sharedBrowser } from '../app/shared-browser.ts';
import { openSite, type Site } from '../page.ts';
import { buildTrials } from './bundle.ts';

/** The trials need no server: their engines have no token. */
const noServer = 'http://127.0.0.1:1';

interface TrialOptions {
  /** An error boundary catches errors, which React 18 reports on the console all the same. */
  hasErrors?: boolean;
}

/** Opens the page of the trials of a file, and returns what loads it anew. */
export function trialsPage(): (options?: TrialOptions) => Promise<Page> {
  let site: Site;
  let page: Page;
  const complaints: string[] = [];
  beforeAll(async () => {
    site = await openSite(await buildTrials(), noServer);
    page = await (await sharedBrowser.lastingContext({})).newPage();
    page.on('pageerror', (error) => complaints.push(error.stack ?? error.message));
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
    });
  });
  afterAll(async () => {
    await page.context().close();
    await site.close();
  });
  return async ({ hasErrors = false } = {}) => {
    await page.goto('about:blank');
    const session = await page.context().newCDPSession(page);
    await session.send('Storage.clearDataForOrigin', { origin: new URL(site.url).origin, storageTypes: 'all' });
    await session.detach();
    complaints.length = 0;
    const isExpected = hasErrors && process.env['TEST_REACT'] !== undefined;
    onTestFinished(() => expect(isExpected ? [] : complaints).toEqual([]));
    await page.goto(site.url);
    return page;
  };
}
