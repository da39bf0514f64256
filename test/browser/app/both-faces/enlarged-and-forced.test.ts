/** Text at 200 % and forced colours, in both languages. Real server process, real Chromium. */
import { expect, test } from 'vitest';
import { expectNoViolations, expectNoViolationsNow } from '../accessibility.ts';
import { appServer } from '../app-server.ts';
import { appTexts, type Language } from '../app-words.ts';
import { builtApp } from '../built-app.ts';
import { openDevice, phoneSize, type Size } from '../devices.ts';
import { walkPhone, walkWatch, type Walk } from '../walk.ts';
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

test.each(languages)(
  '[APP-299] [APP-300] zoomed to 200 per cent a phone in %s breaks no title, and axe finds nothing',
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
  '[APP-298] [APP-300] in forced colours axe finds nothing on a watch in %s, and no message covers Next',
  async (language, colorScheme) => {
    const walk = await open(language, smallestWatch);
    await walk.page.emulateMedia({ forcedColors: 'active', colorScheme, reducedMotion: 'reduce' });
    const covered: string[] = [];
    const visit = async (screen: string) => {
      const isCovered = await walk.page.evaluate(() => {
        const [toast, next] = ['.toast', '.watch-next'].map((name) =>
          document.querySelector(name)?.getBoundingClientRect(),
        );
        return toast !== undefined && next !== undefined && toast.bottom > next.top;
      });
      if (isCovered) covered.push(screen);
      await expectNoViolationsNow(walk.page);
    };
    await walkWatch({ ...walk, visit });
    expect(covered).toEqual([]);
  },
);

test.each(languages)(
  '[APP-357] axe finds nothing on any screen of a watch in %s, in light and in dark',
  async (language) => {
    const walk = await open(language, smallestWatch);
    await walkWatch({ ...walk, visit: () => expectNoViolations(walk.page) });
  },
);
