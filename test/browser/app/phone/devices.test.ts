/** Pairing, and the screen of devices. Real server process, real Chromium. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import type { Device } from '../../../../shared/schema/auth.ts';
import { inPage } from '../../in-page.ts';
import { expectNoViolationsInOneScheme } from '../accessibility.ts';
import { appServer, newCode } from '../app-server.ts';
import { builtApp } from '../built-app.ts';
import { keptForOffline, openDevice, pair, watchSizes } from '../devices.ts';
import { readQr } from '../read-qr.ts';
import { openPhone } from '../recorded-runs.ts';
import { button, heading, join, openDevices, status } from '../locators.ts';

const app = builtApp();

const link = (page: Page, name: string) => page.getByRole('link', { name, exact: true });
const row = (page: Page, list: 'Devices' | 'Revoked', text: string) =>
  page.getByRole('list', { name: list }).getByRole('listitem').filter({ hasText: text });

/** Returns the pairing code that the screen shows in large letters. */
const shownCode = async (page: Page): Promise<string> =>
  (await page.getByText(/^[0-9A-Z]{4}-[0-9A-Z]{4}$/).textContent())!;

test('[APP-60] [APP-61] [APP-135] a phone lists the devices and which one it is, renames one, and asks before it revokes one', async () => {
  const server = await appServer(app.folder);
  const page = await openPhone(server);
  const { page: watch } = await openDevice(watchSizes[1]);
  await pair(watch, await server.newLink('wearable'));
  await openDevices(page);
  await row(page, 'Devices', 'Computer').getByText('This device').waitFor();
  await row(page, 'Devices', 'Watch').getByText('Watch · seen').waitFor();
  expect(await page.getByText('This device').count()).toBe(1);
  await expectNoViolationsInOneScheme(page);

  await row(page, 'Devices', 'Watch').getByRole('button').click();
  await expectNoViolationsInOneScheme(page);
  await page.getByLabel('Name of this device').fill(' ');
  await button(page, 'Save').click();
  await page.getByText('Enter a name for this device.').waitFor();
  await page.getByLabel('Name of this device').fill('Press line 4');
  await button(page, 'Save').click();
  await row(page, 'Devices', 'Press line 4').getByRole('button').click();

  await button(page, 'Revoke').click();
  await heading(page, 'Revoke Press line 4?').waitFor();
  await page.getByText('It keeps its unsent work').waitFor();
  await expectNoViolationsInOneScheme(page);
  await button(page, 'Cancel').click();
  await heading(page, 'Revoke Press line 4?').waitFor({ state: 'detached' });
  const devices = () => server.rest.list<Device>('/devices');
  expect(await devices()).toMatchObject([{ name: 'Press line 4', revoked_at: null }, { name: 'Computer' }]);
  await row(page, 'Devices', 'Press line 4').getByRole('button').click();
  await button(page, 'Revoke').click();
  await button(page, 'Revoke').click();
  await row(page, 'Revoked', 'Press line 4').waitFor();
  await row(page, 'Devices', 'Press line 4').waitFor({ state: 'detached' });
  await expectNoViolationsInOneScheme(page);
  expect(await devices()).toMatchObject([{ revoked_at: expect.any(String) }, { revoked_at: null }]);
  await status(watch, 'Not paired').waitFor();
});

test('[APP-62] [APP-136] [APP-137] without the server the devices say so, can be asked for again and come by themselves; from half a second on it says that it asks', async () => {
  const server = await appServer(app.folder);
  const page = await openPhone(server);
  await openDevices(page);
  await row(page, 'Devices', 'Computer').getByRole('button').click();
  await server.kill();
  await page.getByLabel('Name of this device').fill('Line 4');
  await button(page, 'Save').click();
  await page.getByRole('dialog').getByText('The server cannot be reached.').waitFor();
  await button(page, 'Close').click();
  await page.reload();
  await status(page, 'Offline').waitFor();
  const trouble = page.getByRole('alert').getByText('The server cannot be reached. Try again');
  await trouble.waitFor();
  await expectNoViolationsInOneScheme(page);
  // Fail the list's requests until a sync has succeeded.
  let isSynced = false;
  page.on('response', (response) => void (isSynced ||= response.url().includes('/sync/pull') && response.ok()));
  await page.route('**/api/v1/devices?*', (route) => (isSynced ? route.continue() : route.abort()));
  await server.start();
  await inPage(page, () => dispatchEvent(new Event('online')));
  await row(page, 'Devices', 'Computer').waitFor();
  await trouble.waitFor({ state: 'detached' });
  await status(page, 'All safe on the server').waitFor();
  await page.unrouteAll();

  // Fail only the list's request, so that no other event shows that the network is back.
  await page.route('**/api/v1/devices?*', (route) => route.abort());
  await page.reload();
  await status(page, 'All safe on the server').waitFor();
  await button(page, 'Try again').click();
  await trouble.waitFor();
  await page.unrouteAll();
  // If a sync ends now, the screen asks again by itself and removes the button.
  await inPage(page, () => document.querySelector<HTMLButtonElement>('[role=alert] button')?.click());
  await row(page, 'Devices', 'Computer').waitFor();
  await trouble.waitFor({ state: 'detached' });

  let letGo = () => {};
  const held = new Promise<void>((resolve) => (letGo = resolve));
  await page.route('**/api/v1/devices?*', async (route) => {
    await held;
    await route.continue();
  });
  await page.reload();
  await expect
    .poll(() => page.getByText('Waiting for the server…').evaluate((told) => getComputedStyle(told).opacity))
    .toBe('1');
  letGo();
  await row(page, 'Devices', 'Computer').waitFor();
});

