/** A page with the engine in a real browser, for measurements that depend on the browser. */
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { openBrowser } from '../../browser/browser.ts';
import { buildBundle } from '../../browser/bundle.ts';
import { openSite } from '../../browser/page.ts';

export interface BrowserPage {
  page: Page;
  /** The address of the page and of the API. */
  url: string;
  close(): Promise<void>;
}

export async function openBrowserPage(folder: string, serverUrl = 'http://127.0.0.1:1'): Promise<BrowserPage> {
  const site = await openSite(await buildBundle(), serverUrl, { isIsolated: true });
  const browser = await openBrowser(join(folder, 'browser'));
  const { context } = browser;
  // tsx adds calls of `__name`, which a page does not have.
  await context.addInitScript('globalThis.__name = (it) => it');
  const page = await context.newPage();
  await page.goto(site.url);
  return {
    page,
    url: site.url,
    close: async () => {
      await browser.kill();
      await site.close();
    },
  };
}
