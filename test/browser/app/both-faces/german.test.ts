/** The app on a German device. Real server process, real Chromium. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { appServer } from '../app-server.ts';
import { appTexts, wordsIn, englishOnlyWords } from '../app-words.ts';
import { builtApp } from '../built-app.ts';
import { openDevice, phoneSize, type Size } from '../devices.ts';
import { deskSize } from '../desk/desk-page.ts';
import { walkDesk } from '../desk/walk-desk.ts';
import { walkPairing, type Walk } from '../walk.ts';
import { walkPhone, walkRefusal } from '../walk-phone.ts';
import { walkWatch } from '../walk-watch.ts';
import { smallestWatch } from '../watch-page.ts';

const app = builtApp();

/** Returns all that a person reads or hears: texts, labels, and the placeholders of empty fields. */
const shownTexts = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const spoken = ['aria-label', 'title', 'placeholder', 'alt'];
    const labels = [...document.querySelectorAll('*')].flatMap((element) =>
      spoken.map((name) => element.getAttribute(name) ?? ''),
    );
    return [document.title, document.body.innerText, ...labels];
  });

/** Opens a device in Austria, whose first language is French and second is German. */
async function openGerman(size: Size) {
  const server = await appServer(app.folder);
  const { page } = await openDevice(size, { languages: ['fr-FR', 'de-AT', 'en-US'] });
  const english = englishOnlyWords();
  // The server stores the names of the account and of its key in English.
  for (const word of wordsIn('First account, First key')) english.delete(word);
  const found: Record<string, string[]> = {};
  const seen: string[] = [];
  const visit: Walk['visit'] = async (screen) => {
    const shown = await shownTexts(page);
    seen.push(...shown);
    const words = shown.flatMap((text) => wordsIn(text.replaceAll(/\S+\/pair/g, '')));
    const foreign = [...new Set(words)].filter((word) => english.has(word));
    if (foreign.length > 0) found[screen] = foreign;
  };
  return { server, page, visit, words: appTexts.de, found, seen };
}

test('[APP-14] [APP-291] [APP-293] a German phone shows no English word on any screen, and numbers with a comma', async () => {
  const walk = await openGerman(phoneSize);
  await walkPhone(walk);
  await walkRefusal(walk);
  expect(walk.found).toEqual({});
  expect(await walk.page.evaluate(() => [document.documentElement.lang, document.documentElement.dir])).toEqual([
    'de-AT',
    'ltr',
  ]);
  const text = walk.seen.join('\n');
  expect(text).toContain('0:20,5');
  expect(text).not.toMatch(/\d:\d\d\.\d/);
});

test('[APP-293] a German desk shows no English word on any screen', async () => {
  const walk = await openGerman(deskSize);
  await walkDesk(walk);
  expect(walk.found).toEqual({});
});

test('[APP-293] a German watch shows no English word on any screen', async () => {
  const walk = await openGerman(smallestWatch);
  await walkWatch(walk);
  expect(walk.found).toEqual({});
});

test('[APP-452] a German phone of 360 pixels cuts no status, also while "all safe" still has its text', async () => {
  const server = await appServer(app.folder);
  const { page } = await openDevice({ width: 360, height: 640 }, { languages: ['de-DE'] });
  const { texts } = appTexts.de;
  await walkPairing({ server, page, words: appTexts.de, visit: async () => {} }, server.link);
  await page.getByText(texts.status.safe).first().waitFor();
  const { onDevice, onDeviceOffline } = texts.record;
  const shown = [...Object.values(texts.status), onDevice, onDeviceOffline].map((text) =>
    typeof text === 'string' ? text : text(124),
  );
  const cut = await page.evaluate((all) => {
    // The text shrinks after four seconds, so the animation is held at its beginning.
    for (const animation of document.getAnimations()) {
      animation.pause();
      animation.currentTime = 0;
    }
    const span = document.querySelector<HTMLElement>('.pill-good .pill-link > span');
    if (!span) return ['there is no status'];
    return all.filter((text) => {
      span.textContent = text;
      span.style.whiteSpace = text === all[1] ? '' : 'normal';
      return span.scrollWidth > span.clientWidth || document.documentElement.scrollWidth > innerWidth;
    });
  }, shown);
  expect(cut).toEqual([]);
});

test('[APP-292] a device loads the texts of its language alone', async () => {
  const server = await appServer(app.folder);
  const { page } = await openDevice(phoneSize, { languages: ['de-DE'] });
  const loaded: string[] = [];
  page.on('request', (request) => {
    // The service worker requests the files of all languages, to cache them.
    if (!request.serviceWorker()) loaded.push(new URL(request.url()).pathname);
  });
  await page.goto(server.link);
  await page.getByText(appTexts.de.pairTexts.title.phone).waitFor();
  const languages = loaded.filter((path) => path.includes('/text-')).map((path) => path.slice(8, 15));
  expect([...new Set(languages)]).toEqual(['text-de']);
});
