/** A worker with one hand on a phone's touch screen. Real server process, real Chromium. */
import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import type { FullMap, MapRecord } from '../../../../shared/schema/map.ts';
import { appServer } from '../app-server.ts';
import { builtApp } from '../built-app.ts';
import { keptForOffline, openDevice, phoneSize } from '../devices.ts';
import { button, heading, nextCycle, nextStep } from '../locators.ts';
import { runsOf } from '../recorded-runs.ts';
import { fingerOn, recordedSteps, workedSteps, type Finger, type WorkedStep } from './touch.ts';

const app = builtApp();

/** The part of the screen's height that a thumb doesn't reach. */
const aboveThumb = 0.4;
const namesMsMax = 5_000;

const more = (page: Page) => button(page, 'Other step, note or discard');

/** Returns the names of the buttons that lie wholly or partly above the reach of a thumb. */
async function outOfReach(buttons: readonly Locator[]): Promise<string[]> {
  const found: string[] = [];
  for (const one of buttons) {
    const { y = 0, height = 0 } = (await one.boundingBox()) ?? {};
    if (y < phoneSize.height * aboveThumb || y + height > phoneSize.height) found.push(`${String(one)} at ${y}`);
  }
  return found;
}

async function startNamed(page: Page, { tap }: Finger, { name, type, note }: WorkedStep): Promise<void> {
  if (type) {
    await tap(page.getByRole('radio', { name: type }));
    await expect.poll(() => page.getByRole('radio', { name: type }).isChecked()).toBe(true);
  }
  await tap(more(page));
  await page.getByLabel('Name of the next step').fill(name);
  await tap(button(page, 'Start step'));
  await heading(page, name).waitFor();
  if (!note) return;
  await tap(more(page));
  await page.getByLabel(`Note for ${name}`).fill(note);
  await tap(button(page, 'Add note'));
  await page.getByText(note).waitFor();
}

test('[APP-184] [APP-189] [APP-527] by touch a worker records 8 steps on a new map, then three more cycles offline, with one tap a step in reach of a thumb', async () => {
  const server = await appServer(app.folder);
  const { page } = await openDevice(phoneSize, { hasTouch: true });
  const finger = fingerOn(page);
  const { tap } = finger;
  await page.goto(server.link);
  await tap(button(page, 'Pair'));
  await tap(button(page, 'Join'));
  await tap(button(page, 'New map').first());
  await page.getByLabel('Process name').fill('Gearbox');
  await tap(button(page, 'Create'));
  await heading(page, 'Gearbox').waitFor();
  await keptForOffline(page);
  await page.context().setOffline(true);
  await tap(button(page, 'Record'));
  await heading(page, 'Tap when the first step starts').waitFor();
  const types = page.getByRole('group', { name: 'Work type of the next step' }).locator('label').last();
  expect(await outOfReach([button(page, 'First step'), types, more(page)])).toEqual([]);
  for (const step of workedSteps) await startNamed(page, finger, step);
  await tap(button(page, 'Next step'));
  await heading(page, 'Step 9').waitFor();
  await tap(button(page, 'Undo'));
  await heading(page, 'Lay it down').waitFor();

  const names = workedSteps.map(({ name }) => name);
  const [first = '', ...others] = names;
  const acts = ['Undo', 'Finish', 'Pause', 'Interruption'].map((name) => button(page, name));
  const tapsBefore = finger.tapCount;
  for (let cycle = 2; cycle <= 4; cycle++) {
    const starting = cycle === 2 ? button(page, 'Next cycle') : nextCycle(page, first);
    expect(await outOfReach([starting, types, more(page), ...acts])).toEqual([]);
    await tap(starting);
    await heading(page, first).waitFor();
    for (const name of others) {
      // The names are there while the cycle before can still be undone.
      await nextStep(page, name).waitFor({ timeout: namesMsMax });
      expect(await outOfReach([nextStep(page, name), types, more(page), ...acts])).toEqual([]);
      await tap(nextStep(page, name));
      await heading(page, name).waitFor();
    }
  }
  expect(finger.tapCount - tapsBefore).toBe(3 * names.length);
  await tap(button(page, 'Finish'));
  await page.getByText(/^Finished\./).waitFor();
  await page.context().setOffline(false);
  const mapOnServer = async () => (await server.rest.list<MapRecord>('/maps'))[0];
  await expect.poll(async () => (await mapOnServer())?.run_count).toBe(4);
  const map = await mapOnServer();
  const runs = await runsOf(server, map!.id);
  for (const run of runs) expect(run.steps.map(({ stage_name }) => stage_name)).toEqual(names);
  expect(runs[0]?.steps).toMatchObject(recordedSteps);
  expect((await server.rest.get<FullMap>(`/maps/${map!.id}`)).stages.map(({ stage }) => stage)).toEqual(names);
  // The first run began before its first step, while its name was typed.
  const [, second, third, fourth] = runs;
  for (const [before, after] of [
    [second, third],
    [third, fourth],
  ]) {
    const sinceMs = Date.parse(after!.started_at!) - Date.parse(before!.started_at!);
    expect(sinceMs / 1000).toBeCloseTo(before!.total_time_secs, 1);
  }
});
