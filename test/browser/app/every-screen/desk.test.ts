/** Every screen of the desk in several sizes and colours. Real server process, real Chromium. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { findViolationsInBothSchemes, findViolationsNow, restoreColors } from '../accessibility.ts';
import { appServer } from '../app-server.ts';
import { appTexts, type Language } from '../app-words.ts';
import { builtApp } from '../built-app.ts';
import { deskSize } from '../desk/desk-page.ts';
import { openDevice, type Size } from '../devices.ts';
import { austrianLanguages, createWordsReader } from './german-words.ts';
import { findWrongInAllColors, setTextPx, textPxAt200 } from './looks.ts';
import { walkDesk } from './walk-desk.ts';

const app = builtApp();

interface Look {
  languages: readonly string[];
  size: Size;
  /** The browser's text size in pixels. 16 is the default. */
  textPx?: number;
  findViolations: (page: Page) => Promise<string[]>;
  /** Goes from screen to screen without loading the page again, which would take half of the look's time. */
  staysInPage?: boolean;
}

const looks: [string, Language, Look][] = [
  [
    'in English at 1440 × 900 in all colours',
    'en',
    { languages: ['en'], size: deskSize, findViolations: findWrongInAllColors },
  ],
  [
    'in German at 900 × 700',
    'de',
    {
      languages: austrianLanguages,
      size: { width: 900, height: 700 },
      findViolations: findViolationsInBothSchemes,
      staysInPage: true,
    },
  ],
  [
    'in German with text at 200 %',
    'de',
    {
      languages: ['de'],
      size: { width: 1920, height: 1080 },
      textPx: textPxAt200,
      findViolations: findViolationsNow,
      staysInPage: true,
    },
  ],
];

test.each(looks)(
  '[APP-223] [APP-293] [APP-307] axe finds nothing on any screen of the desk %s, no pane scrolls sideways, nothing is covered or cut off, and no word of a German one is English',
  async (_, language, { languages, size, textPx = 16, findViolations, staysInPage = false }) => {
    const server = await appServer(app.folder);
    const { page } = await openDevice(size, { languages });
    await setTextPx(page, textPx);
    const reader = createWordsReader();
    const wrong: Record<string, string[]> = {};
    const visit = async (screen: string) => {
      const english = language === 'de' ? await reader.findEnglish(page) : [];
      const found = [...english, ...(await page.evaluate(findMisplaced)), ...(await findViolations(page))];
      await restoreColors(page);
      if (found.length > 0) wrong[screen] = found;
    };
    await walkDesk({ server, page, words: appTexts[language], staysInPage, visit });
    expect(wrong).toEqual({});
  },
);

/** Returns the panes that scroll sideways, a menu that is cut off, and a bar that covers a pane. */
function findMisplaced(): string[] {
  const sideways = [document.documentElement, ...document.querySelectorAll('.rail, .pane, .pane-hint')]
    .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
    .map((it) => `${it.getAttribute('aria-label') ?? it.className}: ${it.scrollWidth} of ${it.clientWidth}`);
  const menu = document.querySelector('[role=menu]');
  const { left = 0, right = 0, top = 0 } = menu?.getBoundingClientRect() ?? {};
  const isCut = menu && [left + 2, right - 2].some((x) => !menu.contains(document.elementFromPoint(x, top + 30)));
  const bar = document.querySelector('.running-bar')?.getBoundingClientRect().top ?? Infinity;
  const isCovered = bar < (document.querySelector('main.panes')?.getBoundingClientRect().bottom ?? 0);
  return [...sideways, ...(isCut ? ['a menu is cut off'] : []), ...(isCovered ? ['the bar covers a pane'] : [])];
}
