/**
 * The app on a phone, compared with an empty page that the same service worker serves: opening it offline, and
 * scrolling its list of maps. Headless Chromium paints on the processor, so only the ratios say something.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { BrowserContext, Page } from 'playwright-core';
import { openBrowser } from '../../browser/browser.ts';
import { inPage } from '../../browser/in-page.ts';
import { buildApp, type BuiltApp } from '../../browser/app/build.ts';
import { keptForOffline, pair, phoneSize } from '../../browser/app/devices.ts';
import { framesOf, scrollThrough, type Frames } from './frames.ts';
import { ratioOf, spreadOf, takeTurns } from '../measure.ts';
import { BenchDevice } from '../recordings.ts';
import { pushOver, startServerProcess } from '../server-process.ts';
import type { Setting } from '../setting.ts';
import { spreadText, type FigureTable } from '../table.ts';

interface Sizes {
  maps: number;
  runs: number;
}

export async function measureApp({ smoke, dataDir }: Setting): Promise<FigureTable[]> {
  const sizes: Sizes = smoke ? { maps: 100, runs: 100 } : { maps: 1_000, runs: 1_000 };
  const app = await buildApp();
  const browser = await openBrowser(dataDir('app-browser'));
  try {
    await serveEmptyPage(app);
    await browser.context.addInitScript('globalThis.__name = (it) => it');
    const url = await preparePhone({ context: browser.context, app, dataDir: dataDir('app'), sizes });
    const opened = await measureOpenings(browser.context, { url, ...sizes, rounds: smoke ? 2 : 15 });
    const pages = { empty: await openPage(browser.context), app: await openPage(browser.context) };
    await pages.app.goto(url);
    await pages.app.locator(engineOpenSelector).waitFor();
    await pages.empty.goto(`${url}/empty.html`);
    return [opened, await measureScrolling(pages, sizes, smoke ? 1 : 5)];
  } finally {
    await browser.kill();
    await app.remove();
  }
}

type Pages = Record<'empty' | 'app', Page>;

async function measureOpenings(
  context: BrowserContext,
  given: Sizes & { url: string; rounds: number },
): Promise<FigureTable> {
  const { url, maps, runs, rounds } = given;
  const map = await findFirstMapUrl(context, url);
  const record = '.button-primary.button-wide';
  const opening = (what: OpeningToMeasure) => () => measureOpeningMs(context, what);
  const samples = await takeTurns(
    {
      'empty page': opening({ url: `${url}/empty.html`, wanted: 'body' }),
      'maps of last time': opening({ url, wanted: '[aria-label="Maps"] a' }),
      'a map, to be recorded': opening({ url: map, wanted: record }),
      'a recording begun': opening({ url: map, wanted: '.recorder-next', tapped: record, after: discardRecording }),
      'all is read': opening({ url, wanted: engineOpenSelector }),
    },
    { rounds },
  );
  return {
    title: 'Opening the app',
    about:
      `Loading the app of a phone with ${maps} maps and ${runs} runs again, without a server: until a row of its list of maps is\n` +
      'there, until a map has its button for recording, which takes taps from then on, until a recording has begun that a tap\n' +
      'on this button asked for the moment it was there, acknowledged with its start on the disk twice, and until the status\n' +
      'says how all stands. Each in a tab of its own, the only one, that had it open and came to rest. The empty page comes from\n' +
      'the same service worker. Milliseconds from the begin of the navigation to the frame, told by the page.',
    head: ['what', 'milliseconds', 'to empty page'],
    rows: Object.entries(samples).map(([what, ms]) => [
      what,
      spreadText(spreadOf(ms)),
      spreadText(ratioOf(ms, samples['empty page'])),
    ]),
  };
}

const engineOpenSelector = '.pill:not(.pill-plain)';
/** Before each measured opening, the page gets this long to finish the work of the opening before. */
const pauseMs = 2_000;

async function findFirstMapUrl(context: BrowserContext, url: string): Promise<string> {
  const page = await openPage(context);
  await page.goto(url);
  await page.locator('[aria-label="Maps"] a').first().click();
  await page.getByRole('button', { name: 'Record', exact: true }).waitFor();
  await page.close();
  return page.url();
}

/** Discards the recording. A measured opening would otherwise have to remove the recording, which has no steps. */
async function discardRecording(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Other step, note or discard' }).click();
  await page.getByRole('button', { name: 'Discard recording' }).click();
  await page.getByText('No recording in progress').waitFor();
  await page.reload();
  await page.locator(engineOpenSelector).waitFor();
}

interface OpeningToMeasure {
  url: string;
  wanted: string;
  /** The selector of an element to tap as soon as it appears. */
  tapped?: string;
  after?(page: Page): Promise<void>;
}

async function measureOpeningMs(
  context: BrowserContext,
  { url, after, ...watched }: OpeningToMeasure,
): Promise<number> {
  const page = await openPage(context);
  await page.goto(url);
  await page.waitForTimeout(pauseMs);
  await page.addInitScript(watchForElement, watched);
  await page.reload({ waitUntil: 'commit' });
  const ms = await inPage(page, () => (globalThis as PageWithFoundTime).found!);
  await after?.(page);
  await page.close();
  return ms;
}

