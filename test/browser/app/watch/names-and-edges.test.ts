/** Long names, both languages, a tall screen and forced colours on a watch. Real server process, real Chromium. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { inPage } from '../../in-page.ts';
import { expectNoViolationsInOneScheme, expectNoViolationsNow } from '../accessibility.ts';
import { appServer, type AppServer } from '../app-server.ts';
import { appTexts, type Language } from '../app-words.ts';
import { builtApp } from '../built-app.ts';
import { openDevice, type Size } from '../devices.ts';
import { atWorkersPace, button, finish, heading, nextStep } from '../locators.ts';
import { reachOf } from '../round-screen.ts';
import { more, newMap, smallestWatch } from '../watch-page.ts';

const app = builtApp();

const tall: Size = { width: 396, height: 484 };

interface Opened {
  server: AppServer;
  page: Page;
}

/** Opens a watch whose account has one map with stages of these names. */
async function openWatch(size: Size, names: readonly string[], language: Language = 'en'): Promise<Opened> {
  const server = await appServer(app.folder);
  const steps = names.map((stage_name, order) => ({ stage_name, duration_secs: 40, order, work_type: 'valuable' }));
  await server.rest.send('POST', '/recording/new', { name: 'Saw', steps });
  const { page } = await openDevice(size, { languages: [language] });
  await page.goto(await server.newLink('wearable'));
  const { pairTexts } = appTexts[language];
  await button(page, pairTexts.submit).click();
  await button(page, pairTexts.join.submit).click();
  await button(page, 'Saw').click();
  return { server, page };
}

const stages = ['Load', 'Press', 'Wait for the crane', 'Inspect', 'Pack'];

test.each(['en', 'de'] as const)('[APP-348] all that a partial recording asks is in sight, in %s', async (language) => {
  const { page } = await openWatch(smallestWatch, stages, language);
  const { texts, watchTexts } = appTexts[language];
  await button(page, texts.record.nextNamed('Load')).click();
  await heading(page, 'Load').waitFor();
  await finish(page, texts.record.finish);
  const { keep, merge, replace } = watchTexts.ask.modes;
  for (const name of [keep, merge, replace, texts.back]) {
    await button(page, name).waitFor();
    expect(await reachOf(button(page, name)), name).toBeLessThanOrEqual(1);
    expect((await button(page, name).boundingBox())!.height, name).toBeGreaterThanOrEqual(47.99);
    expect(await button(page, name).evaluate((it) => it.scrollWidth <= it.clientWidth), name).toBe(true);
  }
  expect(await inPage(page, () => document.documentElement.scrollHeight)).toBe(192);
  await expectNoViolationsInOneScheme(page);
});

test('[APP-346] [APP-504] the next step says its place and its work type, and the step now its last time', async () => {
  const { page } = await openWatch(smallestWatch, stages);
  const next = nextStep(page, 'Load');
  const shown = (it: Element) =>
    ['::before', '::after'].map((part) => getComputedStyle(it, part).content.replaceAll('"', ''));
  expect(await next.evaluate(shown)).toEqual(['Next 1/5', 'Valuable']);
  await button(page, 'Work type of the next step: Valuable').click();
  expect(await next.evaluate(shown)).toEqual(['Next 1/5', 'Waste']);
  await next.click();
  await heading(page, 'Load').waitFor();
  await page.getByText('last 0:40').waitFor();
});

test.each([
  ['200 letters', 'Zusammenbau der Getriebewelle '.repeat(7).slice(0, 199)],
  ['Arabic', 'تجميع علبة التروس مع فحص الدقة وتوثيق القياسات في سجل الاختبار'],
])('[APP-349] [APP-352] a name of %s shows its beginning and moves no button away', async (_kind, long) => {
  const names = ['1', '2', '3'].map((number) => `${long}${number}`);
  const { page } = await openWatch(smallestWatch, names);
  const expectBeginnings = async () => {
    expect(await inPage(page, findCutNames)).toEqual([]);
    expect(await inPage(page, () => document.documentElement.scrollWidth)).toBeLessThanOrEqual(192);
  };
  await nextStep(page, names[0]!).click();
  await heading(page, names[0]!).waitFor();
  await atWorkersPace(page);
  await nextStep(page, names[1]!).click();
  await heading(page, names[1]!).waitFor();
  await expectBeginnings();
  await button(page, 'Undo').click();
  await page.locator('.toast').waitFor();
  expect((await page.locator('.toast').boundingBox())!.height).toBeLessThan(80);
  await more(page).click();
  await expectBeginnings();
  const rows = await page.getByRole('listitem').evaluateAll((items) => items.map((item) => item.clientHeight));
  expect(Math.max(...rows)).toBeLessThanOrEqual(52);
  await button(page, 'Note').click();
  expect(await reachOf(button(page, 'Done'))).toBeLessThanOrEqual(1);
  await button(page, 'Back').click();
  await button(page, `Edit ${names[0]!}`).click();
  await button(page, 'Rename').waitFor();
  expect(await inPage(page, () => scrollY)).toBe(0);
  await expectBeginnings();
  await button(page, 'Back').click();
  await finish(page);
  await button(page, 'Only this run').click();
  await page.getByRole('list', { name: 'Steps' }).waitFor();
  await expectBeginnings();
});

