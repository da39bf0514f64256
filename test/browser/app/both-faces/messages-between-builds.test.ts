/** The messages between pages and service workers, of different builds, too. A real server process, a real Chromium. */
import { expect, onTestFinished, test } from 'vitest';
import { inPage } from '../../in-page.ts';
import { appServer } from '../app-server.ts';
import { nextVersion } from '../build.ts';
import { builtApp } from '../built-app.ts';
import { keptForOffline, openDevice, pair } from '../devices.ts';
import { button } from '../locators.ts';

const app = builtApp();

test("[APP-153] a page and a service worker of different builds understand each other's messages", async () => {
  const server = await appServer(app.folder);
  const { page } = await openDevice();
  await pair(page, server.link);
  await keptForOffline(page);
  const next = await nextVersion(app);
  onTestFinished(() => next.remove());
  await server.kill();
  await server.start(next.folder);
  await inPage(page, takeOverAsAnEarlierPage);
  await expect.poll(() => inPage(page, answerToVersion, 'earlier')).toBe('outdated');
  await button(page, 'Update now').click();
  await page.locator('html[data-version="next"]').waitFor();
  expect(await inPage(page, answerToVersion, 'earlier')).toBe('outdated');
});

test('[APP-589] a page that its service worker missed is served by it, too', async () => {
  const server = await appServer(app.folder);
  const { page, context } = await openDevice();
  await pair(page, server.link);
  await keptForOffline(page);
  const loaded = page.waitForEvent('load');
  // A forced reload passes the worker by, as a page does that is on its way while the worker becomes active.
  const session = await context.newCDPSession(page);
  await session.send('Page.reload', { ignoreCache: true });
  await loaded;
  await expect.poll(() => inPage(page, () => navigator.serviceWorker.controller?.state)).toBe('activated');
});

/**
 * Takes over as a page of an earlier build: sends the messages in their first form, whatever this build's types say.
 */
async function takeOverAsAnEarlierPage(): Promise<void> {
  const registration = await navigator.serviceWorker.ready;
  const changed = new Promise((done) => navigator.serviceWorker.addEventListener('controllerchange', done));
  const installed = new Promise<ServiceWorker>((done) =>
    registration.addEventListener('updatefound', () => {
      const worker = registration.installing!;
      worker.addEventListener('statechange', () => worker.state === 'installed' && done(worker));
    }),
  );
  await registration.update();
  (await installed).postMessage('take-over');
  await changed;
}

/** Resolves to the worker's reply to a page of this version. The worker replies only if its own version is another. */
const answerToVersion = (version: string) =>
  new Promise<unknown>((resolve) => {
    const { serviceWorker } = navigator;
    serviceWorker.addEventListener('message', ({ data }) => resolve(data), { once: true });
    serviceWorker.controller!.postMessage({ version });
  });
