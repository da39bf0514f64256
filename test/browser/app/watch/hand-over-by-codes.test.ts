/** A watch without a network shows its runs as codes, and a phone reads them by its camera. Two real Chromiums. */
import type { Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { expectNoViolationsInOneScheme } from '../accessibility.ts';
import { appServer, type AppServer } from '../app-server.ts';
import { builtApp } from '../built-app.ts';
import { filmCodes, type Film } from '../camera-film.ts';
import { keptForOffline, openDevice, pair, phoneSize, watchSizes } from '../devices.ts';
import { button, finish, heading, nextStep } from '../locators.ts';
import { newMap } from '../watch-page.ts';

const app = builtApp();
const recordings = Number(process.env['GEMBA_RECORDINGS'] ?? 2);
/** Opens a watch that recorded while it had no network. */
async function watchWithRuns(server: AppServer): Promise<Page> {
  await newMap(server, 'Saw');
  const { page } = await openDevice(watchSizes[2]);
  await pair(page, await server.newLink('wearable'));
  await button(page, 'Saw').waitFor();
  await keptForOffline(page);
  await page.context().setOffline(true);
  for (let run = 0; run < recordings; run++) {
    await button(page, 'Saw').click();
    await nextStep(page, 'Load').click();
    await heading(page, 'Load').waitFor();
    await finish(page);
    await button(page, 'Done').click();
  }
  return page;
}

const handOverButton = (page: Page) => page.getByRole('button', { name: /^Hand over by codes/ });
const codes = (page: Page) => page.getByRole('button', { name: /^Codes of/ });

async function openPhone(server: AppServer, film?: Film): Promise<Page> {
  const fake = ['--use-fake-ui-for-media-stream', '--use-fake-device-for-media-stream'];
  const flags = film ? [...fake, `--use-file-for-fake-video-capture=${film.path}`] : fake;
  const { page } = await openDevice(phoneSize, { flags });
  await pair(page, server.link);
  await page.getByRole('link', { name: 'Sync', exact: true }).click();
  await page.getByRole('link', { name: 'Carry for others' }).click();
  await button(page, 'Open the camera').waitFor();
  return page;
}

async function typeReceipt(watch: Page, receipt: string): Promise<void> {
  const groups = ['0123', '4567', '89AB', 'CDEF', 'GHJK', 'MNPQ', 'RSTV', 'WXYZ'];
  for (const character of receipt.replace('-', '')) {
    await button(
      watch,
      groups.find((group) => group.includes(character))!,
    ).click();
    await button(watch, character).click();
  }
}

test('[CODES-8] [CODES-9] [APP-570] runs go from the screen of a watch to a phone and to the server, and the receipt proves them', async () => {
  const server = await appServer(app.folder);
  const watch = await watchWithRuns(server);
  await handOverButton(watch).click();
  await codes(watch).waitFor();
  expect(await codes(watch).innerText()).toContain(`${recordings} runs`);
  const count = Number(await codes(watch).getAttribute('data-count'));
  const film = await filmCodes(watch, count);
  onTestFinished(() => film.remove());
  console.log(`${recordings} recordings are ${count} codes.`);
  await expectNoViolationsInOneScheme(watch);

  const phone = await openPhone(server, film);
  await expectNoViolationsInOneScheme(phone);
  const tappedAt = Date.now();
  await button(phone, 'Open the camera').click();
  await phone.getByText('All codes taken').waitFor();
  console.log(`The phone had them ${Date.now() - tappedAt} ms after the tap that opens the camera.`);
  const receipt = (await phone.locator('.carry-code').innerText()).trim();
  expect(receipt).toMatch(/^\w{4}-\w{4}$/);
  console.log(`The receipt was there ${Date.now() - tappedAt} ms after the tap.`);
  await expectNoViolationsInOneScheme(phone);

  await codes(watch).click();
  await expectNoViolationsInOneScheme(watch);
  await button(watch, 'No code yet').click();
  await heading(watch, 'Handed to a phone, not proven').waitFor();
  await expectNoViolationsInOneScheme(watch);
  await button(watch, 'Done').click();
  await handOverButton(watch).click();
  await codes(watch).click();
  await button(watch, 'Enter the code').click();
  await expectNoViolationsInOneScheme(watch);
  const keys = await watch.getByRole('button').evaluateAll((all) => all.map((key) => key.textContent || 'erase'));
  expect(keys).toEqual(['0123', '4567', '89AB', 'CDEF', 'GHJK', 'MNPQ', 'RSTV', 'WXYZ', 'erase']);
  await button(watch, '89AB').click();
  await expectNoViolationsInOneScheme(watch);
  await button(watch, 'Back').click();
  await typeReceipt(watch, receipt === '0000-0000' ? '1111-1111' : '0000-0000');
  await heading(watch, 'Wrong code').waitFor();
  await button(watch, 'Try again').click();
  await typeReceipt(watch, receipt);
  await heading(watch, 'Safe on the server').waitFor();
  await expectNoViolationsInOneScheme(watch);
  const [map] = await server.rest.list<{ id: string; name: string }>('/maps');
  expect(await server.rest.list(`/maps/${map!.id}/runs`)).toHaveLength(recordings + 1);

  await button(watch, 'Done').click();
  await handOverButton(watch).click();
  await heading(watch, 'Nothing to hand over').waitFor();
  await watch.getByText(`Arrived: ${recordings} runs.`).waitFor();
  expect(await watch.getByText('All runs are safe').count()).toBe(0);
  await expectNoViolationsInOneScheme(watch);
});

test('[CODES-18] a phone whose reader of codes does not start switches its camera off, and says so', async () => {
  const server = await appServer(app.folder);
  const phone = await openPhone(server);
  await phone.evaluate(() => {
    const media = navigator.mediaDevices;
    const open = media.getUserMedia.bind(media);
    media.getUserMedia = async (wanted) => {
      const stream = await open(wanted);
      Object.assign(globalThis, { openedStream: stream });
      return stream;
    };
    // It knows QR codes, and no reader can be made of it.
    Object.assign(globalThis, { BarcodeDetector: { getSupportedFormats: async () => ['qr_code'] } });
  });
  await button(phone, 'Open the camera').click();
  await phone.getByText('The camera could not be started.').waitFor();
  const states = () =>
    phone.evaluate(() => {
      const { openedStream } = globalThis as unknown as { openedStream: MediaStream };
      return openedStream.getTracks().map(({ readyState }) => readyState);
    });
  expect(await states()).toEqual(['ended']);
  await expectNoViolationsInOneScheme(phone);
});

test('[CODES-10] a phone whose owner switched carrying off opens no camera', async () => {
  const server = await appServer(app.folder);
  const phone = await openPhone(server);
  await phone.getByRole('checkbox', { name: 'Take hand-overs of others' }).uncheck();
  await phone.getByText('Carrying is switched off').waitFor();
  expect(await button(phone, 'Open the camera').count()).toBe(0);
  await phone.reload();
  await phone.getByText('Carrying is switched off').waitFor();
  await phone.getByRole('checkbox').check();
  await button(phone, 'Open the camera').waitFor();
});
