/** Finding one of many maps on the watch. Real server process, real Chromium. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { expectNoViolationsInOneScheme } from '../accessibility.ts';
import { appServer } from '../app-server.ts';
import { builtApp } from '../built-app.ts';
import { openDevice, pair } from '../devices.ts';
import { button, heading } from '../locators.ts';
import { newMap, smallestWatch } from '../watch-page.ts';

const app = builtApp();

test('[APP-271] [APP-438] with many maps a watch lists those recorded last, and finds the others by their first letter or a part of the name', async () => {
  const server = await appServer(app.folder);
  for (let made = 1; made <= 24; made++) await server.rest.send('POST', '/maps', { name: `Line ${made}` });
  await server.rest.send('POST', '/maps', { name: 'Äpfel' });
  await newMap(server, 'Saw');
  const { page } = await openDevice(smallestWatch);
  await pair(page, await server.newLink('wearable'));
  await button(page, 'All maps: 26').waitFor();
  const listed = await page.getByRole('list', { name: 'Maps' }).getByRole('button').allInnerTexts();
  expect(listed.slice(0, 2)).toEqual(['Saw', 'New process']);
  expect(listed).toHaveLength(9);
  await button(page, 'All maps: 26').click();
  await heading(page, 'First letter').waitFor();
  await expectNoViolationsInOneScheme(page);
  expect(await page.getByRole('listitem').allInnerTexts()).toEqual(['A', 'L', 'S']);
  await button(page, 'L').click();
  await heading(page, 'L').waitFor();
  expect(await page.getByRole('listitem').allInnerTexts()).toEqual(
    Array.from({ length: 24 }, (_, index) => `Line ${index + 1}`),
  );
  await button(page, 'First letter').click();
  await button(page, 'A').click();
  await button(page, 'First letter').click();
  await button(page, 'Search').click();
  await page.getByLabel('Part of the name').fill('fel');
  await page.keyboard.press('Enter');
  await heading(page, 'fel').waitFor();
  await expectNoViolationsInOneScheme(page);
  await button(page, 'First letter').click();
  await button(page, 'Search').click();
  await page.getByLabel('Part of the name').fill('lathe');
  await page.keyboard.press('Enter');
  await page.getByText('No map has this name.').waitFor();
  await button(page, 'First letter').click();
  await button(page, 'Search').click();
  await page.getByLabel('Part of the name').fill('apf');
  await page.keyboard.press('Enter');
  await button(page, 'Äpfel').click();
  await heading(page, 'Äpfel').waitFor();
});

const rowsMax = 60;
const rows = (page: Page) => page.getByRole('listitem');

test('[APP-271] [APP-438] of 1,000 maps of one letter a watch has fewer than 60 rows at once, and finds each', async () => {
  const server = await appServer(app.folder);
  for (let batch = 0; batch < 10; batch++) {
    const names = Array.from({ length: 100 }, (_, index) => `Line ${batch * 100 + index + 1}`);
    await Promise.all(names.map((name) => server.rest.send('POST', '/maps', { name })));
  }
  const { page } = await openDevice(smallestWatch);
  await pair(page, await server.newLink('wearable'));
  await button(page, 'All maps: 1,000').click();
  expect(await rows(page).allInnerTexts()).toEqual(['L']);
  await button(page, 'L').click();
  await button(page, 'Line 1').waitFor();
  expect(await rows(page).count()).toBeLessThan(rowsMax);
  await page.mouse.wheel(0, 1_000_000);
  await button(page, 'Line 1000').waitFor();
  expect(await rows(page).count()).toBeLessThan(rowsMax);
  await expectNoViolationsInOneScheme(page);
  await page.mouse.wheel(0, -1_000_000);
  await button(page, 'First letter').click();
  await button(page, 'Search').click();
  await page.getByLabel('Part of the name').fill('ine 77');
  await page.keyboard.press('Enter');
  await heading(page, 'ine 77').waitFor();
  expect(await rows(page).allInnerTexts()).toEqual([
    'Line 77',
    ...Array.from({ length: 10 }, (_, index) => `Line ${770 + index}`),
  ]);
  await button(page, 'Line 777').click();
  await heading(page, 'Line 777').waitFor();
});
