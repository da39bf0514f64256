/** Runs trials in a page of their own. A complaint on its console, such as a warning of React, fails the test. */
import type { Page } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';
import { sharedBrowser } from '../app/shared-browser.ts';
import type { Bundle } from '../bundle.ts';
import { openSite } from '../page.ts';
import { buildTrials } from './bundle.ts';

let built: Promise<Bundle> | undefined;

/** The trials need no server: their engines have no token. */
const noServer = 'http://127.0.0.1:1';

interface TrialOptions {
  /** An error boundary catches errors, which React 18 reports on the console all the same. */
  hasErrors?: boolean;
}

export async function openTrials({ hasErrors = false }: TrialOptions = {}): Promise<Page> {
  const site = await openSite(await (built ??= buildTrials()), noServer);
  onTestFinished(() => site.close());
  const context = await sharedBrowser.newContext({});
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.stack ?? error.message));
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
  });
  const isExpected = hasErrors && process.env['TEST_REACT'] !== undefined;
  onTestFinished(() => expect(isExpected ? [] : complaints).toEqual([]));
  await page.goto(site.url);
  return page;
}
