/** Hand-overs between two phones that break, or do not come about. Real Chromiums, whose cameras see the screens. */
import { expect, test } from 'vitest';
import { appServer, otherAppServer } from '../app-server.ts';
import { builtApp } from '../built-app.ts';
import { phoneSize } from '../devices.ts';
import { button, createMap, heading, section, status } from '../locators.ts';
import {
  connect,
  cutOff,
  expectUsable,
  giverWithRuns,
  linkOfAnother,
  openCarry,
  openHandOver,
  openPhone,
  readEachOther,
  shownCode,
  type FilmingPhone,
  type PhoneOptions,
} from './phones.ts';

const app = builtApp();
const recordings = 3;

/** Opens a phone with one change that it could not send, on the screen that says so. */
async function giverWithChange(link: string, options: PhoneOptions = {}): Promise<FilmingPhone> {
  const phone = await openPhone(link, options);
  const { page } = phone;
  await cutOff(page);
  await createMap(page, 'Bend');
  await status(page, 'Offline · 1 change to upload').waitFor();
  await openHandOver(page);
  await page.getByText('1 change', { exact: true }).waitFor();
  return phone;
}

test('[APP-563] [APP-568] a phone whose partner is closed in the middle says so, keeps all, and goes on with the next try', async () => {
  const server = await appServer(app.folder);
  const giver = await giverWithRuns(server, recordings);
  const taker = await openPhone(await linkOfAnother(server));
  const context = taker.page.context();
  // The answer of the server does not come, so that the meeting lasts.
  await context.route('**/api/v1/relay', () => undefined);
  await openHandOver(giver.page);
  await giver.page.getByText(`${recordings} recordings`, { exact: true }).waitFor();
  await connect(giver, taker);
  await giver.page.getByText(`${recordings} of ${recordings} recordings handed over`).waitFor();
  await giver.page.getByText('The other phone sends them now.').waitFor();
  await taker.page.getByText(/^\d+ kB taken$/).waitFor();
  await expectUsable(giver.page);
  await expectUsable(taker.page);
  const closedAt = Date.now();
  await taker.page.close();
  await heading(giver.page, 'The connection ended').waitFor();
  console.log(`The other phone noticed ${Date.now() - closedAt} ms after the page was closed.`);
  await expectUsable(giver.page);
  await status(giver.page, `Offline · ${recordings} changes to upload`).waitFor();

  await context.unroute('**/api/v1/relay');
  const page = await context.newPage();
  await page.setViewportSize(phoneSize);
  await page.goto(server.url);
  await button(giver.page, 'Begin again').click();
  await readEachOther(giver, { ...taker, page });
  await heading(giver.page, 'Safe on the server').waitFor();
  expect(await server.rest.list(`/maps/${giver.mapId}/runs`)).toHaveLength(recordings);
});

test('[APP-562] without a server on either side the work is handed over and not proven, and the next meeting proves it', async () => {
  const server = await appServer(app.folder);
  const giver = await giverWithRuns(server, recordings);
  const taker = await openPhone(await linkOfAnother(server));
  const reconnect = await cutOff(taker.page);
  await openHandOver(giver.page);
  await giver.page.getByText(`${recordings} recordings`, { exact: true }).waitFor();
  await connect(giver, taker);
  await heading(giver.page, 'Handed over').waitFor();
  await heading(taker.page, 'Taken').waitFor();
  await expectUsable(giver.page);
  await expectUsable(taker.page);
  expect(await giver.page.getByText('safe on the server').count()).toBe(0);
  expect(await server.rest.list(`/maps/${giver.mapId}/runs`)).toHaveLength(0);

  await reconnect();
  await section(taker.page, 'Sync').click();
  await button(taker.page, 'Sync now').click();
  await expect.poll(() => server.rest.list(`/maps/${giver.mapId}/runs`)).toHaveLength(recordings);
  await giver.page.getByRole('link', { name: 'Done' }).click();
  await openHandOver(giver.page);
  await connect(giver, taker);
  await heading(giver.page, 'Safe on the server').waitFor();
  await heading(taker.page, 'Taken and sent').waitFor();
});

