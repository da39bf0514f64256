/** The screens of the smallest watch, and what axe finds on them. Real server process, real Chromium. */
import { expect, test } from 'vitest';
import { inPage } from '../../in-page.ts';
import { expectNoViolations } from '../accessibility.ts';
import { appServer } from '../app-server.ts';
import { builtApp } from '../built-app.ts';
import { hideScrollbars, openDevice, pair } from '../devices.ts';
import { button, finish } from '../locators.ts';
import { more, newMap, openWatch, smallestWatch, startRecording } from '../watch-page.ts';

const app = builtApp();

test('[APP-87] as a watch is to be paired, the field for the code lies within its screen, also the smallest', async () => {
  const server = await appServer(app.folder);
  const { page } = await openDevice(smallestWatch);
  await page.goto(`${server.url}/watch/pair`);
  const field = page.getByLabel('Pairing code');
  await field.waitFor();
  const { y, height } = (await field.boundingBox())!;
  expect(y + height).toBeLessThanOrEqual(192);
  expect(height).toBeGreaterThanOrEqual(48);
  await expectNoViolations(page);
});

test('[APP-23] all that recording needs lies within a round screen of 192 pixels, without scrolling, and can be hit with a glove', async () => {
  const server = await appServer(app.folder);
  const page = await openWatch(server);
  await startRecording(page);
  const placed = await inPage(page, placedButtons);
  expect(placed.map(({ name }) => name).toSorted()).toEqual([
    'Finish',
    'Interruption',
    'Next cycle',
    'Next: Press',
    'Other step, note or discard',
    'Pause',
    'Undo',
    'Work type of the next step: Valuable',
  ]);
  expect(placed.filter(({ side, name }) => side < (name === 'Next: Press' ? 64 : 47.99))).toEqual([]);
  expect(placed.filter(({ reach }) => reach > 96)).toEqual([]);
  expect(placed.filter(({ isHit }) => !isHit)).toEqual([]);
  expect(await inPage(page, () => document.documentElement.scrollHeight)).toBeLessThanOrEqual(192);
});

/** Returns for each button its distance from the middle, its size, and whether a tap on its middle hits it. */
function placedButtons() {
  return [...document.querySelectorAll('main button')].map((element) => {
    const { left, top, width, height } = element.getBoundingClientRect();
    const [x, y] = [left + width / 2, top + height / 2];
    const radius = Math.min(width, height) / 2;
    return {
      name: element.getAttribute('aria-label') ?? element.textContent,
      side: Math.min(width, height),
      reach: Math.hypot(x - innerWidth / 2, y - innerHeight / 2) + radius,
      isHit: element.contains(document.elementFromPoint(x, y)),
    };
  });
}

test('[APP-10] axe finds nothing on the screens of a recording watch, in light and in dark', async () => {
  const server = await appServer(app.folder);
  await newMap(server, 'Saw');
  for (const side of [192, 384]) {
    const { page } = await openDevice({ width: side, height: side });
    await hideScrollbars(page);
    await pair(page, await server.newLink('wearable'));
    await startRecording(page);
    await expectNoViolations(page);
    await more(page).click();
    await expectNoViolations(page);
    await button(page, 'Note').click();
    await expectNoViolations(page);
    await button(page, 'Back').click();
    await button(page, 'Back').click();
    await finish(page);
    await page.getByText('Safe on the server').waitFor();
    await expectNoViolations(page);
  }
});
