/** The looks of a phone's screens, upright and on its side. Real server process, real Chromium. */
import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import type { MapRecord } from '../../../../shared/schema/map.ts';
import { expectNoViolationsInOneScheme } from '../accessibility.ts';
import { appServer } from '../app-server.ts';
import { builtApp } from '../built-app.ts';
import { openDevice, pair } from '../devices.ts';
import { atWorkersPace, button, heading, nextStep, section, status } from '../locators.ts';

const app = builtApp();

const names = ['Load', 'Press', 'Deburr', 'Wait for the crane', 'Inspect', 'Label', 'Pack', 'Ship'];

/** Opens a phone at its list of maps: one of eight stages of 40 s each, and one of a future state. */
async function openMaps(): Promise<Page> {
  const server = await appServer(app.folder);
  const { body } = await server.rest.send<MapRecord>('POST', '/maps', { name: 'Press line' });
  for (const stage of names) {
    const fields = { stage, work_type: 'valuable', cycle_time_hrs: 40 / 3600 };
    await server.rest.send('POST', `/maps/${body.id}/stages`, fields);
  }
  await server.rest.send('POST', '/maps', { name: 'Paint shop', state: 'future' });
  const { page } = await openDevice();
  await pair(page, server.link);
  await page.getByText('Press line').waitFor();
  return page;
}

async function openRecorder(): Promise<Page> {
  const page = await openMaps();
  await page.getByText('Press line').click();
  await page.getByRole('heading', { name: 'Stages' }).waitFor();
  await button(page, 'Record').click();
  await nextStep(page, 'Load').waitFor();
  return page;
}

const boxOf = async (element: Locator) => (await element.boundingBox())!;

test("[APP-385] before the first step the recorder lists the map's stages with their usual times", async () => {
  const page = await openRecorder();
  const stages = page.getByRole('list', { name: 'Stages' }).getByRole('listitem');
  await expect.poll(() => stages.count()).toBe(names.length);
  expect(await stages.first().innerText()).toMatch(/^Load\s+usually 0:40$/);
  await expectNoViolationsInOneScheme(page);
  await nextStep(page, 'Load').click();
  await heading(page, 'Load').waitFor();
  expect(await stages.count()).toBe(0);
});

test('[APP-386] on its side a phone keeps the next step, Undo and Finish in sight, also after 8 steps', async () => {
  const page = await openRecorder();
  await page.setViewportSize({ width: 844, height: 390 });
  for (const name of names) {
    await nextStep(page, name).click();
    await heading(page, name).waitFor();
    await atWorkersPace(page);
  }
  const navTop = (await boxOf(page.getByRole('navigation'))).y;
  const next = page.locator('.recorder-next > span');
  for (const element of [next, button(page, 'Undo'), button(page, 'Finish'), button(page, 'Pause')]) {
    const { y, height } = await boxOf(element);
    expect([y >= 0, y + height <= navTop]).toEqual([true, true]);
  }
});

test.each([
  [320, 568],
  [360, 640],
])('[APP-456] upright at %i × %i the recorder fits its screen', async (width, height) => {
  const page = await openRecorder();
  await page.setViewportSize({ width, height });
  for (const name of names.slice(0, 3)) {
    await nextStep(page, name).click();
    await heading(page, name).waitFor();
    await atWorkersPace(page);
  }
  const { y, height: rowHeight } = await boxOf(button(page, 'Finish'));
  expect(y + rowHeight).toBeLessThanOrEqual((await boxOf(page.getByRole('navigation'))).y);
  await expectNoViolationsInOneScheme(page);
});

test('[APP-387] once all work is safe the status shrinks to its icon and keeps its text for screen readers', async () => {
  const page = await openMaps();
  const text = status(page, 'All safe on the server');
  await text.waitFor();
  const { width } = await boxOf(text);
  expect(width).toBeGreaterThan(80);
  await expect.poll(async () => (await boxOf(text)).width).toBeLessThan(2);
  await expectNoViolationsInOneScheme(page);
});

test('[APP-388] the list of maps says which map shows a future state', async () => {
  const page = await openMaps();
  const row = (name: string) => page.getByRole('list', { name: 'Maps' }).getByRole('link', { name });
  expect(await row('Paint shop').innerText()).toContain('Future · 0 stages');
  expect(await row('Press line').innerText()).not.toContain('Future');
});

test('[APP-389] the record screen lists the maps that were recorded last, and a tap on one starts its recording', async () => {
  const page = await openMaps();
  await section(page, 'Record').click();
  const choices = page.getByRole('list', { name: 'Choose a map to record.' }).getByRole('button');
  await expect.poll(() => choices.count()).toBe(1);
  await expectNoViolationsInOneScheme(page);
  await choices.filter({ hasText: 'Press line' }).click();
  await nextStep(page, 'Load').waitFor();
});
