/** The recorder of the phone, and what a finish does to the map. Real server process, real Chromium. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import type { FullMap, MapRecord } from '../../../../shared/schema/map.ts';
import { inPage } from '../../in-page.ts';
import { expectNoViolationsInOneScheme } from '../accessibility.ts';
import { appServer, type AppServer } from '../app-server.ts';
import { builtApp } from '../built-app.ts';
import { keptForOffline, openDevice, pair } from '../devices.ts';
import {
  atWorkersPace,
  button,
  createMap,
  finish,
  heading,
  nextStep,
  section,
  status,
  tapNext,
  tapNumberedStep,
} from '../locators.ts';

const app = builtApp();

const names = ['Load', 'Press', 'Wait for the crane', 'Inspect', 'Pack'];
/** Longer than a total that counts the current step alone may differ from the sum. */
const loadMs = 3_000;
const more = (page: Page) => button(page, 'Other step, note or discard');

/** Opens a phone at a map of five stages, each of 40 s, the first with a wait of 4 hours. */
async function openMap(
  state: MapRecord['state'] = 'current',
): Promise<{ server: AppServer; page: Page; map: () => Promise<FullMap> }> {
  const server = await appServer(app.folder);
  const { page } = await openDevice();
  await page.addInitScript(() => {
    const felt: unknown[] = [];
    const locks: unknown[] = [];
    Object.assign(globalThis, { felt, locks });
    Object.defineProperty(navigator, 'wakeLock', {
      value: { request: (type: unknown) => Promise.reject(new Error(`lock ${locks.push(type)}`)) },
    });
    Object.defineProperty(navigator, 'vibrate', { value: (pattern: unknown) => felt.push(pattern) });
  });
  await pair(page, server.link);
  const { body } = await server.rest.send<MapRecord>('POST', '/maps', { name: 'Press line', state });
  for (const stage of names) {
    const fields = { stage, work_type: 'valuable', cycle_time_hrs: 40 / 3600, wait_time_hrs: stage === 'Load' ? 4 : 0 };
    await server.rest.send('POST', `/maps/${body.id}/stages`, fields);
  }
  await page.getByText('Press line').click();
  await page.getByRole('heading', { name: 'Stages' }).waitFor();
  await button(page, 'Record').click();
  return { server, page, map: () => server.rest.get<FullMap>(`/maps/${body.id}`) };
}

test('[APP-171] [APP-170] a part of the process asks what becomes of the map, can be undone, and keeps its other stages', async () => {
  const { page, map } = await openMap();
  await nextStep(page, 'Load').click();
  await heading(page, 'Load').waitFor();
  await finish(page);
  await page.getByText('1 of 5 stages recorded').waitFor();
  await expectNoViolationsInOneScheme(page);
  await button(page, 'Update the map').click();
  // The recorder, which is there for one more moment, has a button of this name, too.
  await page.locator('.toast').getByRole('button', { name: 'Undo' }).click();
  await heading(page, 'Load').waitFor();
  await nextStep(page, 'Press').waitFor();
  await finish(page);
  await button(page, 'Update the map').click();
  await page.getByRole('link', { name: '1 run' }).waitFor();
  await expect.poll(async () => (await map()).run_count).toBe(1);
  const { stages } = await map();
  expect(stages.map(({ stage }) => stage)).toEqual(names);
  expect(stages[0]).toMatchObject({ wait_time_hrs: 4 });
  expect(stages[0]?.cycle_time_hrs).not.toBe(40 / 3600);
});

