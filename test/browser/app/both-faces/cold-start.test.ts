/**
 * Cold starts of a phone while the server's process is dead, after `kill -9` of its browser at a random moment. Each begins a
 * recording, and each second one finds that of the start before. A long run: `npm run soak -- --cold-starts 200`
 *
 * Chromium may drop the databases of an origin after such kills (../../engine/browser-killed.test.ts). The second copy has
 * the work and not the token, so the phone then asks to be paired again.
 */
import { once } from 'node:events';
import { connect } from 'node:net';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import type { MapRecord } from '../../../../shared/schema/map.ts';
import { pickOne, randomWithPrintedSeed, type Random } from '../../../random.ts';
import { testMsMax } from '../../../timeouts.ts';
import { createUserDataDir, openBrowser, type Browser } from '../../browser.ts';
import { appServer, endAppServer, type AppServer } from '../app-server.ts';
import { buildApp, nextVersion, type BuiltApp } from '../build.ts';
import { keptForOffline, pair, phoneSize } from '../devices.ts';
import { expectWork, killWithin, recordUntilKilled } from '../killed-recording.ts';
import { createMap, heading, recordOneStep, status } from '../locators.ts';

const coldStarts = Number(process.env['GEMBA_COLD_STARTS'] ?? 4);
const coldStartsPerPhone = 10;
const coldStartMsMax = 60_000;

let app: BuiltApp;
beforeAll(async () => {
  app = await buildApp();
});
afterAll(async () => {
  await endAppServer();
  await app.remove();
});

test(
  `[APP-402] a phone opens without a server and has its unsent work after its browser was killed, ${coldStarts} times`,
  async () => {
    const random = randomWithPrintedSeed();
    for (let done = 0; done < coldStarts; done += coldStartsPerPhone) {
      await expectColdStarts(random, Math.min(coldStarts - done, coldStartsPerPhone));
      console.log(`${seen.starts} starts without a server: ${JSON.stringify(seen)}`);
    }
    expect(seen.byWorker).toBe(seen.starts);
    expect(seen.showedMaps + seen.unpaired).toBe(seen.starts);
  },
  testMsMax + coldStarts * coldStartMsMax,
);

/** The starts without a server, and how many showed what. */
const seen = {
  starts: 0,
  /** The service worker answered the first navigation, and not the second one or none. */
  byWorker: 0,
  showedMaps: 0,
  /** Chromium had dropped the database. */
  unpaired: 0,
};

interface Scene {
  server: AppServer;
  browser: Browser;
  page: Page;
  random: Random;
  /** Makes a version of the app that no page has had. */
  newVersion(): Promise<{ name: string; folder: string }>;
}

async function expectColdStarts(random: Random, starts: number): Promise<void> {
  const server = await appServer(app.folder);
  const maps = ['Known line'];
  for (const name of maps) await server.rest.send('POST', '/maps', { name });
  const folder = await createUserDataDir();
  onTestFinished(() => folder.remove());
  const open = async () => {
    const browser = await openBrowser(folder.path);
    onTestFinished(() => browser.kill());
    const page = await browser.context.newPage();
    await page.setViewportSize(phoneSize);
    return { browser, page };
  };
  const newVersion = versionsOf(app);

  let phone = await open();
  await pair(phone.page, server.link);
  await status(phone.page, 'All safe on the server').waitFor();
  await keptForOffline(phone.page);
  let moment: Moment = 'installed';
  for (let start = 1; start <= starts; start += 2) {
    console.log(`cold starts ${start} and ${start + 1}: the browser is killed at the moment "${moment}"`);
    await killAt[moment]({ server, ...phone, random, newVersion });
    await server.kill();

    phone = await open();
    await openOffline(phone.page, server, maps);
    const shown = await recordUntilKilled({ ...phone, random, map: `Line ${start}` });
    maps.push(shown.map);

    phone = await open();
    await openOffline(phone.page, server, maps);
    await expectWork(phone.page, server.url, shown);
    const another = `Line ${start + 1}`;
    maps.push(another);
    await phone.page.goto(server.url);
    await createMap(phone.page, another);
    await recordOneStep(phone.page);
    await heading(phone.page, another).waitFor();
    moment = pickOne(random, moments);
  }
  await server.start();
  await phone.page.goto(server.url);
  await status(phone.page, 'All safe on the server').waitFor();
  const stored = await server.rest.list<MapRecord>('/maps');
  expect(stored.map(({ name, run_count }) => [name, run_count]).toSorted()).toEqual(
    maps.map((name) => [name, name === 'Known line' ? 0 : 1]).toSorted(),
  );
  await phone.browser.kill();
}

