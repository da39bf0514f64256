/** All that a test in a browser needs: a server with an account, the site in front of it, and a browser with a folder of its own. */
import { expect, onTestFinished } from 'vitest';
import { restClient, testServer, type RestClient } from '../engine/account.ts';
import { openBrowser, userDataDir, type Browser } from './browser.ts';
import { bundle, type Bundle } from './bundle.ts';
import { openSite, type Site } from './page.ts';
import { tabsOf, type Tabs } from './tabs.ts';

export interface BrowserDevice {
  site: Site;
  rest: RestClient;
  /** Where its browser keeps what it stores. */
  folder: string;
  /** Starts the browser, again on the same folder after it was killed. */
  start(): Promise<{ browser: Browser; tabs: Tabs }>;
}

/** Once a process. */
let bundling: Promise<Bundle> | undefined;

export const engineBundle = (): Promise<Bundle> => (bundling ??= bundle());

export async function browserDevice(): Promise<BrowserDevice> {
  const built = await engineBundle();
  const server = await testServer();
  onTestFinished(() => server.remove());
  const site = await openSite(built, server.url);
  onTestFinished(() => site.close());
  const folder = await userDataDir();
  onTestFinished(() => folder.remove());
  const token = await server.newAccount();
  return {
    site,
    rest: restClient(server.url, token),
    folder: folder.path,
    start: async () => {
      const browser = await openBrowser(folder.path);
      onTestFinished(() => browser.kill());
      const tabs = await tabsOf({ context: browser.context, site, token });
      onTestFinished(async () => expect(await tabs.complaints()).toEqual([]));
      return { browser, tabs };
    },
  };
}
