/** Opens a watch for tests, and taps on its pages. */
import type { Page } from 'playwright-core';
import type { AppServer } from './app-server.ts';
import { openDevice, pair, type Size } from './devices.ts';
import { atWorkersPace, button, heading, nextStep } from './locators.ts';

export const smallestWatch: Size = { width: 192, height: 192 };
export const more = (page: Page) => button(page, 'Other step, note or discard');

const steps = [
  { stage_name: 'Load', duration_secs: 40, order: 1, work_type: 'incidental' },
  { stage_name: 'Press', duration_secs: 90, order: 2, work_type: 'valuable' },
];
export const newMap = (server: AppServer, name: string) => server.rest.send('POST', '/recording/new', { name, steps });

/** Taps on the work type of the next step until it is this one. */
export async function chooseType(page: Page, type: string): Promise<void> {
  const chosen = button(page, `Work type of the next step: ${type}`);
  for (let taps = 0; taps < 2 && (await chosen.count()) === 0; taps++) {
    await page.getByRole('button', { name: 'Work type of the next step' }).click();
  }
  await chosen.waitFor();
}

/** Starts a recording of a map with two stages, and its first step. */
export async function startRecording(page: Page): Promise<void> {
  await button(page, 'Saw').click();
  await nextStep(page, 'Load').click();
  await heading(page, 'Load').waitFor();
  await atWorkersPace(page);
}

/** Opens a paired watch of the smallest size. Its account has one map. */
export async function openWatch(server: AppServer): Promise<Page> {
  await newMap(server, 'Saw');
  const { page } = await openDevice(smallestWatch);
  await pair(page, await server.newLink('wearable'));
  return page;
}
