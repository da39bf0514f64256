/** `npm run screens [-- NAME...]` makes pictures of the screens in light and dark; `phone/maps` means all of that group. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import type { CDPSession, Page } from 'playwright-core';
import { openServer } from '../../../server/app.ts';
import { createAccount } from '../../../server/auth/new-account.ts';
import type { DeviceKind } from '../../../shared/schema/auth.ts';
import type { MapRecord } from '../../../shared/schema/map.ts';
import { openBrowser, createUserDataDir } from '../browser.ts';
import { restClient } from '../../device/test-server.ts';
import { colorSchemes, switchColorScheme } from '../app/accessibility.ts';
import { basePaths } from '../app/app-server.ts';
import { buildApp } from '../app/build.ts';
import { deskScreens } from './desk-screens.ts';
import { deviceScreens } from './device-screens.ts';
import { hideScrollbars, phoneSize } from '../app/devices.ts';
import { phoneFileScreens } from './file-screens.ts';
import { mapScreens, orderToDelivery } from './map-screens.ts';
import { morningRuns, stepsOf } from './recorded-steps.ts';
import type { Screen } from './screen.ts';
import { button, heading, nextStep, section } from '../app/locators.ts';
import { syncScreens } from './sync-screens.ts';
import { watchScreens } from './watch-screens.ts';

/** Holds the first pull of maps until the picture is taken. */
const mapPullPattern = /sync\/pull\?.*limit=1000/;
let releasePull = () => {};
const pullReleased = new Promise<void>((done) => (releasePull = done));

const screens: Screen[] = [
  {
    name: 'phone/start/pair',
    size: phoneSize,
    go: async ({ page, link }) => {
      await page.goto(await link('phone'));
      await heading(page, 'Pair this phone').waitFor();
    },
  },
  {
    name: 'phone/start/join',
    size: phoneSize,
    go: async ({ page }) => {
      await button(page, 'Pair').click();
      await heading(page, 'Join Screens?').waitFor();
    },
  },
  {
    name: 'phone/start/getting-maps',
    size: phoneSize,
    go: async ({ page }) => {
      await page.route(mapPullPattern, async (route) => {
        await pullReleased;
        await route.continue();
      });
      await button(page, 'Join').click();
      await heading(page, 'Loading the maps').waitFor();
    },
  },
  {
    name: 'phone/start/no-maps',
    size: phoneSize,
    go: async ({ page }) => {
      releasePull();
      await heading(page, 'No maps yet').waitFor();
    },
  },
  {
    name: 'phone/maps/new-map',
    size: phoneSize,
    go: async ({ page }) => {
      await button(page, 'New map').click();
      await page.getByLabel('Process name').fill('Goods receipt');
    },
  },
  {
    name: 'phone/maps/maps',
    size: phoneSize,
    go: async ({ page, rest }) => {
      await button(page, 'Create').click();
      const { body } = await rest.send<MapRecord>('POST', '/maps', { name: 'Order to delivery' });
      for (const stage of orderToDelivery) await rest.send('POST', `/maps/${body.id}/stages`, stage);
      for (const name of ['Paint shop, changeover of the second line', 'Press line']) {
        await rest.send('POST', '/recording/new', { name, steps: stepsOf(name) });
      }
      await page.getByRole('link', { name: 'Back' }).click();
      await page.getByText('Press line').waitFor();
    },
  },
  ...mapScreens,
  {
    name: 'phone/maps/map',
    size: phoneSize,
    go: async ({ page }) => {
      await section(page, 'Maps').click();
      await page.getByText('Press line').click();
      await heading(page, 'Press line').waitFor();
    },
  },
  {
    name: 'phone/runs/runs',
    size: phoneSize,
    go: async ({ page, rest }) => {
      const mapId = new URL(page.url()).pathname.split('/').at(-1);
      for (const { startedAt, steps } of morningRuns) {
        await rest.send('POST', `/maps/${mapId}/recording`, { started_at: startedAt, steps });
      }
      await page.getByRole('link', { name: '6 runs' }).click();
      await page.getByText('Run 6').waitFor();
    },
  },
  {
    name: 'phone/runs/run',
    size: phoneSize,
    go: async ({ page }) => {
      await page.getByText('Run 5').click();
      await heading(page, 'Run 5').waitFor();
    },
  },
  {
    name: 'phone/runs/choose-runs',
    size: phoneSize,
    go: async ({ page }) => {
      await page.getByRole('link', { name: 'Back' }).click();
      await page.getByRole('link', { name: 'Compare runs' }).click();
      for (const run of ['Run 6', 'Run 5', 'Run 4', 'Run 3', 'Run 2']) await page.getByLabel(run).check();
    },
  },
  {
    name: 'phone/runs/compare',
    size: phoneSize,
    go: async ({ page }) => {
      await button(page, 'Compare 5 runs').click();
      await heading(page, 'Run comparison').waitFor();
    },
  },
  {
    name: 'phone/runs/compare-figures',
    size: phoneSize,
    go: async ({ page }) => {
      await page.getByText('All times as a table').click();
      await page.getByRole('region', { name: 'Times of the stages' }).scrollIntoViewIfNeeded();
    },
  },
  {
    name: 'phone/runs/record',
    size: phoneSize,
    go: async ({ page }) => {
      for (const _ of ['compare', 'choose', 'runs']) await page.getByRole('link', { name: 'Back' }).click();
      await button(page, 'Record').click();
      await nextStep(page, 'Load').click();
      await heading(page, 'Load').waitFor();
    },
  },
  ...syncScreens,
  {
    name: 'phone/start/install',
    size: phoneSize,
    go: async ({ page }) => {
      await section(page, 'Sync').click();
      await page.evaluate('dispatchEvent(new Event("beforeinstallprompt"))');
      await button(page, 'Install').waitFor();
      await page.evaluate('scrollTo(0, document.documentElement.scrollHeight)');
    },
  },
  ...deviceScreens,
  ...phoneFileScreens,
  ...deskScreens,
  ...watchScreens,
];

