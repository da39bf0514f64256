/** The sync screen while the server takes no photos. Real server process, real Chromium, refusals on the wire. */
import { expect, test } from 'vitest';
import { expectNoViolationsInOneScheme } from '../../accessibility.ts';
import { appServer } from '../../app-server.ts';
import { builtApp } from '../../built-app.ts';
import { openDevice, pair } from '../../devices.ts';
import { button, finish, heading, status } from '../../locators.ts';
import { beginRecording, pictureFiles, takePhotos } from './pictures.ts';

const app = builtApp();

test('[APP-585] [APP-586] the sync screen says why the server takes no photos, and tries again', async () => {
  const server = await appServer(app.folder);
  const { page } = await openDevice({ width: 360, height: 740 });
  await page.route('**/sw.js', (route) => route.abort());
  let refusal: { status: number; code: string } | undefined = { status: 403, code: 'photo_quota_reached' };
  await page.route(/\/api\/v1\/photos$/, async (route) => {
    if (!refusal) return route.continue();
    const problem = { type: `/docs#${refusal.code}`, title: 'Refused', detail: 'Refused.', ...refusal };
    return route.fulfill({ status: refusal.status, contentType: 'application/problem+json', json: problem });
  });
  await pair(page, server.link);
  await status(page, 'All safe on the server').waitFor();
  await beginRecording(page, 'Press line');
  await takePhotos(page, 'Step 1', await pictureFiles(page, ['#a33']));
  await finish(page);
  await page.goto(`${server.url}/sync`);
  await heading(page, 'Photos').waitFor();
  // The reason stands beside the count and on the card of photos.
  await expect.poll(() => page.getByText('The account has no room for 1 photo').count()).toBe(2);
  await page.getByText('It stays on this device. Ask an admin for more room').waitFor();
  await page.getByText('Photos only on this device').waitFor();
  await expectNoViolationsInOneScheme(page);
  refusal = { status: 501, code: 'photos_not_kept' };
  await button(page, 'Try again').click();
  await expect.poll(() => page.getByText('This server keeps no photos. 1 photo waits on this device.').count()).toBe(2);
  refusal = { status: 422, code: 'photo_has_metadata' };
  await button(page, 'Try again').click();
  await page.getByText('The server refused 1 photo.').waitFor();
  await status(page, '1 photo to upload').waitFor();
  await expectNoViolationsInOneScheme(page);
  refusal = undefined;
  await button(page, 'Try again').click();
  await page.getByText('No photo waits to be sent.').waitFor();
  expect(await button(page, 'Try again').count()).toBe(0);
});
