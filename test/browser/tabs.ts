/** Tabs of the test page. Any complaint on their consoles, such as a breach of the page's policy, fails the test. */
import type { BrowserContext, Page } from 'playwright-core';
import { inPage } from './in-page.ts';
import type { Site } from './page.ts';
import { openEngine, type EngineOptions } from './verbs.ts';

export interface PageTabs {
  /** Opens the page, and in it the engine as `window.gemba`. */
  open(tab: string, options?: Partial<EngineOptions>): Promise<Page>;
  /** Reloads the page, also offline, as if a service worker had cached it. */
  reload(page: Page): Promise<void>;
  /** Crashes the page's process. */
  crash(page: Page): Promise<void>;
  /** The complaints of all tabs so far. */
  complaints(): Promise<string[]>;
}

export interface TabsOptions {
  context: BrowserContext;
  site: Site;
  token: string;
}

export async function createTabs({ context, site, token }: TabsOptions): Promise<PageTabs> {
  const complaints: string[] = [];
  const crashed = new Set<Page>();
  await context.addInitScript(logPolicyBreaches);
  return {
    open: async (tab, options) => {
      const page = await context.newPage();
      page.on('pageerror', (error) => complaints.push(`${tab}: ${error.stack ?? error.message}`));
      page.on('crash', () => crashed.has(page) || complaints.push(`${tab} crashed`));
      page.on('console', (message) => {
        const text = message.text();
        const isExpected = isNetworkFailure(text) || (options?.token === null && isUnauthorizedMessage(text));
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
      // The routes of Playwright stay, since removing them would leave a request under way without an answer.
      await openEngine(page, { token });
    },
    crash: async (page) => {
      crashed.add(page);
      const gone = page.waitForEvent('crash');
      const session = await page.context().newCDPSession(page);
      // A crashed page does not answer.
      session.send('Page.crash').catch(() => undefined);
      await gone;
    },
    complaints: async () => {
      // A page answers this empty call after it has sent all its earlier messages.
      for (const page of context.pages())
        if (!crashed.has(page)) await inPage(page, () => undefined).catch(ignoreClosedPage);
      return complaints;
    },
  };
}

/** Prints each breach of the page's policy on the console, even if the code that caused it caught the error. */
export function logPolicyBreaches(): void {
  document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sourceFile, lineNumber }) =>
    console.error(`policy: ${violatedDirective} forbids ${blockedURI} (${sourceFile}:${lineNumber})`),
  );
}

/** Recognizes a failure of the network, which tests cause on purpose. An error status has another message. */
export const isNetworkFailure = (text: string): boolean => text.startsWith('Failed to load resource: net::ERR_');

/** Recognizes the message that a tab without a token causes on purpose, since the server refuses it. */
const isUnauthorizedMessage = (text: string): boolean => text.includes('status of 401');

function ignoreClosedPage(error: Error): void {
  if (!error.message.includes('closed')) throw error;
}