/** Returns a WebP, a fifth of a PNG in bytes. Two frames must pass, since the last change may not be painted yet. */
async function takePicture(page: Page, session: CDPSession): Promise<Buffer> {
  await page.evaluate(() => new Promise((painted) => requestAnimationFrame(() => requestAnimationFrame(painted))));
  await page.screenshot();
  const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: 80 });
  return Buffer.from(data, 'base64');
}

const wanted = process.argv.slice(2);
const isWanted = (name: string) =>
  wanted.length === 0 || wanted.some((one) => name === one || name.startsWith(`${one}/`));
const folder = resolve(import.meta.dirname, '../../../docs/screens');
const app = await buildApp();
const dataDir = await mkdtemp(join(tmpdir(), 'gemba-screens-'));
const server = await openServer({ dataDir, port: 0, host: '127.0.0.1', webDir: app.folder });
const browserProfile = await createUserDataDir();
const camera = ['--use-fake-ui-for-media-stream', '--use-fake-device-for-media-stream'];
const browser = await openBrowser(browserProfile.path, { flags: camera });
try {
  const { api_key } = await createAccount(server, { name: 'Screens', plan: 'team' });
  const rest = restClient(server.url, api_key);
  const link = async (device_kind: DeviceKind) => {
    const { body } = await rest.send<{ code: string }>('POST', '/auth/pairing-code', { device_kind });
    return `${server.url}${basePaths[device_kind]}/pair#${body.code}`;
  };
  // tsx wraps named functions in a call of its own, also those that run in the page.
  await browser.context.addInitScript('globalThis.__name = (it) => it');
  const page = await browser.context.newPage();
  await hideScrollbars(page);
  // One session for all screens, since the end of a session also ends the emulation of being offline.
  const session = await page.context().newCDPSession(page);
  for (const { name, size, go, media = 'screen' } of screens) {
    await page.setViewportSize(size);
    await go({ page, url: server.url, rest, link });
    if (!isWanted(name)) continue;
    // A person may see two toasts at once.
    await page.locator('.toast').first().waitFor({ state: 'detached' });
    await page.emulateMedia({ media });
    // A print is light in the dark, too.
    for (const colorScheme of media === 'print' ? (['light'] as const) : colorSchemes) {
      await switchColorScheme(page, colorScheme);
      const file = join(folder, `${name}-${colorScheme}.webp`);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, await takePicture(page, session));
    }
  }
  console.log(`${screens.length} screens are in docs/screens.`);
} finally {
  await browser.kill();
  await server.close();
  await Promise.all([browserProfile.remove(), app.remove(), rm(dataDir, { recursive: true, force: true })]);
}
