/** Text at 200 % and forced colours, in both languages. Real server process, real Chromium. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { inPage } from '../../in-page.ts';
import { expectNoViolations, expectNoViolationsNow } from '../accessibility.ts';
import { appServer } from '../app-server.ts';
import { appTexts, type Language } from '../app-words.ts';
import { builtApp } from '../built-app.ts';
import { openDevice, phoneSize, type Size } from '../devices.ts';
import type { Walk } from '../walk.ts';
import { walkPhone } from '../walk-phone.ts';
import { walkWatch } from '../walk-watch.ts';
import { smallestWatch } from '../watch-page.ts';

const app = builtApp();

/** The size in CSS pixels of a phone of 390 × 844 that is zoomed to 200 % (WCAG 1.4.4). */
const zoomed: Size = { width: phoneSize.width / 2, height: phoneSize.height / 2 };

async function open(language: Language, size: Size): Promise<Omit<Walk, 'visit'>> {
  const server = await appServer(app.folder);
  const { page } = await openDevice(size, { languages: [language] });
  return { server, page, words: appTexts[language] };
}

/** The language of the app and the scheme of the forced colours, which may be light or dark. */
const inForcedColors: [Language, 'light' | 'dark'][] = [
  ['en', 'light'],
  ['de', 'dark'],
];
const languages: Language[] = ['en', 'de'];
/** The German words are the longest. A walk over all screens of a phone takes a minute. */
const longestWords: Language[] = ['de'];

test.each(longestWords)(
  '[APP-299] [APP-300] [APP-528] zoomed to 200 per cent a phone in %s breaks no title, opens each step, and axe finds nothing',
  async (language) => {
    const walk = await open(language, zoomed);
    const broken: string[] = [];
    const visit = async (screen: string) => {
      const isBroken = await walk.page.evaluate(() => {
        const title = document.querySelector('h1');
        const lines = title ? Math.round(title.clientHeight / parseFloat(getComputedStyle(title).lineHeight)) : 0;
        return lines > (title?.textContent?.split(/[\s-]+/).length ?? 0) + 1;
      });
      if (isBroken) broken.push(screen);
      await expectNoViolations(walk.page);
    };
    await walkPhone({ ...walk, visit });
    expect(broken).toEqual([]);
  },
);

test.each(inForcedColors)(
  '[APP-300] in forced colours axe finds nothing on a phone in %s, and what is chosen has an outline',
  async (language, colorScheme) => {
    const walk = await open(language, phoneSize);
    await walk.page.emulateMedia({ forcedColors: 'active', colorScheme, reducedMotion: 'reduce' });
    const plain: Record<string, string[]> = {};
    const visit = async (screen: string) => {
      const chosen = await walk.page.evaluate(() =>
        [...document.querySelectorAll("[aria-pressed='true'], [aria-current='page'], input:checked + span")]
          .filter((element) => getComputedStyle(element).outlineStyle === 'none')
          .map(({ outerHTML }) => outerHTML.slice(0, 80)),
      );
      if (chosen.length > 0) plain[screen] = chosen;
      await expectNoViolationsNow(walk.page);
    };
    await walkPhone({ ...walk, visit });
    expect(plain).toEqual({});
  },
);

test.each(inForcedColors)(
  '[APP-300] in forced colours axe finds nothing on a watch in %s',
  async (language, colorScheme) => {
    const walk = await open(language, smallestWatch);
    await walk.page.emulateMedia({ forcedColors: 'active', colorScheme, reducedMotion: 'reduce' });
    await walkWatch({ ...walk, visit: () => expectNoViolationsNow(walk.page) });
  },
);

test.each(longestWords)(
  "[APP-524] with the browser's text at 200 per cent no screen of a phone in %s scrolls sideways or breaks its title, and axe finds nothing",
  async (language) => {
    const walk = await open(language, phoneSize);
    await enlargeText(walk.page);
    const wrong: Record<string, string[]> = {};
    const visit = async (screen: string) => {
      const found = await inPage(walk.page, findTooWide);
      if (found.length > 0) wrong[screen] = found;
      await expectNoViolations(walk.page);
    };
    await walkPhone({ ...walk, visit });
    expect(wrong).toEqual({});
  },
);

/** Sets the text size of the browser to 200 %, as a person does in its settings. */
const enlargeText = (page: Page) => setTextPx(page, 32);

async function setTextPx(page: Page, standard: number): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('Page.setFontSizes', { fontSizes: { standard } });
  await session.detach();
}

/** Returns what makes the page scroll sideways, and a title that has a broken word. */
function findTooWide(): string[] {
  const { scrollWidth, clientWidth } = document.documentElement;
  const title = document.querySelector('h1');
  const lines = title ? Math.round(title.clientHeight / parseFloat(getComputedStyle(title).lineHeight)) : 0;
  const isBroken = lines > (title?.textContent?.split(/[\s-]+/).length ?? 0) + 1;
  const isWide = [document.documentElement, ...document.querySelectorAll('dialog[open], main')].some(
    (it) => it.scrollWidth > it.clientWidth + 1,
  );
  const tooWide = [...document.querySelectorAll('dialog[open] *, main *')]
    .filter((it) => it.getBoundingClientRect().right > clientWidth + 1 && it.checkVisibility())
    .map((it) => it.outerHTML.slice(0, 80));
  return [
    ...(isBroken ? [`title of ${lines} lines`] : []),
    ...(isWide ? [`${scrollWidth} of ${clientWidth}`, ...tooWide.slice(0, 3)] : []),
  ];
}

test.each(languages)(
  "[APP-525] the browser's text at 200 per cent changes no screen of a watch in %s",
  async (language) => {
    const walk = await open(language, smallestWatch);
    const changed: Record<string, string[]> = {};
    const visit = async (screen: string) => {
      const sizes = () => inPage(walk.page, findButtonsAndTexts);
      await setTextPx(walk.page, 16);
      const before = await sizes();
      await setTextPx(walk.page, 32);
      const after = await sizes();
      const differing = after.filter((it, index) => it !== before[index]);
      if (differing.length > 0) changed[screen] = differing;
    };
    await walkWatch({ ...walk, visit });
    expect(changed).toEqual({});
  },
);

/** Returns the place and the size of each button, heading and field. */
function findButtonsAndTexts(): string[] {
  return [...document.querySelectorAll('button, h1, input, textarea')].map((it) => {
    const { x, y, width, height } = it.getBoundingClientRect();
    return `${it.textContent.slice(0, 20)}: ${[x, y, width, height].map(Math.round).join()}`;
  });
}

test.each(languages)(
  '[APP-357] axe finds nothing on any screen of a watch in %s, in light and in dark',
  async (language) => {
    const walk = await open(language, smallestWatch);
    await walkWatch({ ...walk, visit: () => expectNoViolations(walk.page) });
  },
);
