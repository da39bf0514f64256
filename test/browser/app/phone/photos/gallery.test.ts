/** The photos of a run on a phone and on a desk, by touch and by keyboard. Real server process, real Chromium. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { expectNoViolations } from '../../accessibility.ts';
import { appServer, type AppServer } from '../../app-server.ts';
import { appTexts, englishOnlyWords, wordsIn } from '../../app-words.ts';
import { builtApp } from '../../built-app.ts';
import { openDesk } from '../../desk/desk-page.ts';
import { openDevice, pair, phoneSize } from '../../devices.ts';
import { button, finish, heading, status, tapNumberedStep } from '../../locators.ts';
import { walkPairing } from '../../every-screen/walk.ts';
import { beginRecording, pictureFiles, takePhotos, thumbnail, viewer } from './pictures.ts';

const app = builtApp();
const size = { width: 360, height: 740 };

/** Records a run with two photos in its first step. Returns the path of the run once the server has them. */
async function recordRun(server: AppServer, page: Page): Promise<string> {
  await pair(page, server.link);
  await status(page, 'All safe on the server').waitFor();
  await beginRecording(page, 'Press line');
  await takePhotos(page, 'Step 1', await pictureFiles(page, ['#a33', '#3a3']));
  await tapNumberedStep(page, 2);
  await finish(page);
  await page.getByRole('link', { name: '1 run' }).click();
  await page.getByText('Run 1').click();
  await heading(page, 'Run 1').waitFor();
  return new URL(page.url()).pathname;
}

const transformOf = (page: Page) => page.locator('.photo-frame > img').evaluate((image) => image.style.transform);

test('[APP-579] [APP-580] on a desk a photo is opened, zoomed, moved and closed by the keyboard, and the focus comes back', async () => {
  const server = await appServer(app.folder);
  const { page: phone } = await openDevice(size);
  const path = await recordRun(server, phone);
  const page = await openDesk(server);
  await page.goto(`${server.url}/desk${path}`);
  await thumbnail(page, 'Photo 1 of 2 of Step 1').waitFor();
  expect(await page.getByRole('img', { name: 'Photo 2 of 2 of Step 1' }).count()).toBe(1);
  await thumbnail(page, 'Photo 1 of 2 of Step 1').focus();
  await page.keyboard.press('Enter');
  await viewer(page, 'Photo 1 of 2 of Step 1').waitFor();
  await page.locator('.photo-frame > img').waitFor();
  expect(await transformOf(page)).toBe('translate(0px, 0px) scale(1)');
  await page.keyboard.press('+');
  await page.keyboard.press('+');
  await expect.poll(() => transformOf(page)).toBe('translate(0px, 0px) scale(2.25)');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowDown');
  await expect.poll(() => transformOf(page)).toBe('translate(-60px, -60px) scale(2.25)');
  await page.keyboard.press('-');
  await expect.poll(() => transformOf(page)).toMatch(/scale\(1\.5\)$/);
  await page.keyboard.press('0');
  await expect.poll(() => transformOf(page)).toBe('translate(0px, 0px) scale(1)');
  await page.keyboard.press('ArrowRight');
  await viewer(page, 'Photo 2 of 2 of Step 1').waitFor();
  await page.keyboard.press('ArrowLeft');
  await viewer(page, 'Photo 1 of 2 of Step 1').waitFor();
  // From the last control Tab leads to the browser's own, and then to the first one again.
  for (let presses = 0; presses < 8; presses++) {
    await page.keyboard.press('Tab');
    expect(await isFocusOutside(page)).toBe(false);
  }
  await page.mouse.move(700, 400);
  await page.mouse.wheel(0, -600);
  await expect.poll(() => transformOf(page)).not.toMatch(/scale\(1\)$/);
  await page.keyboard.press('Escape');
  await page.locator('dialog[open]').waitFor({ state: 'detached' });
  expect(await thumbnail(page, 'Photo 1 of 2 of Step 1').evaluate((opener) => opener === document.activeElement)).toBe(
    true,
  );
});

/** Whether a control behind the open photo has the focus. */
const isFocusOutside = (page: Page) =>
  page.evaluate(() => document.activeElement !== document.body && !document.activeElement?.closest('dialog[open]'));