/** Opens the app while no process listens. If Chromium dropped the database, pairs the phone again. */
async function openOffline(page: Page, server: AppServer, maps: readonly string[]): Promise<void> {
  await expectNobodyListens(server.url);
  seen.starts++;
  await gotoByWorker(page, server.url);
  const offline = page.getByRole('status', { name: 'Sync' }).getByText(/^Offline/);
  const unpaired = heading(page, 'Pair this phone').or(page.getByText(/^No longer paired/));
  await offline.or(unpaired).first().waitFor();
  if (await offline.first().isVisible()) {
    for (const map of maps) await page.getByText(map, { exact: true }).first().waitFor();
    seen.showedMaps++;
    return;
  }
  seen.unpaired++;
  console.log('Chromium dropped the database; the phone is paired again.');
  await server.start();
  await pair(page, await server.newLink('phone'));
  for (const map of maps) await page.getByText(map, { exact: true }).first().waitFor();
  await server.kill();
}

/** A page that comes while nobody listens comes from the service worker. Counts whether it came at once. */
async function gotoByWorker(page: Page, url: string): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      await page.goto(url);
      if (tries === 1) seen.byWorker++;
      return;
    } catch (error) {
      console.log(`try ${tries} did not reach the service worker: ${String(error)}`);
      if (tries === navigationsMax) throw error;
    }
  }
}

const navigationsMax = 3;

async function expectNobodyListens(url: string): Promise<void> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  const refused = await once(socket, 'connect').then(
    // Linux may give the socket the very port that it asks for, and it then connects to itself.
    () => (socket.localPort === socket.remotePort ? 'ECONNREFUSED' : undefined),
    (error: NodeJS.ErrnoException) => error.code,
  );
  socket.destroy();
  expect(refused).toBe('ECONNREFUSED');
}

function versionsOf(build: BuiltApp): Scene['newVersion'] {
  let made = 0;
  return async () => {
    const name = `version${++made}`;
    const next = await nextVersion(build, name);
    onTestFinished(() => next.remove());
    return { name, folder: next.folder };
  };
}

type Moment = 'installed' | 'safe' | 'updating' | 'updated' | 'opening';

/** Each kills the browser. The server runs at the start of `installed` alone. */
const killAt: Record<Moment, (scene: Scene) => Promise<void>> = {
  installed: ({ browser, random }) => killWithin(browser, random, 300),
  safe: async ({ server, page, browser, random }) => {
    await server.start();
    await page.goto(server.url);
    await status(page, 'All safe on the server').waitFor();
    await killWithin(browser, random, 3_000);
  },
  updating: async ({ server, page, browser, random, newVersion }) => {
    const { folder } = await newVersion();
    await server.start(folder);
    const loading = page.goto(server.url).catch(() => undefined);
    await killWithin(browser, random, 3_000);
    await loading;
  },
  updated: async ({ server, page, browser, random, newVersion }) => {
    const { name, folder } = await newVersion();
    await server.start(folder);
    await page.goto(server.url);
    await page.locator(`html[data-version="${name}"]`).waitFor();
    await killWithin(browser, random, 300);
  },
  opening: async ({ server, page, browser, random }) => {
    const loading = page.goto(server.url).catch(() => undefined);
    await killWithin(browser, random, 1_000);
    await loading;
  },
};
const moments: readonly Moment[] = ['safe', 'updating', 'updated', 'opening'];
