/** Every screen of the smallest watch in each language. Real server process, real Chromium. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { inPage } from '../../in-page.ts';
import { appServer } from '../app-server.ts';
import { appTexts, type Language } from '../app-words.ts';
import { builtApp } from '../built-app.ts';
import { openDevice } from '../devices.ts';
import { smallestWatch } from '../watch-page.ts';
import { austrianLanguages, createWordsReader } from './german-words.ts';
import { findWrongInAllColors, setTextPx, textPxAt200 } from './looks.ts';
import { walkWatch } from './walk-watch.ts';

const app = builtApp();

const languages: [Language, readonly string[]][] = [
  ['en', ['en']],
  ['de', austrianLanguages],
];

test.each(languages)(
  "[APP-293] [APP-300] [APP-357] [APP-525] a watch in %s shows no English word in German, axe finds nothing on any screen, in forced colours neither, and the browser's text at 200 per cent changes none",
  async (language, preferred) => {
    const server = await appServer(app.folder);
    const { page } = await openDevice(smallestWatch, { languages: preferred });
    const reader = createWordsReader();
    const wrong: Record<string, string[]> = {};
    const visit = async (screen: string) => {
      const english = language === 'de' ? await reader.findEnglish(page) : [];
      const found = [...english, ...(await findChangedByTextSize(page)), ...(await findWrongInAllColors(page))];
      if (found.length > 0) wrong[screen] = found;
    };
    await walkWatch({ server, page, words: appTexts[language], visit });
    expect(wrong).toEqual({});
  },
);

/** Returns what has another place or size at 200 %. Compares again if the screen changed meanwhile, by a pull. */
async function findChangedByTextSize(page: Page): Promise<string[]> {
  for (let tries = 0; tries < 10; tries++) {
    const before = await inPage(page, findButtonsAndTexts);
    await setTextPx(page, textPxAt200);
    const after = await inPage(page, findButtonsAndTexts);
    await setTextPx(page, 16);
    const since = await inPage(page, findButtonsAndTexts);
    if (since.join('\n') === before.join('\n')) return after.filter((it, index) => it !== before[index]);
  }
  return ['the screen does not come to rest'];
}

/** Returns the place and the size of each button, heading and field. */
function findButtonsAndTexts(): string[] {
  return [...document.querySelectorAll('button, h1, input, textarea')].map((it) => {
    const { x, y, width, height } = it.getBoundingClientRect();
    return `${it.textContent.slice(0, 20)}: ${[x, y, width, height].map(Math.round).join()}`;
  });
}
