/** The texts of a German phone. Real server process, real Chromium. */
import { expect, test } from 'vitest';
import { appServer } from '../app-server.ts';
import { appTexts } from '../app-words.ts';
import { builtApp } from '../built-app.ts';
import { openDevice, phoneSize } from '../devices.ts';
import { walkPairing } from '../every-screen/walk.ts';

const app = builtApp();

test('[APP-452] a German phone of 360 pixels cuts no status, also while "all safe" still has its text', async () => {
  const server = await appServer(app.folder);
  const { page } = await openDevice({ width: 360, height: 640 }, { languages: ['de-DE'] });
  const { texts } = appTexts.de;
  await walkPairing({ server, page, words: appTexts.de, visit: async () => {} }, server.link);
  await page.getByText(texts.status.safe).first().waitFor();
  const { onDevice } = texts.record;
  const onDeviceOffline = (steps: number) => `${texts.status.offline} · ${onDevice(steps)}`;
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