interface PageWithFoundTime {
  found?: Promise<number>;
}

/**
 * Measures when the first frame with the element `wanted` begins. Runs in the page, since asking the page from outside
 * takes too long.
 */
function watchForElement({ wanted, tapped }: Pick<OpeningToMeasure, 'wanted' | 'tapped'>): void {
  let tell!: (ms: number) => void;
  (globalThis as PageWithFoundTime).found = new Promise<number>((resolve) => (tell = resolve));
  let target = tapped;
  const look = () => {
    const button = target === undefined ? null : document.querySelector<HTMLElement>(target);
    if (button) {
      target = undefined;
      button.click();
    }
    if (!document.querySelector(wanted)) return;
    observer.disconnect();
    requestAnimationFrame(() => tell(performance.now()));
  };
  const observer = new MutationObserver(look);
  observer.observe(document, { childList: true, subtree: true });
}

async function measureScrolling(pages: Pages, { maps }: Sizes, rounds: number): Promise<FigureTable> {
  const height = await inPage(pages.app, () => document.documentElement.scrollHeight);
  await inPage(pages.empty, (px) => void (document.body.style.height = `${px}px`), height);
  const frames: Record<keyof Pages, Frames[]> = { empty: [], app: [] };
  const scroll = async (name: keyof Pages) => {
    await pages[name].bringToFront();
    frames[name].push(framesOf(await scrollThrough(pages[name])));
    return 0;
  };
  await takeTurns({ empty: () => scroll('empty'), app: () => scroll('app') }, { rounds });
  const row = (what: string, of: Frames[]) => [
    what,
    spreadText(spreadOf(of.map(({ perSec }) => perSec))),
    spreadText(spreadOf(of.map(({ percentLate }) => percentLate)), ' %'),
    spreadText(spreadOf(of.map(({ longestMs }) => longestMs))),
  ];
  return {
    title: 'Scrolling the maps',
    about: `Flinging through ${maps} maps, and through a page of the same height without content.`,
    head: ['what', 'frames a second', 'later than 25 ms', 'longest frame, ms'],
    rows: [row('empty page', frames.empty.slice(1)), row('maps', frames.app.slice(1))],
  };
}

/** Adds an empty page to the files of the build. */
async function serveEmptyPage({ folder }: BuiltApp): Promise<void> {
  await writeFile(
    join(folder, 'empty.html'),
    '<!doctype html><html lang="en"><title>Empty</title><body></body></html>',
  );
  const path = join(folder, 'sw.js');
  const code = await readFile(path, 'utf8');
  // The build writes the list of files as an array or, when it is shorter, as one string.
  const served = code.replace(/,(["'`]?)\/index\.html\1,/, '$&$1/empty.html$1,');
  if (served === code) throw new Error('the service worker has no list with /index.html');
  await writeFile(path, served);
}

/** Pairs the phone, waits until it has synced, and takes the server away. Returns the server's address. */
async function preparePhone(given: {
  context: BrowserContext;
  app: BuiltApp;
  dataDir: string;
  sizes: Sizes;
}): Promise<string> {
  const { context, app, dataDir, sizes } = given;
  const server = await startServerProcess({ dataDir, webDir: app.folder });
  try {
    const headers = await server.newAccount();
    const post = async <Answer>(path: string, body: object): Promise<Answer> => {
      const response = await fetch(`${server.url}/api/v1${path}`, {
        method: 'POST',
        headers,
        body: JSON.stringify(body),
      });
      if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
      return response.json() as Promise<Answer>;
    };
    const device = new BenchDevice();
    await pushOver(server.url, headers, device.mapBatch());
    for (let sent = 0; sent < sizes.runs; sent += 100) await pushOver(server.url, headers, device.recordings(100));
    for (let made = 1; made < sizes.maps; made++) await post('/maps', { name: `Line ${made}` });
    const { code } = await post<{ code: string }>('/auth/pairing-code', { device_kind: 'phone' });
    const page = await openPage(context);
    await pair(page, `${server.url}/pair#${code}`);
    await page.getByText('All safe on the server').waitFor();
    await page.getByText(`Line ${sizes.maps - 1}`, { exact: true }).waitFor();
    await keptForOffline(page);
    await inPage(page, waitForStoredMaps);
    await page.close();
    return server.url;
  } finally {
    await server.stop();
  }
}

/** Waits until the app has stored the list of maps, which it shows at the next start before its engine is open. */
async function waitForStoredMaps(): Promise<void> {
  const until = performance.now() + 30_000;
  while (!localStorage.getItem('gemba-phone-maps')) {
    if (performance.now() > until) throw new Error('the app kept no maps for the next time');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

async function openPage(context: BrowserContext): Promise<Page> {
  const page = await context.newPage();
  await page.setViewportSize(phoneSize);
  return page;
}
