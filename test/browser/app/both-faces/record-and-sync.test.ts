/** Recording and syncing in the app. Real server process, real Chromium. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import type { MapRecord } from '../../../../shared/schema/map.ts';
import type { RunDoc, RunRecord } from '../../../../shared/schema/run.ts';
import { inPage } from '../../in-page.ts';
import { expectNoViolations } from '../accessibility.ts';
import { appServer } from '../app-server.ts';
import { nextVersion } from '../build.ts';
import { builtApp } from '../built-app.ts';
import { keptForOffline, openDevice, pair, watchSizes } from '../devices.ts';
import { atWorkersPace, button, createMap, finish, heading, join, status } from '../locators.ts';

const app = builtApp();

test('[APP-4] [APP-6] [APP-7] paired by a link, the app opens and records without a server, and all is there when it is back', async () => {
  const server = await appServer(app.folder);
  const { page } = await openDevice();
  const code = server.link.split('#')[1]!;
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url().split('#')[0]!));
  await page.goto(server.link);
  await heading(page, 'Pair this phone').waitFor();
  expect(page.url()).toBe(`${server.url}/pair`);
  await join(page);
  await heading(page, 'Maps').waitFor();
  expect(asked.filter((url) => url.includes(code))).toEqual([]);
  await status(page, 'All safe on the server').waitFor();
  await keptForOffline(page);

  await server.kill();
  await page.reload();
  await status(page, 'Offline').waitFor();
  await createMap(page, 'Press line');
  await button(page, 'Record').click();
  await button(page, 'First step').click();
  await heading(page, 'Step 1').waitFor();
  await page.reload();
  await heading(page, 'Step 1').waitFor();
  await atWorkersPace(page);
  await button(page, 'Next step').click();
  await heading(page, 'Step 2').waitFor();
  await finish(page);
  await heading(page, 'Press line').waitFor();
  await status(page, 'Offline · 2 changes to upload').waitFor();

  await server.start();
  await page.reload();
  await status(page, 'All safe on the server').waitFor();
  const [map] = await server.rest.list<MapRecord>('/maps');
  expect(map).toMatchObject({ name: 'Press line', run_count: 1 });
  const [run] = await server.rest.list<RunRecord>(`/maps/${map!.id}/runs`);
  const { steps } = await server.rest.get<RunDoc>(`/runs/${run!.id}`);
  expect(steps.map(({ stage_name }) => stage_name)).toEqual(['Step 1', 'Step 2']);
  expect(await cachedPaths(page)).toContain('/index.html');
  expect((await cachedPaths(page)).filter((path) => path.startsWith('/api'))).toEqual([]);
});

const cachedPaths = (page: Page): Promise<string[]> =>
  inPage(page, async () => {
    const caches = await Promise.all((await window.caches.keys()).map((name) => window.caches.open(name)));
    const requests = await Promise.all(caches.map((cache) => cache.keys()));
    return requests.flat().map(({ url }) => new URL(url).pathname);
  });

test('[APP-5] [APP-6] an update waits while a recording is under way, is offered afterwards, comes when it is asked for, and opens without a server', async () => {
  const server = await appServer(app.folder);
  const { page } = await openDevice();
  await pair(page, server.link);
  await keptForOffline(page);
  await createMap(page, 'Saw');
  await button(page, 'Record').click();
  await button(page, 'First step').click();
  await heading(page, 'Step 1').waitFor();
  const before = await version(page);

  const next = await nextVersion(app);
  await server.kill();
  await server.start(next.folder);
  await installUpdate(page);
  await page.reload();
  await heading(page, 'Step 1').waitFor();
  expect(await version(page)).toBe(before);
  await expectNoUpdateOffer(page);

  await atWorkersPace(page);
  await button(page, 'Next step').click();
  await heading(page, 'Step 2').waitFor();
  await finish(page);
  await button(page, 'Update now').click();
  await page.locator('html[data-version="next"]').waitFor();
  await heading(page, 'Saw').waitFor();
  await server.kill();
  await page.reload();
  await page.locator('html[data-version="next"]').waitFor();
  await heading(page, 'Saw').waitFor();
  await next.remove();
});

/** Installs the new version. Resolves when its service worker waits to take over. */
async function installUpdate(page: Page): Promise<void> {
  await inPage(page, async () => {
    const registration = (await navigator.serviceWorker.getRegistration())!;
    const installed = new Promise<void>((resolve) => {
      registration.addEventListener('updatefound', () => {
        const { installing } = registration;
        installing?.addEventListener('statechange', () => installing.state === 'installed' && resolve());
      });
    });
    await registration.update();
    await installed;
  });
}

const version = (page: Page) => inPage(page, () => document.documentElement.dataset['version']);
const expectNoUpdateOffer = async (page: Page) => expect(await button(page, 'Update now').count()).toBe(0);

