/** A recording on a phone whose browser is killed among the taps. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { randomBelow, type Random } from '../../random.ts';
import type { Browser } from '../browser.ts';
import { atWorkersPace, button, createMap, finish, heading } from './locators.ts';

/** The map and the last step that a person saw before the kill. */
export interface ShownWork {
  map: string;
  steps: number;
}

export async function killWithin(browser: Browser, random: Random, msMax: number): Promise<void> {
  await delay(randomBelow(random, msMax));
  await browser.kill();
}

interface Recording {
  browser: Browser;
  page: Page;
  random: Random;
  map: string;
}

/** Records on a new map. The kill falls among the taps behind the first step. */
export async function recordUntilKilled({ browser, page, random, map }: Recording): Promise<ShownWork> {
  await createMap(page, map);
  await button(page, 'Record').click();
  await button(page, 'First step').click();
  await heading(page, 'Step 1').waitFor();
  const shown = { map, steps: 1 };
  const tapping = tapOn(page, shown).catch(() => undefined);
  await killWithin(browser, random, 1_500);
  await tapping;
  return shown;
}

async function tapOn(page: Page, shown: ShownWork): Promise<void> {
  for (;;) {
    await atWorkersPace(page);
    await button(page, 'Next step').click();
    await heading(page, `Step ${shown.steps + 1}`).waitFor();
    shown.steps++;
  }
}

/** Expects the recording with at least the steps that were shown, and finishes it. */
export async function expectWork(page: Page, url: string, { map, steps }: ShownWork): Promise<void> {
  await page.getByText(map, { exact: true }).first().waitFor();
  await page.goto(`${url}/record`);
  const underWay = page.getByRole('heading', { name: /^Step \d+$/ }).first();
  await underWay.waitFor();
  expect(Number((await underWay.innerText()).replace('Step ', ''))).toBeGreaterThanOrEqual(steps);
  await finish(page);
  await heading(page, map).waitFor();
}