test('[APP-565] of a partner with another server both phones say so', async () => {
  const [server, other] = [await appServer(app.folder), await otherAppServer(app.folder)];
  const [giver, taker] = [await giverWithChange(server.link), await openPhone(other.link)];
  await connect(giver, taker);
  await heading(giver.page, 'Not the same server').waitFor();
  await heading(taker.page, 'Not the same server').waitFor();
  await expectUsable(giver.page);
  await expectUsable(taker.page);
  await status(giver.page, 'Offline · 1 change to upload').waitFor();
});

test('[APP-566] a phone tells other codes from the answer to its own, and takes that once it comes', async () => {
  const server = await appServer(app.folder);
  const giver = await giverWithChange(server.link);
  const taker = await openPhone(await linkOfAnother(server));
  await taker.page.goto(`${server.url}/devices/pair/phone`);
  const pairingCode = taker.page.locator('.qr');
  await pairingCode.waitFor();
  await giver.view.show(pairingCode);
  await button(giver.page, 'Show my code').click();
  await shownCode(giver.page).waitFor();
  await taker.view.show(shownCode(giver.page));
  const own = shownCode(giver.page);
  await button(giver.page, 'Read its code').click();
  await giver.page.getByText('That is not the code of the other phone.').waitFor();
  await expectUsable(giver.page);

  await button(giver.page, 'Show my code again').click();
  await own.waitFor();
  await giver.view.show(own);
  await button(giver.page, 'Read its code').click();
  await giver.page.getByText('The other phone is handing over, too.').waitFor();

  await openCarry(taker.page);
  await button(taker.page, 'Open the camera').click();
  await shownCode(taker.page).waitFor();
  const answerToFirst = shownCode(taker.page);
  await openHandOver(giver.page);
  await button(giver.page, 'Show my code').click();
  await own.waitFor();
  await giver.view.show(answerToFirst);
  await button(giver.page, 'Read its code').click();
  await giver.page.getByText('That code belongs to an earlier try.').waitFor();

  await button(giver.page, 'Show my code again').click();
  await own.waitFor();
  await taker.view.show(own);
  const drawing = answerToFirst.locator('path');
  const before = await drawing.getAttribute('d');
  await button(taker.page, 'Read its code again').click();
  await expect.poll(() => drawing.getAttribute('d')).not.toBe(before);
  await giver.view.show(shownCode(taker.page));
  await button(giver.page, 'Read its code').click();
  await heading(giver.page, 'Safe on the server').waitFor();
});

test('[APP-564] a phone that does not reach the other one says what both need', async () => {
  const server = await appServer(app.folder);
  const giver = await giverWithChange(server.link);
  const taker = await openPhone(await linkOfAnother(server));
  await button(giver.page, 'Show my code').click();
  await shownCode(giver.page).waitFor();
  await taker.view.show(shownCode(giver.page));
  await openCarry(taker.page);
  await button(taker.page, 'Open the camera').click();
  await shownCode(taker.page).waitFor();
  await giver.view.show(shownCode(taker.page));
  await taker.page.close();
  await button(giver.page, 'Read its code').click();
  await heading(giver.page, 'Connecting…').waitFor();
  await expectUsable(giver.page);
  await heading(giver.page, 'The phones do not reach each other').waitFor();
  await giver.page.getByText('same Wi-Fi').waitFor();
  await button(giver.page, 'Begin again').click();
  await shownCode(giver.page).waitFor();
});

test('[APP-564] a phone without a network says so before it shows a code', async () => {
  const server = await appServer(app.folder);
  const { page } = await giverWithChange(server.link, {
    flags: ['--force-webrtc-ip-handling-policy=disable_non_proxied_udp'],
  });
  await button(page, 'Show my code').click();
  await heading(page, 'No network').waitFor();
  await expectUsable(page);
  expect(await shownCode(page).count()).toBe(0);
});

test('[APP-564] a phone without a camera says so before it shows a code', async () => {
  const server = await appServer(app.folder);
  const { page } = await giverWithChange(server.link, { hasCamera: false });
  await button(page, 'Show my code').click();
  await heading(page, 'The camera is needed').waitFor();
  await page.getByText(/No camera was found|Gemba may not use the camera/).waitFor();
  await expectUsable(page);
  expect(await shownCode(page).count()).toBe(0);
});