test('[APP-173] [APP-180] taps within 250 ms start one step, and each tap takes the next name', async () => {
  const { page } = await openMap();
  await nextStep(page, 'Load').waitFor();
  await inPage(page, () => {
    const next = document.querySelector<HTMLButtonElement>('.recorder-next');
    for (let taps = 0; taps < 3; taps++) next?.click();
  });
  await heading(page, 'Load').waitFor();
  for (const name of ['Press', 'Wait for the crane']) {
    await atWorkersPace(page);
    await nextStep(page, name).click();
    await heading(page, name).waitFor();
  }
  const before = page.getByRole('list', { name: 'Steps so far' }).getByRole('listitem');
  expect(await before.allInnerTexts()).toEqual([
    expect.stringMatching(/^Load\s+0:0\d\.\d$/),
    expect.stringMatching(/^Press\s+0:0\d\.\d$/),
  ]);
  const felt = await inPage(page, () => (globalThis as unknown as { felt: unknown[] }).felt);
  expect(felt).toEqual([[20, 40, 20], [20, 40, 20], 40, 40, 40]);
  const locks = await inPage(page, () => (globalThis as unknown as { locks: unknown[] }).locks);
  expect(locks).toEqual(['screen']);
});

test('[APP-169] a recording of most stages of a future map asks what becomes of the map', async () => {
  const { page, map } = await openMap('future');
  for (const name of names.slice(0, 4)) await tapNext(page, name);
  await finish(page);
  await page.getByText('This map is a future state').waitFor();
  await expectNoViolationsInOneScheme(page);
  await button(page, 'Only this run').click();
  await page.getByText('Finished. The map stays as it is.').waitFor();
  await expect.poll(async () => (await map()).run_count).toBe(1);
  expect((await map()).stages).toMatchObject(names.map((stage) => ({ stage, cycle_time_hrs: 40 / 3600 })));
});

test('[APP-174] [APP-521] the total counts the steps before, and a screen reader hears now and next', async () => {
  const { page } = await openMap();
  const now = page.getByRole('region', { name: 'Now', exact: true });
  await tapNext(page, 'Load');
  await now.getByRole('heading', { name: 'Load', exact: true }).waitFor();
  await now.getByRole('timer', { name: 'Load', exact: true }).waitFor();
  await page.waitForTimeout(loadMs);
  await tapNext(page, 'Press');
  await now.getByRole('heading', { name: 'Press', exact: true }).waitFor();
  await nextStep(page, 'Wait for the crane').waitFor();
  const shown = await now.innerText();
  const loadSecs = Number(/0:0(\d\.\d)/.exec(await page.getByRole('listitem').first().innerText())?.[1]);
  expect(loadSecs).toBeGreaterThan(loadMs / 1_000);
  const [, totalSecs, pressSecs] = /total 0:0(\d)[^]*\b0:0(\d\.\d)/.exec(shown.replaceAll('\n', ' ')) ?? [];
  expect(Number(totalSecs)).toBeGreaterThanOrEqual(Math.floor(loadSecs + Number(pressSecs)) - 1);
  expect(Number(totalSecs)).toBeLessThanOrEqual(loadSecs + Number(pressSecs) + 1);
});

test('[APP-174] [APP-175] [APP-177] [APP-444] the recorder shows now and next, takes another type, name and note, and a bar leads back to it', async () => {
  const { page } = await openMap();
  await nextStep(page, 'Load').click();
  await page.getByText('step 1 of 5').waitFor();
  await page.getByText('usually 0:40').waitFor();
  await status(page, '1 step on this device').waitFor();
  await page.getByLabel('Waste').check({ force: true });
  await atWorkersPace(page);
  await nextStep(page, 'Press').click();
  await heading(page, 'Press').waitFor();
  await more(page).click();
  await page.getByLabel('Note for Press').fill('The die stuck');
  await button(page, 'Add note').click();
  await page.getByText('The die stuck').waitFor();
  await more(page).click();
  await page.getByLabel('Name of the next step').fill('Oil the die');
  await button(page, 'Start step').click();
  await heading(page, 'Oil the die').waitFor();
  await expectNoViolationsInOneScheme(page);
  await section(page, 'Sync').click();
  await page.getByRole('link', { name: /Recording, now: Oil the die/ }).click();
  await heading(page, 'Oil the die').waitFor();
  await nextStep(page, 'Wait for the crane').waitFor();
  await more(page).click();
  await page.getByLabel('Name of the next step').fill('wait for THE crane');
  await button(page, 'Start step').click();
  await heading(page, 'Wait for the crane').waitFor();
  await nextStep(page, 'Inspect').waitFor();
});

