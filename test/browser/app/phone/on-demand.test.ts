/** The screens that a phone loads on demand. Real server process, real Chromium. */
import { expect, test } from 'vitest';
import { inPage } from '../../in-page.ts';
import { appServer } from '../app-server.ts';
import { builtApp } from '../built-app.ts';
import { openDevice, pair } from '../devices.ts';
import { button, heading, section, status } from '../locators.ts';

const app = builtApp();

const onDemand = /\/assets\/on-demand-/;
const textsOnDemand = /\/assets\/text-en-on-demand-/;

test('[APP-154] a phone that opened with a network opens its other screens without one', async () => {
  const server = await appServer(app.folder);
  const { page } = await openDevice();
  // Block the service worker, so that no file comes from its cache.
  await page.route('**/sw.js', (route) => route.abort());
  const paths: string[] = [];
  page.on('request', (request) => paths.push(new URL(request.url()).pathname));
  const loaded = [onDemand, textsOnDemand].map((file) => page.waitForResponse((response) => file.test(response.url())));
  await pair(page, server.link);
  for (const response of await Promise.all(loaded)) await response.finished();
  await status(page, 'All safe on the server').waitFor();
  expect(paths.filter((path) => onDemand.test(path))).toHaveLength(1);

  await page.context().setOffline(true);
  const photosMissing = page.waitForEvent('requestfailed', (request) => request.url().includes('/assets/photos-'));
  await section(page, 'Sync').click();
  await heading(page, 'Sync').waitFor();
  await photosMissing;
  // An error that nobody caught would be reported in a later task.
  await inPage(page, () => new Promise((done) => setTimeout(done)));
  await button(page, 'Sync now').waitFor();
});
