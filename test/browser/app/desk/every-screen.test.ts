/** Every screen of the desk in several sizes and colours. Real server process, real Chromium. */
import { expect, test } from 'vitest';
import { expectNoViolations, expectNoViolationsNow } from '../accessibility.ts';
import { appServer } from '../app-server.ts';
import { appTexts, type Language } from '../app-words.ts';
import { builtApp } from '../built-app.ts';
import { openDevice, type Size } from '../devices.ts';
import { deskSize } from './desk-page.ts';
import { walkDesk } from './walk-desk.ts';

const app = builtApp();

interface Look {
  language: Language;
  size: Size;
  /** The browser's setting, in pixels. 16 is the default, 32 is text at 200 %. */
  fontPx?: number;
  isForced?: boolean;
}

const looks: [string, Look][] = [
  ['at 1440 × 900 in English', { language: 'en', size: deskSize }],
  ['at 900 × 700 in German', { language: 'de', size: { width: 900, height: 700 } }],
  ['with text at 200 % in German', { language: 'de', size: { width: 1920, height: 1080 }, fontPx: 32 }],
  ['in forced colours in German', { language: 'de', size: deskSize, isForced: true }],
];

test.each(looks)(
  '[APP-223] [APP-307] axe finds nothing on any screen of the desk %s, no pane scrolls sideways, and nothing is covered or cut off',
  async (_, { language, size, fontPx = 16, isForced = false }) => {
    const server = await appServer(app.folder);
    const { page } = await openDevice(size, { languages: [language] });
    const session = await page.context().newCDPSession(page);
    await session.send('Page.setFontSizes', { fontSizes: { standard: fontPx } });
    if (isForced) await page.emulateMedia({ forcedColors: 'active', colorScheme: 'dark', reducedMotion: 'reduce' });
    const wrong: Record<string, string[]> = {};
    const visit = async (screen: string) => {
      const found = await page.evaluate(() => {
        const sideways = [document.documentElement, ...document.querySelectorAll('.rail, .pane, .pane-hint')]
          .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
          .map((it) => `${it.getAttribute('aria-label') ?? it.className}: ${it.scrollWidth} of ${it.clientWidth}`);
        const menu = document.querySelector('[role=menu]');
        const { left = 0, right = 0, top = 0 } = menu?.getBoundingClientRect() ?? {};
        const isCut = menu && [left + 2, right - 2].some((x) => !menu.contains(document.elementFromPoint(x, top + 30)));
        const bar = document.querySelector('.running-bar')?.getBoundingClientRect().top ?? Infinity;
        const isCovered = bar < (document.querySelector('main.panes')?.getBoundingClientRect().bottom ?? 0);
        return [...sideways, ...(isCut ? ['a menu is cut off'] : []), ...(isCovered ? ['the bar covers a pane'] : [])];
      });
      if (found.length > 0) wrong[screen] = found;
      await (isForced ? expectNoViolationsNow(page) : expectNoViolations(page));
    };
    await walkDesk({ server, page, words: appTexts[language], visit });
    expect(wrong).toEqual({});
  },
);
