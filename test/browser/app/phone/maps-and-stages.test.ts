/** Maps and stages on the phone. Real server process, real Chromium. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import type { FullMap, MapRecord } from '../../../../shared/schema/map.ts';
import { expectNoViolations } from '../accessibility.ts';
import { appServer, type AppServer } from '../app-server.ts';
import { builtApp } from '../built-app.ts';
import { keptForOffline, openDevice, pair } from '../devices.ts';
import { button, createMap, heading, mapAction, section, status } from '../locators.ts';

const app = builtApp();

const rows = (page: Page) => page.getByRole('list', { name: 'Stages' }).getByRole('listitem');
const row = (page: Page, text: string) => rows(page).filter({ hasText: text });

async function addStage(page: Page, name: string, minutes: number): Promise<void> {
  await button(page, 'Add stage').click();
  await page.getByLabel('Stage name').fill(name);
  await page.getByLabel('Cycle time', { exact: true }).fill(String(minutes));
  await button(page, 'Add').click();
  await row(page, name).waitFor();
}

async function stagesOnServer({ rest }: AppServer): Promise<FullMap['stages']> {
  const [map] = await rest.list<MapRecord>('/maps');
  const { stages } = await rest.get<FullMap>(`/maps/${map!.id}`);
  return stages;
}

test('[APP-40] [APP-41] [APP-141] [APP-156] stages are edited, deleted, brought back and moved by drag, key and button offline, and the server has it later', async () => {
  const server = await appServer(app.folder);
  const { page } = await openDevice();
  await pair(page, server.link);
  await status(page, 'All safe on the server').waitFor();
  await keptForOffline(page);
  await server.kill();

  await createMap(page, 'Press line');
  await addStage(page, 'Load', 1);
  await addStage(page, 'Press', 3);
  await addStage(page, 'Inspect', 2);
  await row(page, 'Press').getByRole('button', { name: '2. Press' }).click();
  await page.getByLabel('Stage name').fill('Press twice');
  const cycleTime = page.getByLabel('Cycle time', { exact: true });
  expect(await cycleTime.inputValue()).toBe('3:00.0');
  await cycleTime.fill('2:30,0');
  expect(await page.getByLabel('Cycle time: unit').locator('option:checked').textContent()).toBe('m:ss');
  await page.getByLabel('Waiting before', { exact: true }).fill('4,5');
  await page.getByLabel('Waste').check();
  await button(page, 'Move up').click();
  await page.getByText('Position 1 of 3', { exact: true }).waitFor();
  await button(page, 'Save').click();
  await row(page, '1. Press twice').waitFor();

  await page.getByRole('button', { name: 'Move Inspect' }).press('ArrowUp');
  await page.getByText('Inspect moved to position 2 of 3').waitFor();
  await row(page, '2. Inspect').waitFor();
  expect(await page.evaluate('document.activeElement.getAttribute("aria-label")')).toBe('Move Inspect');

  await row(page, 'Load').getByRole('button', { name: '3. Load' }).click();
  await button(page, 'Delete stage').click();
  await row(page, 'Load').waitFor({ state: 'detached' });
  await button(page, 'Undo').click();
  await row(page, '3. Load').waitFor();

  await drag(page, 'Load', -2);
  await row(page, '1. Load').waitFor();

  await server.start();
  await page.reload();
  await status(page, 'All safe on the server').waitFor();
  expect(
    (await stagesOnServer(server)).map(({ stage, cycle_time_hrs, wait_time_hrs, work_type }) => [
      stage,
      Math.round(cycle_time_hrs * 3_600),
      Math.round(wait_time_hrs * 3_600),
      work_type,
    ]),
  ).toEqual([
    ['Load', 60, 0, 'valuable'],
    ['Press twice', 150, 270, 'waste'],
    ['Inspect', 120, 0, 'valuable'],
  ]);
});

/** Drags the handle of a stage with a finger, by this many rows. */
async function drag(page: Page, name: string, by: number): Promise<void> {
  const handle = page.getByRole('button', { name: `Move ${name}` });
  // Scroll the handle to where the bar of sections cannot cover it.
  await handle.evaluate((element) => element.scrollIntoView({ block: 'center' }));
  const { x, y, width, height } = (await handle.boundingBox())!;
  const session = await page.context().newCDPSession(page);
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', dy: number) =>
    session.send('Input.dispatchTouchEvent', {
      type,
      touchPoints: type === 'touchEnd' ? [] : [{ x: x + width / 2, y: y + height / 2 + dy }],
    });
  await touch('touchStart', 0);
  for (let step = 1; step <= 4; step++) await touch('touchMove', (by * height * step) / 4);
  await touch('touchEnd', 0);
  await session.detach();
}

test('[APP-42] a map says its lead time, its PCE and its value-add time, and shows them to scale', async () => {
  const server = await appServer(app.folder);
  const { page } = await openDevice();
  await server.rest.send('POST', '/maps', { name: 'Press line' });
  const [map] = await server.rest.list<MapRecord>('/maps');
  const stages = [
    { stage: 'Press', cycle_time_hrs: 1, work_type: 'valuable' },
    { stage: 'Search', cycle_time_hrs: 0.5, wait_time_hrs: 2.5, work_type: 'waste' },
  ];
  for (const stage of stages) await server.rest.send('POST', `/maps/${map!.id}/stages`, stage);
  await pair(page, server.link);
  await page.getByText('Press line').click();
  const flow = page.getByRole('region', { name: 'Value stream' });
  await flow.getByText('25%').waitFor();
  expect(await flow.getByRole('definition').allTextContents()).toEqual(['4:00:00', '25%', '1:30:00', '1:00:00']);
  expect(await flow.getByRole('listitem').allTextContents()).toEqual([
    'Valuable 1:00:00',
    'Waste 30:00.0',
    'Waiting 2:30:00',
  ]);
  const widths = await flow
    .locator('.flow rect[width*="%"]')
    .evaluateAll((rects) =>
      rects.map((rect) => [rect.getAttribute('x'), rect.getAttribute('width'), rect.getAttribute('fill')]),
    );
  expect(widths).toEqual([
    ['0%', '25%', 'url(#pattern-valuable)'],
    ['25%', '62.5%', null],
    ['87.5%', '12.5%', 'url(#pattern-waste)'],
  ]);
});