test('[APP-581] two fingers enlarge a photo on a phone, around the place between them', async () => {
  const server = await appServer(app.folder);
  const { page } = await openDevice(size);
  await recordRun(server, page);
  await thumbnail(page, 'Photo 2 of 2 of Step 1').click();
  await page.locator('.photo-frame > img').waitFor();
  const session = await page.context().newCDPSession(page);
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', apart: number | undefined) =>
    session.send('Input.dispatchTouchEvent', {
      type,
      touchPoints:
        apart === undefined
          ? []
          : [
              { x: 180 - apart / 2, y: 300, id: 1 },
              { x: 180 + apart / 2, y: 300, id: 2 },
            ],
    });
  await touch('touchStart', 60);
  for (const apart of [80, 100, 120, 150, 180]) await touch('touchMove', apart);
  await touch('touchEnd', undefined);
  await expect.poll(async () => Number(/scale\((.*)\)/.exec(await transformOf(page))?.[1])).toBeGreaterThan(2);
});

test('[APP-582] axe finds nothing on the recorder with photos, a run with photos, an open photo and the photos on the sync screen', async () => {
  const server = await appServer(app.folder);
  const { page } = await openDevice(size);
  await pair(page, server.link);
  await status(page, 'All safe on the server').waitFor();
  await beginRecording(page, 'Press line');
  await takePhotos(page, 'Step 1', await pictureFiles(page, ['#a33', '#3a3']));
  await tapNumberedStep(page, 2);
  await takePhotos(page, 'Step 2', await pictureFiles(page, ['#33a']));
  await expectNoViolations(page);
  await thumbnail(page, 'Photo 1 of 1 of Step 2').click();
  await expectNoViolations(page);
  await page.keyboard.press('Escape');
  await finish(page);
  await page.getByRole('link', { name: '1 run' }).click();
  await page.getByText('Run 1').click();
  await thumbnail(page, 'Photo 1 of 2 of Step 1').waitFor();
  await expectNoViolations(page);
  await thumbnail(page, 'Photo 1 of 2 of Step 1').click();
  await expectNoViolations(page);
  await page.keyboard.press('Escape');
  await page.goto(`${server.url}/sync`);
  await heading(page, 'Photos').waitFor();
  await expectNoViolations(page);
});

test('[APP-583] a German phone shows no English word about photos', async () => {
  const server = await appServer(app.folder);
  const { page } = await openDevice(phoneSize, { languages: ['de-DE'] });
  const words = appTexts.de;
  await walkPairing({ server, page, words, visit: async () => {} }, server.link);
  const { photoTexts, texts, recordTexts } = words;
  const sent = await server.rest.send<{ map: { id: string } }>('POST', '/recording/new', {
    name: 'Zylo',
    steps: [{ stage_name: 'Xora', order: 1, duration_secs: 5, photos: [`sha256:${'0'.repeat(64)}`] }],
  });
  const mapId = sent.body.map.id;
  await page.getByText('Zylo').click();
  await button(page, texts.map.record).click();
  await button(page, texts.record.nextNamed('Xora')).click();
  const english = englishOnlyWords();
  const foreign = new Set<string>();
  const look = async () => {
    const shown = await page.evaluate(() => [
      document.body.innerText,
      ...[...document.querySelectorAll('[aria-label], [alt], [title]')].flatMap((element) =>
        ['aria-label', 'alt', 'title'].map((name) => element.getAttribute(name) ?? ''),
      ),
    ]);
    for (const word of shown.flatMap(wordsIn)) if (english.has(word)) foreign.add(word);
  };
  const input = page.getByLabel(photoTexts.take('Xora'), { exact: true });
  await input.setInputFiles({ name: 'a.jpg', mimeType: 'image/jpeg', buffer: Buffer.from('no picture') });
  await page.getByText('Dieses Bild ist nicht lesbar. Bitte ein anderes aufnehmen.').waitFor();
  await look();
  await input.setInputFiles(await pictureFiles(page, ['#a33']));
  await page.getByRole('button', { name: photoTexts.named(1, 1, 'Xora'), exact: true }).click();
  await look();
  await button(page, photoTexts.remove).click();
  await page.getByText(photoTexts.removed('Xora')).waitFor();
  await look();
  await page.locator('.toast').getByRole('button', { name: texts.undo }).click();
  await page.getByText(recordTexts.undone.photo_removal('Xora')).waitFor();
  await page.goto(`${server.url}/maps/${mapId}/runs`);
  await page.locator('a[href*="/runs/"]').first().click();
  await page.getByText(photoTexts.awaited).waitFor();
  await look();
  await page.goto(`${server.url}/sync`);
  await page.getByText(photoTexts.policy).waitFor();
  await look();
  expect([...foreign]).toEqual([]);
});
