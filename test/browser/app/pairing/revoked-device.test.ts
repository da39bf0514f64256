/** Revoked phones and watches. Real server process, real Chromium. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import type { Device } from '../../../../shared/schema/auth.ts';
import type { MapRecord } from '../../../../shared/schema/map.ts';
import type { RunDoc, RunRecord } from '../../../../shared/schema/run.ts';
import { expectNoViolationsInOneScheme } from '../accessibility.ts';
import { appServer, newCode, type AppServer } from '../app-server.ts';
import { builtApp } from '../built-app.ts';
import { keptForOffline, openDevice, pair, watchSizes } from '../devices.ts';
import { button, createMap, finish, heading, join, openDevices, recordOneStep, status } from '../locators.ts';

const app = builtApp();

const link = (page: Page, name: string) => page.getByRole('link', { name, exact: true });

test('[APP-66] [APP-131] [APP-339] a revoked phone says so and keeps all; paired again it goes on under its name, and what it kept arrives once', async () => {
  const server = await appServer(app.folder);
  const { page } = await openDevice();
  await page.goto(server.link);
  await page.getByLabel('Name of this device').fill('Line 4');
  await join(page);
  await createMap(page, 'Press line');
  await status(page, 'All safe on the server').waitFor();
  await keptForOffline(page);
  await server.kill();
  await recordOneStep(page);
  await status(page, 'Offline · 1 change to upload').waitFor();
  // Leave the app, so that the device is revoked before it sends anything.
  await page.goto('about:blank');
  await server.start();
  const [device] = await server.rest.list<Device>('/devices');
  await server.rest.send('POST', `/devices/${device!.id}/revoke`);

  await page.goto(server.url);
  await page.getByText('Press line').waitFor();
  await status(page, 'No longer paired').click();
  await page.getByText('Only on this device').first().waitFor();
  await page.getByRole('definition').getByText('This device was removed from the account.').waitFor();
  await expectNoViolationsInOneScheme(page);
  await openDevices(page);
  await page.getByText('This device is no longer paired.').waitFor();
  await link(page, 'Back').click();
  await link(page, 'Pair again').click();
  await page.getByText('All data on this phone is kept').waitFor();
  await expectNoViolationsInOneScheme(page);
  await link(page, 'Not now').click();
  await heading(page, 'Maps').waitFor();
  expect(await server.rest.list<RunRecord>(`/maps/${(await onlyMap(server)).id}/runs`)).toEqual([]);

  await page.goto(`${server.url}/pair`);
  await page.getByLabel('Pairing code').fill(await newCode(server.rest, 'phone'));
  await join(page);
  await status(page, 'All safe on the server').waitFor();
  expect(await server.rest.list<Device>('/devices')).toMatchObject([
    { id: device!.id, name: 'Line 4', revoked_at: null },
  ]);
  await createMap(page, 'Saw');
  await status(page, 'All safe on the server').waitFor();
  await page.reload();
  await status(page, 'All safe on the server').waitFor();
  const runs = await server.rest.list<RunRecord>(`/maps/${(await onlyMap(server, 'Press line')).id}/runs`);
  expect(runs.length).toBe(1);
  expect((await server.rest.get<RunDoc>(`/runs/${runs[0]!.id}`)).steps).toMatchObject([{ stage_name: 'Step 1' }]);
});

test('[APP-67] [APP-132] a revoked watch says so, records on and leads to pairing; paired again it sends what it recorded', async () => {
  const server = await appServer(app.folder);
  const { body: saw } = await server.rest.send<MapRecord>('POST', '/maps', { name: 'Saw' });
  const { page: watch } = await openDevice(watchSizes[0]);
  await pair(watch, await server.newLink('wearable'));
  await button(watch, 'Saw').waitFor();
  const [device] = await server.rest.list<Device>('/devices');
  await server.rest.send('POST', `/devices/${device!.id}/revoke`);
  await status(watch, 'Not paired').waitFor();
  await link(watch, 'Pair again').waitFor();
  await expectNoViolationsInOneScheme(watch);
  await button(watch, 'Saw').click();
  await button(watch, 'First step').click();
  await heading(watch, 'Step 1').waitFor();
  await finish(watch);
  await watch.getByText('On this watch').waitFor();
  await button(watch, 'Done').click();
  await watch.getByRole('link', { name: /^Pair again.*1 run on watch/ }).click();
  await expectNoViolationsInOneScheme(watch);
  await watch.getByLabel('Pairing code').fill(await newCode(server.rest, 'wearable'));
  await join(watch);
  await status(watch, 'Safe').waitFor();
  expect((await server.rest.list<RunRecord>(`/maps/${saw.id}/runs`)).length).toBe(1);
});

async function onlyMap({ rest }: AppServer, name = 'Press line'): Promise<MapRecord> {
  const found = (await rest.list<MapRecord>('/maps')).filter((map) => map.name === name);
  expect(found.length).toBe(1);
  return found[0]!;
}
