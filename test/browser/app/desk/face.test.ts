/** The desk as a face of the app. Real server process, real Chromium. */
import { expect, test } from 'vitest';
import type { Device } from '../../../../shared/schema/auth.ts';
import { expectNoViolations } from '../accessibility.ts';
import { appServer } from '../app-server.ts';
import { builtApp } from '../built-app.ts';
import { openDevice, pair } from '../devices.ts';
import { button, heading, join, openDevices } from '../locators.ts';
import { openPhone, uploadRecordings } from '../recorded-runs.ts';
import { openDesk, pane, runsWithOutlier } from './desk-page.ts';

const app = builtApp();

test('[APP-211] [APP-223] a desk shows maps, map and run beside each other, offline too, and axe finds nothing', async () => {
  const server = await appServer(app.folder);
  const { mapId, runIds } = await uploadRecordings(server, ...runsWithOutlier);
  const page = await openDesk(server);
  await heading(page, 'No map selected').waitFor();
  await expectNoViolations(page);
  await server.kill();
  await page.getByText('Saw').click();
  await heading(page, 'No run selected').waitFor();
  await page.getByRole('link', { name: /^Run 5/ }).click();
  await heading(page, 'Run 5').waitFor();
  const boxes = await Promise.all(
    (['Maps', 'Map', 'Run or comparison'] as const).map(async (name) => (await pane(page, name).boundingBox())!),
  );
  expect(boxes.map(({ x, width }) => x + width > 0 && width > 190)).toEqual([true, true, true]);
  expect(boxes[0]!.x + boxes[0]!.width).toBeLessThanOrEqual(boxes[1]!.x + 1);
  expect(boxes[2]!.x + boxes[2]!.width).toBe(1440);
  expect(await page.title()).toBe('Run 5 · Gemba');
  await expectNoViolations(page);
  await page.getByRole('radio', { name: 'Stages' }).check({ force: true });
  await page.getByRole('button', { name: '1. Load' }).waitFor();
  await expectNoViolations(page);
  for (const width of [1440, 1024, 900]) {
    await page.setViewportSize({ width, height: 768 });
    await page.goto(`${server.url}/desk/maps/${mapId}/compare/${runIds.join()}`);
    await page.locator('.yamazumi').waitFor();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
    await expectNoViolations(page);
  }
  await page.emulateMedia({ forcedColors: 'active' });
  await expectNoViolations(page);
  await page.emulateMedia({ forcedColors: null });
  await button(page, 'Keys').click();
  await expectNoViolations(page);
  await page.keyboard.press('Escape');
  await page.goto(`${server.url}/desk/elsewhere`);
  await heading(page, 'Page not found').waitFor();
  await page.goto(`${server.url}/desk/maps/${mapId}/runs/99999`);
  await heading(page, 'Run not on this device').waitFor();
});

test('[APP-212] a narrow window shows the phone on the same data', async () => {
  const server = await appServer(app.folder);
  const { mapId } = await uploadRecordings(server, ...runsWithOutlier);
  const page = await openDesk(server);
  await page.setViewportSize({ width: 700, height: 900 });
  await page.getByRole('link', { name: 'Go to the view of a phone' }).click();
  await heading(page, 'Maps').waitFor();
  expect(new URL(page.url()).pathname).toBe('/');
  await page.getByText('Saw').waitFor();
  await page.goto(`${server.url}/desk/maps/${mapId}`);
  await heading(page, 'Saw').waitFor();
  await page.waitForURL(`${server.url}/maps/${mapId}`);
  expect((await server.rest.list<Device>('/devices')).map(({ kind }) => kind)).toEqual(['desk']);
});

test('[APP-309] with text at 200 per cent the desk begins at 1800 px, and its rows are twice as high', async () => {
  const server = await appServer(app.folder);
  await uploadRecordings(server, ...runsWithOutlier);
  const page = await openDesk(server);
  const rowHeight = async () => (await page.getByRole('listitem').first().boundingBox())!.height;
  const usual = await rowHeight();
  const session = await page.context().newCDPSession(page);
  await session.send('Page.setFontSizes', { fontSizes: { standard: 32 } });
  await page.reload();
  await page.waitForURL(`${server.url}/`);
  await page.setViewportSize({ width: 1800, height: 900 });
  await page.goto(`${server.url}/desk`);
  await heading(page, 'No map selected').waitFor();
  expect(await rowHeight()).toBeCloseTo(2 * usual, 0);
});

test('[APP-308] beside a map without an open run stand its stages as boxes and the trend of its runs', async () => {
  const server = await appServer(app.folder);
  const { mapId } = await uploadRecordings(server, ...runsWithOutlier);
  const page = await openDesk(server);
  await page.goto(`${server.url}/desk/maps/${mapId}`);
  const overview = page.getByRole('region', { name: 'Map and trend' });
  await overview.getByRole('button', { name: /^Press/ }).waitFor();
  await overview.getByRole('img', { name: /^Total times of 5 runs/ }).waitFor();
  expect(await page.getByRole('region', { name: 'Stages as boxes' }).count()).toBe(1);
  await page.getByRole('link', { name: /^Run 5/ }).click();
  await overview.waitFor({ state: 'detached' });
  await pane(page, 'Map').getByRole('region', { name: 'Stages as boxes' }).waitFor();
});

test('[APP-226] [APP-227] [APP-229] a phone hands out the code of a computer; a computer that is paired as a phone is told so, and becomes a desk', async () => {
  const server = await appServer(app.folder);
  const phone = await openPhone(server);
  await openDevices(phone);
  await phone.getByRole('link', { name: 'Pair a computer' }).click();
  await phone.getByText(/\/desk\/pair$/).waitFor();
  await expectNoViolations(phone);
  const code = (await phone.locator('.code [aria-hidden]').textContent())!;
  const { page } = await openDevice({ width: 1440, height: 900 });
  await pair(page, await server.newLink('phone'));
  const offer = page.getByRole('link', { name: 'Use the whole window' });
  // A headless browser has no pointer, so the styles' query `not (pointer: coarse)` matches.
  await page.setViewportSize({ width: 899, height: 900 });
  await offer.waitFor({ state: 'hidden' });
  await page.setViewportSize({ width: 1440, height: 900 });
  await offer.click();
  await heading(page, 'No map selected').or(heading(page, 'No maps yet')).first().waitFor();
  expect(new URL(page.url()).pathname).toBe('/desk');
  await page.goto(`${server.url}/desk/account`);
  await page.getByText('This computer is paired as a phone and takes a seat.').waitFor();
  await page.getByRole('link', { name: 'Pair again' }).click();
  await heading(page, 'Pair this computer').waitFor();
  await expectNoViolations(page);
  await page.getByLabel('Pairing code').fill(code);
  await join(page);
  await heading(page, 'No map selected').or(heading(page, 'No maps yet')).first().waitFor();
  await phone.getByText(/is paired$/).waitFor();
  const devices = await server.rest.list<Device>('/devices');
  expect(devices.map(({ kind }) => kind).toSorted()).toEqual(['desk', 'phone']);
  await page.goto(`${server.url}/desk/account`);
  await page.getByText('First account').waitFor();
  expect(await page.getByText('takes a seat.').count()).toBe(0);
});
