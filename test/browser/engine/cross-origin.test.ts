/** A device in a page whose server is of another origin. */
import { expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../../contract/fixture.ts';
import { openServer } from '../../../server/app.ts';
import { sharedBrowser } from '../app/shared-browser.ts';
import { buildBundle } from '../bundle.ts';
import { pageVerb } from '../in-page.ts';
import { openSite } from '../page.ts';

async function serverFor(corsOrigins?: string[]): Promise<string> {
  const { dataDir, remove } = temporaryFolder();
  const server = await openServer({ dataDir, port: 0, host: '127.0.0.1', corsOrigins });
  onTestFinished(() => server.close().finally(remove));
  return server.url;
}

/** Opens a device without an account, and resolves to the detail of its error when a round has ended. */
const errorAt = pageVerb(async (url: string) => {
  const gemba = await window.openGemba({ name: url, url, token: 'gk_unknown' });
  await gemba.sync();
  const status = await window.eventually(gemba.status$, ({ error }) => error !== null);
  return status.error?.detail;
});

/** Resolves to what the device showed after three rounds. */
const errorsAt = pageVerb(async (url: string) => {
  const gemba = await window.openGemba({ name: url, url, token: 'gk_unknown' });
  const shown: unknown[] = [];
  gemba.status$.subscribe(({ error }) => shown.push(error));
  for (let round = 0; round < 3; round++) await gemba.sync();
  return shown.filter((error) => error !== null);
});

test('[LIB-30] a page of another origin says which setting of the server must list it, and nothing where no server is', async () => {
  const site = await openSite(await buildBundle('cross-origin-entry.ts'), await serverFor());
  onTestFinished(() => site.close());
  // The page's own policy would let it ask its own origin alone.
  const page = await (await sharedBrowser.newContext({ bypassCSP: true })).newPage();
  await page.goto(site.url);

  const closed = await serverFor(['https://app.example']);
  expect(await errorAt(page, closed)).toBe(
    `A server answers at ${closed}, but lets no page of ${site.url} call it. Its GEMBA_CORS_ORIGINS must list that origin.`,
  );
  expect(await errorAt(page, await serverFor([site.url]))).toMatch(/token/);
  expect(await errorsAt(page, 'http://127.0.0.1:9')).toEqual([]);
});