test('[APP-80] an order of stages that the server cannot take any more is sent anew with one tap, as the stages are now', async () => {
  const server = await appServer(app.folder);
  const { page } = await openDevice();
  await server.rest.send('POST', '/maps', { name: 'Press line' });
  const [map] = await server.rest.list<MapRecord>('/maps');
  const stages = `/maps/${map!.id}/stages`;
  for (const stage of ['Load', 'Press', 'Inspect']) await server.rest.send('POST', stages, { stage });
  await pair(page, server.link);
  await page.getByText('Press line').click();
  await status(page, 'All safe on the server').waitFor();
  await page.context().setOffline(true);
  await page.getByRole('button', { name: 'Move Inspect' }).press('ArrowUp');
  await row(page, '2. Inspect').waitFor();
  await server.rest.send('POST', stages, { stage: 'Pack' });
  await page.context().setOffline(false);
  await status(page, '1 item needs attention').click();
  await heading(page, 'New order of stages').waitFor();
  await expectNoViolations(page);
  await button(page, 'Edit and send').click();
  await heading(page, 'Nothing needs attention').waitFor();
  await status(page, 'All safe on the server').waitFor();
  expect((await stagesOnServer(server)).map(({ stage }) => stage)).toEqual(['Load', 'Inspect', 'Press', 'Pack']);
});

test('[APP-44] sync says in words how it stands, offline too, and syncs when it is asked to', async () => {
  const server = await appServer(app.folder);
  const { page } = await openDevice();
  await pair(page, server.link);
  await status(page, 'All safe on the server').waitFor();
  await section(page, 'Sync').click();
  await page.getByText('Connected. Your changes are sent at once.').waitFor();
  await expectNoViolations(page);
  await server.kill();
  await section(page, 'Maps').click();
  await createMap(page, 'Press line');
  await status(page, 'Offline · 1 change to upload').click();
  await page.getByText('No connection to the server.').waitFor();
  await page.getByText('Oldest unsent').first().waitFor();
  await expectNoViolations(page);
  await server.start();
  await button(page, 'Sync now').click();
  await status(page, 'All safe on the server').waitFor();
});

test('[APP-45] maps are searched, filtered, renamed, archived, deleted and restored from the recycle bin', async () => {
  const server = await appServer(app.folder);
  const { page } = await openDevice();
  await pair(page, server.link);
  await createMap(page, 'Press line');
  await expectNoViolations(page);
  await mapAction(page, 'Edit');
  await expectNoViolations(page);
  await page.getByLabel('Process name').fill('Press line 2');
  await page.getByLabel('Future state').check();
  await button(page, 'Save').click();
  await heading(page, 'Press line 2').waitFor();
  await section(page, 'Maps').click();
  await createMap(page, 'Saw');
  await mapAction(page, 'Archive');
  await section(page, 'Maps').click();

  const maps = page.getByRole('list', { name: 'Maps' }).getByRole('link');
  const shows = (name: string) =>
    page.locator('[aria-label="Maps"] > li:only-child').getByText(name, { exact: true }).waitFor();
  await shows('Press line 2');
  await page.getByLabel('Archived').check();
  await shows('Saw');
  await page.getByLabel('Current').check();
  await heading(page, 'No maps found').waitFor();
  await expectNoViolations(page);
  await page.getByLabel('All').check();
  await page.getByLabel('Search maps').fill('LINE');
  await shows('Press line 2');
  await maps.click();
  await mapAction(page, 'Delete');
  await page.getByRole('link', { name: 'Recycle bin' }).click();
  await button(page, 'Restore Press line 2').waitFor();
  await expectNoViolations(page);
  await button(page, 'Restore Press line 2').click();
  await heading(page, 'The recycle bin is empty').waitFor();
  await status(page, 'All safe on the server').waitFor();
  const onServer = await server.rest.list<MapRecord>('/maps');
  expect(onServer.map(({ name, state, archived, deleted }) => ({ name, state, archived, deleted }))).toEqual(
    expect.arrayContaining([{ name: 'Press line 2', state: 'future', archived: false, deleted: false }]),
  );
});

test('[APP-10] axe finds nothing on a map with its stages, and in their dialog', async () => {
  const server = await appServer(app.folder);
  const { page } = await openDevice();
  await pair(page, server.link);
  await createMap(page, 'Press line');
  await addStage(page, 'Load', 1);
  await addStage(page, 'Press', 3);
  await expectNoViolations(page);
  await page.getByRole('button', { name: '2. Press' }).click();
  await heading(page, 'Edit stage').waitFor();
  await page.getByLabel('Cycle time', { exact: true }).fill('long');
  await button(page, 'Save').click();
  await page.getByText('Enter a time such as 1:30, or a number, 0 or more.').waitFor();
  await expectNoViolations(page);
});
