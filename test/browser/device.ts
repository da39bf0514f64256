/**
 * The parts of a browser test: a server with an account, the site in front of it, and a browser with a folder of its
 * own.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { restClient, testServer, type RestClient } from '../device/test-server.ts';
import { makeOnce } from '../made-once.ts';
import { openBrowser, createUserDataDir, type Browser } from './browser.ts';
import { buildBundle, type Bundle } from './bundle.ts';
import { openSite, type Site } from './page.ts';
import { createTabs, type PageTabs } from './tabs.ts';

export interface BrowserDevice {
  site: Site;
  rest: RestClient;
  /** Returns the token of another account. */
  newAccount(): Promise<string>;
  /** The folder with the browser's stored data. */
  folder: string;
  /** Starts the browser, and after a kill starts it again on the same folder. */
  start(): Promise<{ browser: Browser; tabs: PageTabs }>;
}

/** Builds the engine once for a whole test run. */
export async function buildEngineBundle(): Promise<Bundle> {
  const folder = await makeOnce('engine', async (empty) => {
    const { chunks, gzipBytes } = await buildBundle();
    await writeFile(join(empty, bundleFile), JSON.stringify({ chunks: [...chunks], gzipBytes }));
  });
  if (!folder) return buildBundle();
  const { chunks, gzipBytes } = JSON.parse(await readFile(join(folder, bundleFile), 'utf8')) as StoredBundle;
  return { chunks: new Map(chunks), gzipBytes };
}

const bundleFile = 'bundle.json';

interface StoredBundle {
  chunks: [string, string][];
  gzipBytes: number;
}

export async function createBrowserDevice(): Promise<BrowserDevice> {
  const built = await buildEngineBundle();
  const server = await testServer();
  onTestFinished(() => server.remove());
  const site = await openSite(built, server.url);
  onTestFinished(() => site.close());
  const folder = await createUserDataDir();
  onTestFinished(() => folder.remove());
  const token = await server.newAccount();
  return {
    site,
    rest: restClient(server.url, token),
    newAccount: () => server.newAccount(),
    folder: folder.path,
    start: async () => {
      const browser = await openBrowser(folder.path);
      onTestFinished(() => browser.kill());
      const tabs = await createTabs({ context: browser.context, site, token });
      onTestFinished(async () => expect(await tabs.complaints()).toEqual([]));
      return { browser, tabs };
    },
  };
}
