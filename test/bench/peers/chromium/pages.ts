/** Pages of one browser, each on a site that passes `/api` on to a server. */
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { build, type Rollup } from 'vite';
import { openBrowser } from '../../../browser/browser.ts';
import { buildBundle, type Bundle } from '../../../browser/bundle.ts';
import { openSite, type Site } from '../../../browser/page.ts';

export interface Pages {
  gemba(serverUrl: string): Promise<Page>;
  peer(serverUrl: string): Promise<Page>;
  close(): Promise<void>;
}

export async function openPages(folder: string): Promise<Pages> {
  const [engine, peers] = [await buildBundle(), await buildPeers()];
  const browser = await openBrowser(folder);
  // tsx adds calls of `__name`, which a page does not have.
  await browser.context.addInitScript('globalThis.__name = (it) => it');
  const sites: Site[] = [];
  const open = async (bundle: Bundle, serverUrl: string) => {
    const site = await openSite(bundle, serverUrl, { isIsolated: true });
    sites.push(site);
    const page = await browser.context.newPage();
    page.on('pageerror', (error) => console.error(error));
    await page.goto(site.url);
    return page;
  };
  return {
    gemba: (serverUrl) => open(engine, serverUrl),
    peer: (serverUrl) => open(peers, serverUrl),
    close: async () => {
      await browser.kill();
      for (const site of sites) await site.close();
    },
  };
}

async function buildPeers(): Promise<Bundle> {
  const entry = fileURLToPath(new URL('entry.ts', import.meta.url));
  const result = (await build({
    configFile: false,
    logLevel: 'error',
    mode: 'production',
    define: { 'process.env.NODE_ENV': '"production"', global: 'globalThis' },
    build: {
      write: false,
      modulePreload: { polyfill: false },
      rolldownOptions: {
        input: { entry },
        output: { entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' },
      },
    },
  })) as Rollup.RollupOutput;
  const chunks = new Map(
    result.output.flatMap((output) => (output.type === 'chunk' ? [[output.fileName, output.code] as const] : [])),
  );
  return { chunks, gzipBytes: 0 };
}