test.each(['en', 'de'] as const)(
  '[APP-298] the message that the watch is paired leaves the next step free, in %s',
  async (language) => {
    const server = await appServer(app.folder);
    await newMap(server, 'Saw');
    const { page } = await openDevice(smallestWatch, { languages: [language] });
    await page.addInitScript(keepMessages);
    await page.goto(await server.newLink('wearable'));
    const { pairTexts, texts } = appTexts[language];
    await button(page, pairTexts.submit).click();
    await button(page, pairTexts.join.submit).click();
    await button(page, 'Saw').click();
    const next = button(page, texts.record.nextNamed('Load'));
    const [message, free] = [await page.locator('.toast').boundingBox(), await next.boundingBox()];
    expect(message!.height).toBeGreaterThan(0);
    expect(message!.y + message!.height).toBeLessThanOrEqual(free!.y);
    expect(await page.locator('.toast').innerText()).toBe(pairTexts.done);
  },
);

/** Keeps a message without Undo on the screen, however long the test takes to get there. */
function keepMessages() {
  const shownMs = 4_000;
  const later = window.setTimeout.bind(window);
  Object.assign(window, {
    setTimeout: (run: () => void, ms?: number) => (ms === shownMs ? 0 : later(run, ms)),
  });
}

/** Returns the names whose first letter lies outside of the element that cuts them. */
function findCutNames(): string[] {
  return [...document.querySelectorAll('[dir=auto]')]
    .filter((element) => {
      const text = document.createTreeWalker(element, NodeFilter.SHOW_TEXT).nextNode();
      if (!text) return false;
      const range = document.createRange();
      range.setStart(text, 0);
      range.setEnd(text, 1);
      const [letter, box] = [range.getBoundingClientRect(), element.getBoundingClientRect()];
      return letter.left < box.left - 1 || letter.right > box.right + 1 || letter.top < box.top - 3;
    })
    .map((element) => element.textContent.slice(0, 20));
}

test('[APP-350] on a tall screen the recording fills the screen, and each button can be hit', async () => {
  const { page } = await openWatch(tall, stages);
  await nextStep(page, 'Load').click();
  await heading(page, 'Load').waitFor();
  const placed = await page.locator('main button').evaluateAll((buttons) =>
    buttons.map((element) => {
      const { left, top, right, bottom } = element.getBoundingClientRect();
      return {
        side: Math.min(right - left, bottom - top),
        bottom,
        isInside: left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight,
        isHit: element.contains(document.elementFromPoint((left + right) / 2, (top + bottom) / 2)),
      };
    }),
  );
  expect(placed).toHaveLength(8);
  expect(placed.filter(({ side, isInside, isHit }) => side < 98 || !isInside || !isHit)).toEqual([]);
  expect(Math.max(...placed.map(({ bottom }) => bottom))).toBeGreaterThan(tall.height - 12);
  await expectNoViolationsInOneScheme(page);
});

test.each(['light', 'dark'] as const)('[APP-351] in forced colours, %s, each symbol can be seen', async (scheme) => {
  const { page } = await openWatch(smallestWatch, stages);
  await page.emulateMedia({ forcedColors: 'active', colorScheme: scheme, reducedMotion: 'reduce' });
  // Chromium shows the new colours only after some frames.
  await expect.poll(() => inPage(page, findInvisibleElements)).toEqual([]);
  const expectEdges = async () => {
    expect(await inPage(page, findInvisibleElements)).toEqual([]);
    await expectNoViolationsNow(page);
  };
  await expectEdges();
  await nextStep(page, 'Load').click();
  await heading(page, 'Load').waitFor();
  await expectEdges();
  await button(page, 'Finish').click();
  await page.getByText('Hold to finish').waitFor();
  await expectEdges();
  await more(page).click();
  await expectEdges();
  await button(page, 'New name').click();
  await page.getByLabel('Name of the next step').fill('Oil');
  await expectEdges();
});

/** Returns the buttons without a border, and the elements with text in the colour of its background. */
function findInvisibleElements(): string[] {
  return [...document.querySelectorAll('main button:not(.watch-pause), .toast')]
    .filter((element) => {
      const { borderTopWidth, color, backgroundColor } = getComputedStyle(element);
      return borderTopWidth === '0px' || color === backgroundColor;
    })
    .map(({ outerHTML }) => outerHTML.slice(0, 80));
}