test('[APP-8] pairing says why it did not succeed, and keeps what was typed', async () => {
  const server = await appServer(app.folder);
  const { page } = await openDevice();
  await page.goto(`${server.url}/pair#AAAA-AAAA`);
  const code = page.getByLabel('Pairing code');
  await button(page, 'Pair').click();
  await page.getByText('This code is wrong, already used or older than 10 minutes. Get a new code.').waitFor();
  expect(await code.inputValue()).toBe('AAAA-AAAA');
  await expectNoViolations(page);
  await code.fill('');
  await button(page, 'Pair').click();
  await page.getByText('Enter the code.').waitFor();
  await server.kill();
  await code.fill('BBBB-BBBB');
  await button(page, 'Pair').click();
  await page.getByText('The server cannot be reached.').waitFor();
  await server.start();
  await code.fill(server.link.split('#')[1]!.toLowerCase().replace('-', ''));
  await page.getByLabel('Name of this device').fill('Line 4');
  await join(page);
  await heading(page, 'Maps').waitFor();
  const [device] = await server.rest.list<{ name: string; kind: string }>('/devices');
  expect(device).toMatchObject({ name: 'Line 4', kind: 'phone' });
});

test('[APP-10] axe finds nothing on the screens of a phone, in light and in dark', async () => {
  const server = await appServer(app.folder);
  const { page } = await openDevice();
  await page.goto(server.link);
  await heading(page, 'Pair this phone').waitFor();
  await expectNoViolations(page);
  await button(page, 'Pair').click();
  await heading(page, 'Join First account?').waitFor();
  await expectNoViolations(page);
  await button(page, 'Join').click();
  await heading(page, 'No maps yet').waitFor();
  await expectNoViolations(page);
  await button(page, 'New map').click();
  await heading(page, 'New map').waitFor();
  await expectNoViolations(page);
  await button(page, 'Close').click();
  await createMap(page, 'Press line');
  await expectNoViolations(page);
  await button(page, 'Record').click();
  await button(page, 'First step').click();
  await heading(page, 'Step 1').waitFor();
  await expectNoViolations(page);
});

test('[APP-10] axe finds nothing on the screens of a watch, in light and in dark', async () => {
  const server = await appServer(app.folder);
  for (const size of watchSizes) {
    const { page } = await openDevice(size);
    await page.goto(await server.newLink('wearable'));
    await heading(page, 'Pair this watch').waitFor();
    await expectNoViolations(page);
    await button(page, 'Pair').click();
    await heading(page, 'Join First account?').waitFor();
    await expectNoViolations(page);
    await button(page, 'Join').click();
    await heading(page, 'Record').waitFor();
    await expectNoViolations(page);
    await button(page, 'New process').click();
    await button(page, 'First step').click();
    await heading(page, 'Step 1').waitFor();
    await expectNoViolations(page);
  }
});

test('[APP-13] [APP-523] of a thousand maps only those around the ones in sight are in the page, and all can be reached', async () => {
  const server = await appServer(app.folder);
  const { page } = await openDevice();
  await pair(page, server.link);
  await createMap(page, 'First of all');
  for (let batch = 0; batch < 10; batch++) {
    const names = Array.from({ length: 100 }, (_, index) => `Map ${batch * 100 + index}`);
    await Promise.all(
      names.map((name) =>
        server.rest.send('POST', '/maps', { name }).then(({ status: code }) => expect(code).toBe(201)),
      ),
    );
  }
  await server.rest.send('POST', '/maps', { name: 'Last of all' });
  await page.getByRole('link', { name: 'Back' }).click();
  await page.getByText('Last of all').waitFor();
  const rows = page.getByRole('list', { name: 'Maps' }).getByRole('listitem');
  expect(await rows.count()).toBeLessThan(60);
  await inPage(page, () => scrollTo(0, document.documentElement.scrollHeight));
  await page.getByText('First of all').waitFor();
  expect(await rows.count()).toBeLessThan(60);

  await button(page, 'New map').click();
  const offered = async () =>
    (
      await page
        .getByLabel('Start from', { exact: true })
        .locator('optgroup')
        .last()
        .locator('option')
        .allTextContents()
    ).slice(0, 4);
  expect(await offered()).toEqual(['First of all', 'Last of all', 'Map 0', 'Map 1']);
  await page.getByLabel('Start from', { exact: true }).selectOption({ label: 'Map 3' });
  await page.getByLabel('Find a map to start from').fill('of ALL');
  expect(await offered()).toEqual(['Map 3', 'First of all', 'Last of all']);
  await page.getByLabel('Process name').fill('Copy');
  await page.getByLabel('Find a map to start from').press('Enter');
  await page.getByLabel('Start from', { exact: true }).selectOption({ label: 'Last of all' });
  expect(await offered()).toEqual(['First of all', 'Last of all']);
  await expectNoViolations(page);
  await button(page, 'Create').click();
  await heading(page, 'Copy').waitFor();
});