test('[APP-176] a refused tap says why, and Finish works once there is room', async () => {
  const { page, map } = await openMap();
  await nextStep(page, 'Load').click();
  await heading(page, 'Load').waitFor();
  await inPage(page, () => {
    const { put, add } = IDBObjectStore.prototype;
    const full = () => {
      throw new DOMException('full', 'QuotaExceededError');
    };
    Object.assign(IDBObjectStore.prototype, { put: full, add: full });
    Object.assign(globalThis, { emptyDisk: () => Object.assign(IDBObjectStore.prototype, { put, add }) });
  });
  await atWorkersPace(page);
  await nextStep(page, 'Press').click();
  await page.locator('.toast').waitFor();
  await heading(page, 'Load').waitFor();
  await finish(page);
  await button(page, 'Only this run').click();
  await page.locator('.toast').waitFor();
  await inPage(page, () => (globalThis as unknown as { emptyDisk: () => void }).emptyDisk());
  await finish(page);
  await button(page, 'Only this run').click();
  await page.getByText('Finished. The map stays as it is.').waitFor();
  await expect.poll(async () => (await map()).run_count).toBe(1);
  expect((await map()).stages).toMatchObject(names.map((stage) => ({ stage, cycle_time_hrs: 40 / 3600 })));
});

test('[APP-178] on its side the phone shows the recorder whole', async () => {
  const { page } = await openMap();
  await page.setViewportSize({ width: 844, height: 390 });
  await nextStep(page, 'Load').click();
  await heading(page, 'Load').waitFor();
  const navTop = (await page.getByRole('navigation').boundingBox())!.y;
  const needed = [heading(page, 'Load'), page.getByRole('timer'), nextStep(page, 'Press'), button(page, 'Undo')];
  for (const element of [...needed, more(page), button(page, 'Finish'), page.getByText('Valuable')]) {
    const box = (await element.boundingBox())!;
    expect([box.y >= 0, box.y + box.height <= navTop]).toEqual([true, true]);
  }
});

test('[APP-179] [APP-506] a discarded recording is resumed from the record screen, by a button that says its time', async () => {
  const { page } = await openMap();
  await nextStep(page, 'Load').click();
  await heading(page, 'Load').waitFor();
  await more(page).click();
  await button(page, 'Discard recording').click();
  await page.reload();
  await button(page, /^Resume Press line, [A-Z][a-z]{2} \d+, \d{4}, \d+:\d\d/).click();
  await heading(page, 'Load').waitFor();
  expect(await heading(page, 'Recently discarded').count()).toBe(0);
});

/** Shorter than the undo time, after which the map itself has the names. */
const namesMsMax = 6_000;

test('[APP-453] [APP-454] during the undo time of a first cycle a reload keeps its names, and the status counts its steps', async () => {
  const server = await appServer(app.folder);
  const { page } = await openDevice();
  await pair(page, server.link);
  await keptForOffline(page);
  await createMap(page, 'Gearbox');
  await status(page, 'All safe on the server').waitFor();
  await button(page, 'Record').click();
  await button(page, 'First step').click();
  await heading(page, 'Step 1').waitFor();
  await button(page, 'Edit Step 1').click();
  await page.getByRole('group', { name: 'Edit Step 1' }).getByLabel('Step name').fill('Bolt');
  await button(page, 'Apply').click();
  await heading(page, 'Bolt').waitFor();
  await tapNumberedStep(page, 2);
  await page.context().setOffline(true);
  await button(page, 'Next cycle').click();
  await heading(page, 'Bolt').waitFor();
  await status(page, 'Offline · 3 steps on this device').waitFor();
  await page.reload();
  await nextStep(page, 'Step 2').waitFor({ timeout: namesMsMax });
  await status(page, 'Offline · 3 steps on this device').waitFor();
  await tapNext(page, 'Step 2');
  await status(page, 'Offline · 4 steps on this device').waitFor();
  await finish(page);
  await button(page, 'Record').waitFor();
  // While the device tries to reach the server, the status shows that for a moment.
  const shown = page.getByRole('status', { name: 'Sync' });
  await expect.poll(() => shown.innerText()).toContain('Offline · 4 steps on this device');
});
