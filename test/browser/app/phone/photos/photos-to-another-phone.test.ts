/** A photo on its way from one phone to another, through an outage and a kill. Real server process, real Chromium. */
import { expect, onTestFinished, test } from 'vitest';
import { createUserDataDir, openBrowser } from '../../../browser.ts';
import { appServer } from '../../app-server.ts';
import { builtApp } from '../../built-app.ts';
import { keptForOffline, openDevice, pair } from '../../devices.ts';
import { button, finish, heading, status } from '../../locators.ts';
import {
  beginRecording,
  fakeCamera,
  filmedFiles,
  naturalSize,
  takePhotos,
  thumbnail,
  thumbnails,
  viewer,
} from './pictures.ts';

const app = builtApp();
const size = { width: 360, height: 740 };

test('[APP-577] [APP-578] [APP-586] a photo taken in an outage is shown on another phone after the browser was killed, and its preview before', async () => {
  const server = await appServer(app.folder);
  const folder = await createUserDataDir();
  onTestFinished(() => folder.remove());
  const first = await openBrowser(folder.path, { flags: fakeCamera });
  onTestFinished(() => first.kill());
  const taking = await first.context.newPage();
  await taking.setViewportSize(size);
  await pair(taking, server.link);
  await status(taking, 'All safe on the server').waitFor();
  await keptForOffline(taking);
  await taking.getByText('Photos').waitFor({ state: 'detached' });
  await taking.goto(`${server.url}/sync`);
  await taking.getByLabel('When I say so').check({ force: true });
  await taking.goto(server.url);
  await server.kill();
  await beginRecording(taking, 'Press line');
  await takePhotos(taking, 'Step 1', await filmedFiles(taking, 2));
  await first.kill();

  const second = await openBrowser(folder.path);
  onTestFinished(() => second.kill());
  const page = await second.context.newPage();
  await page.setViewportSize(size);
  await page.goto(`${server.url}/record`);
  await expect.poll(() => thumbnails(page, 'Step 1').count()).toBe(2);
  await finish(page);
  await page.goto(`${server.url}/sync`);
  await page.getByText('2 photos wait for a network').first().waitFor();
  await server.start();
  await page.getByText('2 photos wait until you send').first().waitFor();
  await status(page, '2 photos to upload').waitFor();

  const { page: other } = await openDevice(size);
  await pair(other, await server.newLink('phone'));
  await other.getByText('Press line').click();
  await other.getByRole('link', { name: '1 run' }).click();
  await other.getByText('Run 1').click();
  // Previews are always sent, and the photos when a person says so.
  await expect.poll(() => thumbnails(other, 'Step 1').count()).toBe(2);
  await thumbnail(other, 'Photo 1 of 2 of Step 1').click();
  const shown = viewer(other, 'Photo 1 of 2 of Step 1');
  await shown.getByText('This is a preview. The full photo is not here yet.').waitFor();
  await button(page, 'Send now').click();
  await page.getByText('No photo waits to be sent.').waitFor();
  await status(page, 'All safe on the server').waitFor();
  await other.keyboard.press('Escape');
  await thumbnail(other, 'Photo 1 of 2 of Step 1').click();
  await expect.poll(() => naturalSize(shown.getByRole('img'))).toEqual([1_536, 2_048]);
  await heading(other, 'Photo 1 of 2 of Step 1').waitFor();
});
