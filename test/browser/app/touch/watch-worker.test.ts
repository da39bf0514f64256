/** A worker's finger on the touch screen of a watch. Real server process, real Chromium. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import type { MapRecord } from '../../../../shared/schema/map.ts';
import { appServer } from '../app-server.ts';
import { builtApp } from '../built-app.ts';
import { keptForOffline, openDevice } from '../devices.ts';
import { button, heading, nextCycle, nextStep } from '../locators.ts';
import { runsOf } from '../recorded-runs.ts';
import { fingerOn, recordedSteps, workedSteps, type Finger, type WorkedStep } from './touch.ts';
import { more } from '../watch-page.ts';

const app = builtApp();

const size = { width: 384, height: 384 };

/** Taps on the work type of the next step until it is this one. */
async function chooseType(page: Page, tap: Finger['tap'], type: string): Promise<void> {
  const chosen = button(page, `Work type of the next step: ${type}`);
  for (let taps = 0; taps < 2 && (await chosen.count()) === 0; taps++) {
    await tap(page.getByRole('button', { name: 'Work type of the next step' }));
  }
  await chosen.waitFor();
}

async function startNamed(page: Page, { tap }: Finger, { name, type, note }: WorkedStep): Promise<void> {
  if (type) await chooseType(page, tap, type);
  await tap(more(page));
  await tap(button(page, 'New name'));
  await page.getByLabel('Name of the next step').fill(name);
  await tap(button(page, 'Done'));
  await heading(page, name).waitFor();
  if (!note) return;
  await tap(more(page));
  await tap(button(page, 'Note'));
  await page.getByLabel(`Note for ${name}`).fill(note);
  await tap(button(page, 'Done'));
  await heading(page, name).waitFor();
}

/** Keeps a finger on the button until it has acted. */
async function hold(page: Page, name: string): Promise<void> {
  const { x = 0, y = 0, width = 0, height = 0 } = (await button(page, name).boundingBox()) ?? {};
  const session = await page.context().newCDPSession(page);
  const touchPoints = [{ x: x + width / 2, y: y + height / 2 }];
  await session.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints });
  await button(page, name).waitFor({ state: 'detached' });
  await session.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
}

test('[APP-190] [APP-182] [APP-345] by touch a worker records 8 steps on a new map, then three more cycles offline, with one tap a step', async () => {
  const server = await appServer(app.folder);
  const { page } = await openDevice(size, { hasTouch: true });
  const finger = fingerOn(page);
  const { tap } = finger;
  await page.goto(await server.newLink('wearable'));
  await tap(button(page, 'Pair'));
  await tap(button(page, 'Join'));
  await button(page, 'New process').waitFor();
  await keptForOffline(page);
  await page.context().setOffline(true);
  await tap(button(page, 'New process'));
  await button(page, 'First step').waitFor();
  for (const step of workedSteps) await startNamed(page, finger, step);
  await tap(button(page, 'Next step'));
  await heading(page, 'Step 9').waitFor();
  await tap(button(page, 'Undo'));
  await page.getByText('Step 9 taken back').waitFor();
  await heading(page, 'Lay it down').waitFor();

  const names = workedSteps.map(({ name }) => name);
  const [first = '', ...others] = names;
  const before = finger.tapCount;
  for (let cycle = 2; cycle <= 4; cycle++) {
    await tap(cycle === 2 ? button(page, 'Next cycle') : nextCycle(page, first));
    await heading(page, first).waitFor();
    for (const name of others) {
      await tap(nextStep(page, name));
      await heading(page, name).waitFor();
    }
  }
  expect(finger.tapCount - before).toBe(3 * names.length);
  await hold(page, 'Finish');
  await tap(button(page, 'Done'));
  await page.context().setOffline(false);
  const mapOnServer = async () => (await server.rest.list<MapRecord>('/maps'))[0];
  await expect.poll(async () => (await mapOnServer())?.run_count).toBe(4);
  const runs = await runsOf(server, (await mapOnServer())!.id);
  for (const run of runs) expect(run.steps.map(({ stage_name }) => stage_name)).toEqual(names);
  expect(runs[0]?.steps).toMatchObject(recordedSteps);
});