test('[APP-63] [APP-138] the code that a phone shows pairs a watch where it is typed, and the phone notices', async () => {
  const server = await appServer(app.folder);
  const page = await openPhone(server);
  await openDevices(page);
  await link(page, 'Pair a watch').click();
  await page.getByText(`On the watch, open ${new URL(server.url).host}/watch/pair`).waitFor();
  await page.getByText(/^One-time code, expires in (10:00|9:\d\d)$/).waitFor();
  await page.getByText('Waiting for the watch…').waitFor();
  await expectNoViolationsInOneScheme(page);

  const { page: watch } = await openDevice(watchSizes[0]);
  await watch.goto(`${server.url}/watch`);
  await watch.getByLabel('Pairing code').fill((await shownCode(page)).toLowerCase());
  await watch.getByLabel('Name of this device').fill('Watch of hall 3');
  await join(watch);
  await heading(watch, 'Record').waitFor();
  await page.getByText('Watch of hall 3 is paired').waitFor();
  await expectNoViolationsInOneScheme(page);
  await page.getByRole('main').getByRole('link', { name: 'Devices' }).click();
  await row(page, 'Devices', 'Watch of hall 3').waitFor();
});

test('[APP-139] an expired code is said to be one, and another is made', async () => {
  const server = await appServer(app.folder);
  const { page } = await openDevice();
  await page.clock.install();
  await pair(page, server.link);
  await openDevices(page);
  await link(page, 'Pair a watch').click();
  const first = await shownCode(page);
  await page.clock.fastForward('10:00');
  await page.getByText('This code has expired.').waitFor();
  expect(await page.getByText(first).count()).toBe(0);
  await expectNoViolationsInOneScheme(page);
  await button(page, 'Get a new code').click();
  expect(await shownCode(page)).not.toBe(first);
});

test('[APP-64] a second phone is paired by the link in the QR code of the first, and a watch by its own', async () => {
  const server = await appServer(app.folder);
  const page = await openPhone(server);
  await openDevices(page);
  for (const [name, place] of [
    ['Pair a phone', '/pair'],
    ['Pair a watch', '/watch/pair'],
  ] as const) {
    await link(page, name).click();
    const scanned = await readQr(page.getByRole('img', { name: 'QR code of the pairing link' }));
    expect(scanned).toBe(`${server.url}${place}#${await shownCode(page)}`);
    const { page: other } = await openDevice();
    await other.goto(scanned);
    await other.getByLabel('Name of this device').fill(`By ${place}`);
    await join(other);
    await page.getByText(`By ${place} is paired`).waitFor();
    await link(page, 'Back').click();
  }
  for (const name of ['By /pair', 'By /watch/pair']) await row(page, 'Devices', name).waitFor();
});

test('[APP-65] [APP-128] [APP-129] [APP-130] [APP-84] [APP-134] what keeps a device from being paired is said in plain words', async () => {
  const server = await appServer(app.folder);
  const other = await server.newAccount(0);
  const { page } = await openDevice();
  const tryWith = async (code: string, said: string | RegExp, { joins = false } = {}) => {
    // The screen is already open, so this navigation changes only the fragment of the address.
    await page.goto(`${server.url}/pair#${code}`);
    await expect.poll(() => page.getByLabel('Pairing code').inputValue()).toBe(code);
    await button(page, 'Pair').click();
    if (joins) await button(page, 'Join').click();
    await page.getByRole('alert').getByText(said).waitFor();
  };
  await pair((await openDevice()).page, `${server.url}/pair#${await newCode(other, 'phone')}`);
  await tryWith(await newCode(other, 'phone'), 'The account has no free seat for a phone.', {
    joins: true,
  });
  await tryWith(await newCode(other, 'wearable'), 'This code is wrong, already used or older than 10 minutes.');

  await pair(page, server.link);
  await status(page, 'All safe on the server').waitFor();
  const third = await server.newAccount(1);
  const unused = await newCode(third, 'phone');
  await tryWith(unused, 'This device has unsent work of another account, and keeps it.');
  await page.getByText('This code was not used.').waitFor();
  // The cancelled pairing made no device, and its code can still pair another device.
  expect(await third.list<Device>('/devices')).toEqual([]);
  const late = { code: unused, device_id: crypto.randomUUID(), device_name: 'Phone', device_kind: 'phone' };
  expect((await server.rest.send('POST', '/auth/pair', late)).status).toBe(201);
  await expectNoViolationsInOneScheme(page);
  for (let wrong = 0; wrong < 10; wrong++) {
    const guess = { code: '0000-0000', device_id: crypto.randomUUID(), device_name: 'Phone', device_kind: 'phone' };
    await server.rest.send('POST', '/auth/pair', guess);
  }
  await tryWith('0000-0000', /^Too many attempts\. Wait \d+ sec, then try again\.$/);
  await keptForOffline(page);
  await server.kill();
  await tryWith('0000-0000', 'The server cannot be reached. Try again');
});
