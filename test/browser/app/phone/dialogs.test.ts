/** Dialogs by Back, keys and fingers. Real server process, real Chromium. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { inPage } from '../../in-page.ts';
import { appServer } from '../app-server.ts';
import { builtApp } from '../built-app.ts';
import { button, heading, mapAction } from '../locators.ts';
import { openPhone, uploadRecordings, shortRecording } from '../recorded-runs.ts';

const app = builtApp();

const focusedTag = (page: Page) => page.evaluate(() => document.activeElement?.tagName);

test('[APP-295] [APP-296] Back, Escape and a tap beside close a dialog, and what was typed is there again', async () => {
  const server = await appServer(app.folder);
  const page = await openPhone(server);
  await page.goto(`${server.url}/sync`);
  await page.getByRole('navigation').getByRole('link', { name: 'Maps' }).click();
  const name = page.getByLabel('Process name');
  const closings = [
    () => page.goBack(),
    () => page.keyboard.press('Escape'),
    () => page.locator('dialog[open]').click({ position: { x: 4, y: -40 }, force: true }),
  ];
  for (const [index, close] of closings.entries()) {
    await button(page, 'New map').click();
    await name.waitFor();
    expect(await focusedTag(page)).toBe('INPUT');
    expect(await name.inputValue()).toBe(index === 0 ? '' : `Press ${index}`);
    await name.fill(`Press ${index + 1}`);
    await close();
    await name.waitFor({ state: 'detached' });
    await heading(page, 'Maps').waitFor();
  }
  await button(page, 'New map').click();
  expect(await name.inputValue()).toBe('Press 3');
  await button(page, 'Create').click();
  await heading(page, 'Press 3').waitFor();
  await page.goBack();
  await button(page, 'New map').click();
  expect(await name.inputValue()).toBe('');
});

test('[APP-530] a tap on the opener, before the browser tells that a dialog was closed, opens it again', async () => {
  const server = await appServer(app.folder);
  const page = await openPhone(server);
  await button(page, 'New map').click();
  await page.getByLabel('Process name').waitFor();
  await inPage(page, async () => {
    document.querySelector<HTMLDialogElement & { requestClose(): void }>('dialog[open]')!.requestClose();
    // The app may render, and the `close` event is a task later.
    for (let turn = 0; turn < 20; turn++) await Promise.resolve();
    [...document.querySelectorAll('button')].find(({ textContent }) => textContent === 'New map')!.click();
    await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
  });
  expect(await page.locator('dialog[open]').count()).toBe(1);
  await page.keyboard.press('Escape');
  await page.locator('dialog[open]').waitFor({ state: 'detached' });
});

test('[APP-296] a dialog without a field at its beginning puts the focus on its title', async () => {
  const server = await appServer(app.folder);
  const { mapId, runIds } = await uploadRecordings(server, shortRecording);
  const page = await openPhone(server);
  await page.goto(`${server.url}/maps/${mapId}/runs/${runIds[0]}`);
  await button(page, 'Delete run').click();
  await page.locator('dialog[open]').waitFor();
  expect(await focusedTag(page)).toBe('H2');
});

test('[APP-301] each element that takes the focus by a key lies clear of the bars', async () => {
  const server = await appServer(app.folder);
  for (let nth = 1; nth <= 14; nth++) await server.rest.send('POST', '/maps', { name: `Press line ${nth}` });
  const page = await openPhone(server);
  await page.getByRole('list', { name: 'Maps' }).getByRole('listitem').nth(13).waitFor();
  await page.getByLabel('Search maps').focus();
  for (let tabs = 0; tabs < 15; tabs++) {
    await page.keyboard.press('Tab');
    const overlap = await page.evaluate(() => {
      const rect = (element: Element | null) => element?.getBoundingClientRect();
      const [focus, nav] = [rect(document.activeElement), rect(document.querySelector('.phone-nav'))];
      const isInNav = document.activeElement?.closest('.phone-nav') !== null;
      return isInNav || !focus || !nav ? 0 : focus.bottom - nav.top;
    });
    expect(overlap).toBeLessThanOrEqual(0);
  }
});

test('[APP-302] [APP-303] a long name takes three lines, and an Arabic one stands from right to left', async () => {
  const server = await appServer(app.folder);
  const { body: long } = await server.rest.send<{ id: string }>('POST', '/maps', {
    name: 'Gearbox '.repeat(25).trim(),
  });
  const { body: arabic } = await server.rest.send<{ id: string }>('POST', '/maps', { name: 'خلية اللحام ٣' });
  const page = await openPhone(server);
  await page.goto(`${server.url}/maps/${long.id}`);
  await button(page, 'Record').waitFor();
  const title = page.locator('h1');
  const lines = await title.evaluate(
    (element) => element.clientHeight / parseFloat(getComputedStyle(element).lineHeight),
  );
  expect(Math.round(lines)).toBe(3);
  const { y, height } = (await button(page, 'Record').boundingBox())!;
  expect(y + height).toBeLessThan(844 - 72);
  await page.goto(`${server.url}/maps/${arabic.id}`);
  await heading(page, 'خلية اللحام ٣').waitFor();
  const rightGap = await title.evaluate((element) => {
    const range = document.createRange();
    range.selectNodeContents(element);
    return element.getBoundingClientRect().right - range.getBoundingClientRect().right;
  });
  expect(rightGap).toBeLessThan(2);
  await mapAction(page, 'Edit');
});
