/** Updates of the app. Real server process, real Chromium. */
import type { Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import type { MapRecord } from '../../../../shared/schema/map.ts';
import type { RunDoc, RunRecord } from '../../../../shared/schema/run.ts';
import { inPage } from '../../in-page.ts';
import { appServer, type AppServer } from '../app-server.ts';
import { nextVersion } from '../build.ts';
import { builtApp } from '../built-app.ts';
import { openUnwatchedPage, keptForOffline, openDevice, pair } from '../devices.ts';
import { atWorkersPace, button, finish, heading, nextStep, status } from '../locators.ts';

const app = builtApp();

/** Restarts the server with the next version of the app, which has no file in common with the current one. */
async function deploy(server: AppServer, version: string): Promise<void> {
  const next = await nextVersion(app, version);
  onTestFinished(() => next.remove());
  await server.kill();
  await server.start(next.folder);
}

const untilVersionShown = (page: Page, version: string) => page.locator(`html[data-version="${version}"]`).waitFor();
const versionOf = (page: Page) => inPage(page, () => document.documentElement.dataset['version']);

/** Counts all requested navigations, even unfinished ones. */
function countNavigations(page: Page): () => number {
  let navigations = 0;
  page.on('request', (request) => void (request.isNavigationRequest() && navigations++));
  return () => navigations;
}

function countLoads(page: Page): () => number {
  let loads = 0;
  page.on('domcontentloaded', () => loads++);
  return () => loads;
}

test('[APP-70] [APP-116] opened after a deployment the app is the new version after one load by itself, and by itself not again at once', async () => {
  const server = await appServer(app.folder);
  const { page } = await openDevice();
  await pair(page, server.link);
  await keptForOffline(page);
  await deploy(server, 'next');
  const [loads, navigations] = [countLoads(page), countNavigations(page)];
  await page.goto(server.url);
  await untilVersionShown(page, 'next');
  await status(page, 'All safe on the server').waitFor();
  expect([loads(), navigations()]).toEqual([2, 2]);
  // The worker deletes the earlier cache once the page has told its version.
  await expect.poll(() => inPage(page, () => caches.keys())).toEqual(['shell-next']);

  await deploy(server, 'third');
  await page.reload();
  await button(page, 'Update now').waitFor();
  expect(await versionOf(page)).toBe('next');
  expect(loads()).toBe(3);
  await button(page, 'Update now').click();
  await untilVersionShown(page, 'third');
  await status(page, 'All safe on the server').waitFor();
});

test('[APP-71] a recording on the watch goes on under its version while another page takes the next, and takes it afterwards', async () => {
  const server = await appServer(app.folder);
  const steps = ['Load', 'Press'].map((stage_name, order) => ({ stage_name, duration_secs: 40, order }));
  await server.rest.send('POST', '/recording/new', { name: 'Saw', steps });
  const { context, page } = await openDevice({ width: 240, height: 240 });
  await pair(page, await server.newLink('wearable'));
  await keptForOffline(page);
  await button(page, 'Saw').click();
  await nextStep(page, 'Load').click();
  await heading(page, 'Load').waitFor();
  const before = await versionOf(page);
  const loads = countLoads(page);

  await deploy(server, 'next');
  const phone = await context.newPage();
  await phone.goto(server.url);
  await untilVersionShown(phone, 'next');
  await inPage(page, setHidden, true);
  await inPage(page, setHidden, false);
  await atWorkersPace(page);
  await nextStep(page, 'Press').click();
  await heading(page, 'Press').waitFor();
  expect([...new Set(await inPage(page, statusesOfOwnFiles))]).toEqual([200]);
  expect(await button(page, 'Update now').count()).toBe(0);
  await finish(page);
  await page.getByText('Safe on the server').waitFor();
  await button(page, 'Update now').waitFor();
  expect([await versionOf(page), loads()]).toEqual([before, 0]);

  await phone.close();
  await inPage(page, setHidden, true);
  await untilVersionShown(page, 'next');
  await heading(page, 'Record').waitFor();
  await expect.poll(() => inPage(page, () => caches.keys())).toEqual(['shell-next']);
  const [map] = await server.rest.list<MapRecord>('/maps');
  const runs = await server.rest.list<RunRecord>(`/maps/${map!.id}/runs`);
  const docs = await Promise.all(runs.map(({ id }) => server.rest.get<RunDoc>(`/runs/${id}`)));
  expect(docs.map((run) => run.steps.map(({ stage_name }) => stage_name))).toContainEqual(['Load', 'Press']);
});

const statusesOfOwnFiles = () =>
  Promise.all(
    [...document.querySelectorAll('script[src], link[rel="stylesheet"]')].map(
      async (element) =>
        (await fetch((element as HTMLScriptElement).src || (element as HTMLLinkElement).href, { cache: 'reload' }))
          .status,
    ),
  );

function setHidden(hidden: boolean): void {
  Object.defineProperty(document, 'hidden', { value: hidden, configurable: true });
  document.dispatchEvent(new Event('visibilitychange'));
}

test('[APP-72] [APP-117] an update waits for what is being typed, and comes also where the app could not open', async () => {
  const server = await appServer(app.folder);
  const page = await openUnwatchedPage();
  await pair(page, server.link);
  await keptForOffline(page);
  await deploy(server, 'next');
  await page.goto(`${server.url}/pair#AAAA-BBBB`);
  await button(page, 'Update now').waitFor();
  expect(await page.getByLabel('Pairing code').inputValue()).toBe('AAAA-BBBB');

  await page.addInitScript(() => Object.defineProperty(window, 'indexedDB', { value: undefined }));
  await page.goto(server.url);
  await untilVersionShown(page, 'next');
  await heading(page, "This browser can't store data").waitFor();
});
