/** Tabs of the test page. Whatever their console complains of, a breach of the page's policy first of all, fails the test. */
import type { BrowserContext, Page } from 'playwright-core';
import { inPage } from './in-page.ts';
import type { Site } from './page.ts';
import { openEngine, type EngineOptions } from './verbs.ts';

export interface Tabs {
  /** Opens the page, and in it the engine, as `window.gemba`. */
  open(tab: string, options?: Partial<EngineOptions>): Promise<Page>;
  /** The page anew, also without a network: as from the cache of a service worker. */
  reload(page: Page): Promise<void>;
  /** Its process dies. */
  crash(page: Page): Promise<void>;
  /** What went wrong in any of them so far. */
  complaints(): Promise<string[]>;
}

export interface TabsOptions {
  context: BrowserContext;
  site: Site;
  token: string;
}

export async function tabsOf({ context, site, token }: TabsOptions): Promise<Tabs> {
  const complaints: string[] = [];
  const crashed = new Set<Page>();
  await context.addInitScript(tellBreaches);
  return {
    open: async (tab, options) => {
      const page = await context.newPage();
      page.on('pageerror', (error) => complaints.push(`${tab}: ${error.stack ?? error.message}`));
      page.on('crash', () => crashed.has(page) || complaints.push(`${tab} crashed`));
      page.on('console', (message) => {
        const text = message.text();
        const isExpected = isNetwork(text) || (options?.token === null && isUnauthorized(text));
        if (message.type() === 'error' && !isExpected) complaints.push(`${tab}: ${text}`);
      });
      await page.goto(`${site.url}/?tab=${tab}`);
      await openEngine(page, { token, ...options });
      return page;
    },
    reload: async (page) => {
      await page.route(
        ({ pathname }) => site.file(pathname) !== undefined,
        (route) => route.fulfill(site.file(new URL(route.request().url()).pathname)!),
      );
      await page.reload();
      // The routes stay: to take them back would leave a request that is just being looked at without any answer.
      await openEngine(page, { token });
    },
    crash: async (page) => {
      crashed.add(page);
      const gone = page.waitForEvent('crash');
      const session = await page.context().newCDPSession(page);
      // The dead do not answer.
      session.send('Page.crash').catch(() => undefined);
      await gone;
    },
    complaints: async () => {
      // What a page said came before its answer.
      for (const page of context.pages())
        if (!crashed.has(page)) await inPage(page, () => undefined).catch(ignoreClosed);
      return complaints;
    },
  };
}

/** Says each breach of the page's policy on the console, those too that the code that made them caught. */
export function tellBreaches(): void {
  document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sourceFile, lineNumber }) =>
    console.error(`policy: ${violatedDirective} forbids ${blockedURI} (${sourceFile}:${lineNumber})`),
  );
}

/** Being without a network is part of the tests; an answer with an error status is not meant here. */
export const isNetwork = (text: string): boolean => text.startsWith('Failed to load resource: net::ERR_');

/** So is being asked for a token that a tab does not have yet. */
const isUnauthorized = (text: string): boolean => text.includes('status of 401');

function ignoreClosed(error: Error): void {
  if (!error.message.includes('closed')) throw error;
}
