/** The camera of a watch. Real server process, real Chromium. */
import { expect, test } from 'vitest';
import type { MapRecord } from '../../../../shared/schema/map.ts';
import { appServer } from '../app-server.ts';
import { builtApp } from '../built-app.ts';
import { openDevice, pair } from '../devices.ts';
import { button, finish, status } from '../locators.ts';
import { pictureFiles } from '../phone/photos/pictures.ts';
import { runsOf } from '../recorded-runs.ts';
import { more, newMap, openWatch, smallestWatch, startRecording } from '../watch-page.ts';

const app = builtApp();

test('[APP-587] a watch with a camera takes a photo of the step under way, which another device then sees', async () => {
  const server = await appServer(app.folder);
  await newMap(server, 'Saw');
  const { page } = await openDevice(smallestWatch, { flags: ['--use-fake-device-for-media-stream'] });
  await pair(page, await server.newLink('wearable'));
  await startRecording(page);
  await more(page).click();
  const camera = page.getByLabel('Photo of Load', { exact: true });
  const box = await camera.boundingBox();
  expect(Math.min(box!.width, box!.height)).toBeGreaterThanOrEqual(40);
  const [picture] = await pictureFiles(page, ['#3a3']);
  await camera.setInputFiles(picture!);
  await page.getByText('Photo saved').waitFor();
  // The recording is shown again, so that the next step is one tap away.
  await more(page).waitFor();
  await finish(page);
  await status(page, 'Safe').waitFor();
  const [map] = await server.rest.list<MapRecord>('/maps');
  const run = (await runsOf(server, map!.id)).at(-1);
  expect(run).toMatchObject({ photo_objects: [{ status: 'stored', content_type: 'image/jpeg' }] });
});

test('[APP-587] a watch without a camera offers none', async () => {
  const page = await openWatch(await appServer(app.folder));
  await startRecording(page);
  await more(page).click();
  await button(page, 'New name').waitFor();
  await page.evaluate(() => navigator.mediaDevices.enumerateDevices());
  expect(await page.getByLabel('Photo of Load').count()).toBe(0);
});
