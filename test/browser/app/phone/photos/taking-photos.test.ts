/** Taking photos while recording on a phone. Real server process, real Chromium. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import type { MapRecord } from '../../../../../shared/schema/map.ts';
import type { RunDoc, RunRecord } from '../../../../../shared/schema/run.ts';
import { appServer } from '../../app-server.ts';
import { builtApp } from '../../built-app.ts';
import { openDevice, pair } from '../../devices.ts';
import { atWorkersPace, button, finish, heading, section, status, tapNumberedStep } from '../../locators.ts';
import {
  beginRecording,
  camera,
  naturalSize,
  pictureFiles,
  takePhotos,
  thumbnail,
  thumbnails,
  viewer,
} from './pictures.ts';

const app = builtApp();
const size = { width: 360, height: 740 };

async function openRecorder() {
  const server = await appServer(app.folder);
  const { page } = await openDevice(size);
  // Without a service worker each file is asked for by the page, so that a test can hold it.
  await page.route('**/sw.js', (route) => route.abort());
  const paths: string[] = [];
  page.on('request', (request) => paths.push(new URL(request.url()).pathname));
  await pair(page, server.link);
  await status(page, 'All safe on the server').waitFor();
  await beginRecording(page, 'Press line');
  return { server, page, paths };
}

const savingStatus = (page: Page) => page.locator('.photo-current [role=status]');

test('[APP-572] [APP-573] while photos are encoded the next step starts, words say so, and the photos stay with their step', async () => {
  const { server, page, paths } = await openRecorder();
  const isOfPhotos = (path: string) => /\/(?:photos|photo-worker)-/.test(path);
  expect(paths.filter(isOfPhotos)).toEqual([]);
  let release = () => {};
  const released = new Promise<void>((done) => (release = done));
  await page.route('**/photo-worker-*', async (route) => {
    await released;
    await route.continue();
  });
  const box = await camera(page, 'Step 1').boundingBox();
  expect(Math.min(box!.width, box!.height)).toBeGreaterThanOrEqual(48);
  await camera(page, 'Step 1').setInputFiles(await pictureFiles(page, ['#a33', '#3a3']));
  await savingStatus(page).getByText('Saving 2 photos…').waitFor();
  await tapNumberedStep(page, 2);
  await savingStatus(page).getByText('Saving 2 photos…').waitFor();
  expect(await thumbnails(page, 'Step 1').count()).toBe(0);
  release();
  await expect.poll(() => thumbnails(page, 'Step 1').count()).toBe(2);
  await savingStatus(page).getByText('2 photos of Step 1 saved.').waitFor({ state: 'attached' });
  expect(await naturalSize(thumbnails(page, 'Step 1').first())).toEqual([240, 320]);
  expect(paths.filter(isOfPhotos).length).toBeGreaterThan(0);

  await takePhotos(page, 'Step 2', await pictureFiles(page, ['#33a', '#aa3', '#3aa', '#666']));
  const { y, height } = (await button(page, 'Finish').boundingBox())!;
  expect(y + height).toBeLessThanOrEqual((await page.getByRole('navigation').boundingBox())!.y);
  await finish(page);
  await expect.poll(async () => (await server.rest.list<MapRecord>('/maps'))[0]?.run_count).toBe(1);
  const [map] = await server.rest.list<MapRecord>('/maps');
  const [run] = await server.rest.list<RunRecord>(`/maps/${map!.id}/runs`);
  const { steps } = await server.rest.get<RunDoc>(`/runs/${run!.id}`);
  expect(steps.map(({ photos }) => photos.length)).toEqual([2, 4]);
});

test('[APP-574] [APP-580] a photo is deleted before the finish, and Undo brings it back', async () => {
  const { page } = await openRecorder();
  await takePhotos(page, 'Step 1', await pictureFiles(page, ['#a33', '#3a3']));
  await thumbnail(page, 'Photo 1 of 2 of Step 1').click();
  await viewer(page, 'Photo 1 of 2 of Step 1').getByRole('button', { name: 'Delete photo' }).click();
  await viewer(page, 'Photo 1 of 1 of Step 1').getByText('Photo of Step 1 deleted').waitFor();
  await page.locator('dialog[open]').getByRole('button', { name: 'Undo' }).click();
  await viewer(page, 'Photo 2 of 2 of Step 1').waitFor();
  await page.keyboard.press('Escape');
  await expect.poll(() => thumbnails(page, 'Step 1').count()).toBe(2);

  for (const left of ['2', '1']) {
    await thumbnail(page, `Photo 1 of ${left} of Step 1`).click();
    await button(page, 'Delete photo').click();
    if (left === '1') continue;
    await viewer(page, 'Photo 1 of 1 of Step 1').waitFor();
    await page.keyboard.press('Escape');
    const other = thumbnail(page, 'Photo 1 of 1 of Step 1');
    await expect.poll(() => other.evaluate((opener) => opener === document.activeElement)).toBe(true);
  }
  await page.locator('dialog[open]').waitFor({ state: 'detached' });
  await expect.poll(() => thumbnails(page, 'Step 1').count()).toBe(0);
  expect(await camera(page, 'Step 1').evaluate((input) => input === document.activeElement)).toBe(true);
  // A tap in between: Undo would take back that tap, and not the removal.
  await tapNumberedStep(page, 2);
  await page.locator('.toast').getByRole('button', { name: 'Undo' }).click();
  await page.getByText('You tapped something else since.').waitFor();
  await heading(page, 'Step 2').waitFor();
});

test('[APP-575] what is no picture, and the 21st photo of a step, are refused in words and change nothing', async () => {
  const { page } = await openRecorder();
  await camera(page, 'Step 1').setInputFiles({
    name: 'a.jpg',
    mimeType: 'image/jpeg',
    buffer: Buffer.from('no picture'),
  });
  await page.getByText('This device cannot read the picture.').waitFor();
  await expect.poll(() => savingStatus(page).textContent()).toBe('');
  const colours = Array.from({ length: 20 }, (_, index) => `hsl(${index * 18} 60% 40%)`);
  await camera(page, 'Step 1').setInputFiles(await pictureFiles(page, colours));
  await expect.poll(() => thumbnails(page, 'Step 1').count()).toBe(20);
  await camera(page, 'Step 1').setInputFiles(await pictureFiles(page, ['#123']));
  await page.getByText('A step has at most 20 photos.').waitFor();
  expect(await thumbnails(page, 'Step 1').count()).toBe(20);
});

test('[APP-576] the address of a small picture is gone with its screen, and the picture is there again afterwards', async () => {
  const { page } = await openRecorder();
  await takePhotos(page, 'Step 1', await pictureFiles(page, ['#a33']));
  const url = (await thumbnails(page, 'Step 1').getAttribute('src'))!;
  const isShown = () =>
    page.evaluate(
      (src) =>
        new Promise<boolean>((resolve) => {
          const image = new Image();
          image.addEventListener('load', () => resolve(true));
          image.addEventListener('error', () => resolve(false));
          image.src = src;
        }),
      url,
    );
  expect(await isShown()).toBe(true);
  await section(page, 'Maps').click();
  await heading(page, 'Maps').waitFor();
  expect(await isShown()).toBe(false);
  await atWorkersPace(page);
  await section(page, 'Record').click();
  await thumbnails(page, 'Step 1').waitFor();
});
