/** Every screen of a German phone, whose words are the longest. Real server process, real Chromium. */
import { expect, test } from 'vitest';
import { findViolationsNow } from '../accessibility.ts';
import { appServer } from '../app-server.ts';
import { appTexts } from '../app-words.ts';
import { builtApp } from '../built-app.ts';
import { openDevice, phoneSize, type Size } from '../devices.ts';
import { austrianLanguages, createWordsReader } from './german-words.ts';
import { findWrongInAllColors, setTextPx, textPxAt200 } from './looks.ts';
import { walkPhone, walkRefusal } from './walk-phone.ts';

const app = builtApp();

/** The size in CSS pixels of a phone of 390 × 844 that is zoomed to 200 % (WCAG 1.4.4). */
const zoomed: Size = { width: phoneSize.width / 2, height: phoneSize.height / 2 };

test('[APP-14] [APP-291] [APP-293] [APP-299] [APP-300] [APP-528] a German phone zoomed to 200 % shows no English word, breaks no title, opens each step, and axe finds nothing, in forced colours neither', async () => {
  const server = await appServer(app.folder);
  const { page } = await openDevice(zoomed, { languages: austrianLanguages });
  const reader = createWordsReader();
  const wrong: Record<string, string[]> = {};
  const visit = async (screen: string) => {
    const english = await reader.findEnglish(page);
    const broken = await page.evaluate(findBrokenTitle);
    const found = [...english, ...broken, ...(await findWrongInAllColors(page))];
    if (found.length > 0) wrong[screen] = found;
  };
  const walk = { server, page, words: appTexts.de, visit };
  await walkPhone(walk);
  await walkRefusal(walk);
  expect(wrong).toEqual({});
  expect(await page.evaluate(() => [document.documentElement.lang, document.documentElement.dir])).toEqual([
    'de-AT',
    'ltr',
  ]);
  const text = reader.seen.join('\n');
  expect(text).toContain('0:20,5');
  expect(text).not.toMatch(/\d:\d\d\.\d/);
});

test("[APP-299] [APP-524] with the browser's text at 200 % no screen of a German phone scrolls sideways or breaks its title, and axe finds nothing", async () => {
  const server = await appServer(app.folder);
  const { page } = await openDevice(phoneSize, { languages: ['de'] });
  await setTextPx(page, textPxAt200);
  const wrong: Record<string, string[]> = {};
  const visit = async (screen: string) => {
    const found = [...(await page.evaluate(findBrokenTitle)), ...(await page.evaluate(findTooWide))];
    found.push(...(await findViolationsNow(page)));
    if (found.length > 0) wrong[screen] = found;
  };
  await walkPhone({ server, page, words: appTexts.de, staysInPage: true, visit });
  expect(wrong).toEqual({});
});

/** Returns a title that has a broken word. */
function findBrokenTitle(): string[] {
  const title = document.querySelector('h1');
  const lines = title ? Math.round(title.clientHeight / parseFloat(getComputedStyle(title).lineHeight)) : 0;
  return lines > (title?.textContent?.split(/[\s-]+/).length ?? 0) + 1 ? [`a title of ${lines} lines`] : [];
}

/** Returns what makes the page scroll sideways. */
function findTooWide(): string[] {
  const { scrollWidth, clientWidth } = document.documentElement;
  const isWide = [document.documentElement, ...document.querySelectorAll('dialog[open], main')].some(
    (it) => it.scrollWidth > it.clientWidth + 1,
  );
  const tooWide = [...document.querySelectorAll('dialog[open] *, main *')]
    .filter((it) => it.getBoundingClientRect().right > clientWidth + 1 && it.checkVisibility())
    .map((it) => it.outerHTML.slice(0, 80));
  return isWide ? [`${scrollWidth} of ${clientWidth}`, ...tooWide.slice(0, 3)] : [];
}
