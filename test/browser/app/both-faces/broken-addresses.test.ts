/** Unknown addresses, and browsers that cannot store data: each page says once what is wrong. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { appServer } from '../app-server.ts';
import { builtApp } from '../built-app.ts';
import { openUnwatchedPage, hideScrollbars, openDevice, phoneSize, watchSizes } from '../devices.ts';
import { openPhone } from '../recorded-runs.ts';
import { expectNoViolationsInOneScheme } from '../accessibility.ts';
import { button, createMap, heading } from '../locators.ts';

const app = builtApp();

const failureHeading = (page: Page) => heading(page, 'Something went wrong');

test('[APP-102] [APP-126] [APP-529] an address that people broke says that no page is there, or what is missing', async () => {
  const server = await appServer(app.folder);
  const page = await openPhone(server);
  await createMap(page, 'Saw');
  const map = new URL(page.url()).pathname;
  for (const path of ['/maps/%', '/maps/%E0%A4%A', '/maps/%25/runs/%', '/maps/a/b/c/d']) {
    await page.goto(server.url + path);
    await heading(page, 'Page not found').waitFor();
    expect(await heading(page, 'Page not found').count()).toBe(1);
    await page.getByRole('link', { name: 'Go to the maps' }).waitFor();
  }
  await expectNoViolationsInOneScheme(page);
  for (const runs of [',,', 'abc']) {
    await page.goto(`${server.url}${map}/compare/${runs}`);
    await heading(page, 'Nothing to compare').waitFor();
  }
  const ids = Array.from({ length: 60 }, (_, index) => index + 1);
  await page.goto(`${server.url}${map}/compare/${ids.join()}`);
  await page.getByText('A comparison has at most 50 runs: these are the first of them.').waitFor();
  await page.getByText('50 selected runs do not exist any more.').waitFor();
  await page.getByRole('link', { name: 'Back' }).click();
  await heading(page, 'Compare runs').waitFor();
  expect(await failureHeading(page).count()).toBe(0);
});

test.each([
  ['/pair', phoneSize],
  ['/watch/pair', watchSizes[0]!],
])('[APP-125] a broken link to pair at %s says so, and a code can be typed', async (place, size) => {
  const server = await appServer(app.folder);
  const { page } = await openDevice(size);
  await page.goto(`${server.url}${place}#%`);
  await page.getByRole('alert').getByText('This link is broken.').waitFor();
  expect(await page.getByLabel('Pairing code').inputValue()).toBe('');
  expect(new URL(page.url()).hash).toBe('');
  await expectNoViolationsInOneScheme(page);
  await page.goto(`${server.url}${place}#AAAA-BBBB`);
  await page.getByText('This link is broken.').waitFor({ state: 'detached' });
  expect(await page.getByLabel('Pairing code').inputValue()).toBe('AAAA-BBBB');
});

test('[APP-103] [APP-127] where the browser blocks all storage the app says so, and does not load again and again', async () => {
  const server = await appServer(app.folder);
  const page = await openUnwatchedPage();
  await hideScrollbars(page);
  await page.addInitScript(() => {
    for (const place of ['localStorage', 'sessionStorage']) {
      const get = () => {
        throw new DOMException('Access is denied for this document.', 'SecurityError');
      };
      Object.defineProperty(window, place, { get });
    }
  });
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  let loads = 0;
  page.on('request', (request) => request.isNavigationRequest() && loads++);
  for (const [place, size] of [
    ['/', phoneSize],
    ['/watch', watchSizes[0]!],
  ] as const) {
    loads = 0;
    await page.setViewportSize(size);
    await page.goto(server.url + place);
    await heading(page, "This browser can't store data").waitFor();
    await button(page, 'Open again').click();
    await expect.poll(() => loads).toBe(2);
    await heading(page, "This browser can't store data").waitFor();
    expect([loads, await failureHeading(page).count()]).toEqual([2, 0]);
    await expectNoViolationsInOneScheme(page);
  }
  // Each attempt to open the app writes this reason to the console.
  expect(complaints.filter((text) => !text.includes('blocks the storage of this site'))).toEqual([]);
});

test('[APP-104] what keeps the app from opening is told as the browser says it, and it can be opened again', async () => {
  const server = await appServer(app.folder);
  const page = await openUnwatchedPage();
  await page.addInitScript(() => {
    if (sessionStorage.getItem('mended')) return;
    IDBFactory.prototype.open = () => {
      throw new DOMException('Internal error opening backing store.', 'UnknownError');
    };
  });
  await page.goto(server.url);
  await heading(page, 'Gemba could not open').waitFor();
  await page.getByText('Internal error opening backing store.').waitFor();
  expect(await heading(page, "This browser can't store data").count()).toBe(0);
  await expectNoViolationsInOneScheme(page);
  await page.evaluate(`sessionStorage.setItem('mended', 'yes')`);
  await button(page, 'Open again').click();
  await heading(page, 'Pair this phone').waitFor();
});
