/** A worker's shift by the keyboard alone, on a phone and on a watch. Real server process, real Chromium. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import type { MapRecord } from '../../../../shared/schema/map.ts';
import { appServer, type AppServer } from '../app-server.ts';
import { builtApp } from '../built-app.ts';
import { keptForOffline, openDevice, pair, phoneSize } from '../devices.ts';
import { atWorkersPace, button, heading } from '../locators.ts';
import { runsOf } from '../recorded-runs.ts';

const app = builtApp();

const tabsMax = 60;

/** Presses Tab until the focus is on the element of this name. */
async function tabTo(page: Page, name: string | RegExp): Promise<void> {
  const wanted = page.getByRole('button', { name, exact: true }).or(page.getByLabel(name, { exact: true }));
  await wanted.first().waitFor();
  for (let tabs = 0; tabs < tabsMax; tabs++) {
    const focused = await wanted.evaluateAll((found) => found.some((element) => element === document.activeElement));
    if (focused) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`No Tab leads to ${name}`);
}

async function press(page: Page, name: string | RegExp): Promise<void> {
  await tabTo(page, name);
  await page.keyboard.press('Enter');
}

/** Starts steps by one key each: the focus stays on the button of the next step. */
async function stepByEnter(page: Page, names: readonly string[]): Promise<void> {
  for (const name of names) {
    await atWorkersPace(page);
    await page.keyboard.press('Enter');
    await heading(page, name).waitFor();
  }
}

const numbered = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => `Step ${from + index}`);

interface Shift {
  server: AppServer;
  page: Page;
  note(text: string): Promise<void>;
  /** Gives the second step this name. */
  rename(name: string): Promise<void>;
  /** Makes the third step valuable before it starts. */
  chooseValuable(): Promise<void>;
}

/** Records from the screen of a new map, before its first step, and compares the runs on the server. */
async function expectShiftRecorded({ server, page, note, rename, chooseValuable }: Shift): Promise<void> {
  await tabTo(page, 'First step');
  await stepByEnter(page, numbered(1, 2));
  await rename('Bolt the cover');
  await chooseValuable();
  await tabTo(page, 'Next step');
  await stepByEnter(page, numbered(3, 9));
  await press(page, 'Undo');
  await heading(page, 'Step 8').waitFor();
  await note('Torque 40 Nm');
  const names = ['Step 1', 'Bolt the cover', ...numbered(3, 8)];
  await press(page, 'Next cycle');
  await heading(page, 'Step 1').waitFor();
  await tabTo(page, 'Next: Bolt the cover');
  await stepByEnter(page, [...names.slice(1), ...names, ...names]);
  await press(page, 'Finish');
  await heading(page, 'Step 8').waitFor({ state: 'detached' });
  await page.context().setOffline(false);
  const mapOnServer = async () => (await server.rest.list<MapRecord>('/maps'))[0];
  await expect.poll(async () => (await mapOnServer())?.run_count).toBe(4);
  const runs = await runsOf(server, (await mapOnServer())!.id);
  for (const run of runs) expect(run.steps.map(({ stage_name }) => stage_name)).toEqual(names);
  expect(runs[0]?.steps[2]).toMatchObject({ work_type: 'valuable' });
  expect(runs[0]?.steps.at(-1)).toMatchObject({ notes: 'Torque 40 Nm' });
}

test('[APP-355] [APP-356] by the keyboard alone a worker records four cycles of a new map on a watch, offline', async () => {
  const server = await appServer(app.folder);
  const { page } = await openDevice({ width: 384, height: 384 });
  await pair(page, await server.newLink('wearable'));
  await keptForOffline(page);
  await page.context().setOffline(true);
  const expectFocusOn = async (name: string) => {
    await expect.poll(() => button(page, name).evaluate(hasFocus)).toBe(true);
  };
  const more = () => press(page, 'Other step, note or discard');
  await press(page, 'New process');
  await expectFocusOn('First step');
  await expectShiftRecorded({
    server,
    page,
    rename: async (name) => {
      await more();
      await press(page, 'Edit Step 2');
      await press(page, 'Rename');
      await page.keyboard.type(name);
      await page.keyboard.press('Enter');
      await heading(page, name).waitFor();
      await expectFocusOn('Next step');
      await press(page, 'Pause');
      await expectFocusOn('Paused Resume');
      await page.keyboard.press('Enter');
      await expectFocusOn('Next step');
    },
    chooseValuable: () => press(page, 'Work type of the next step: Incidental'),
    note: async (text) => {
      await more();
      await press(page, 'Note');
      await page.keyboard.type(text);
      await page.keyboard.press('Enter');
      await expectFocusOn('Next step');
    },
  });
});

const hasFocus = (element: Element) => element === document.activeElement;

test('[APP-355] by the keyboard alone a worker records four cycles of a new map on a phone, offline', async () => {
  const server = await appServer(app.folder);
  const { page } = await openDevice(phoneSize);
  await pair(page, server.link);
  await keptForOffline(page);
  await press(page, 'New map');
  await page.getByRole('dialog').waitFor();
  await tabTo(page, 'Process name');
  await page.keyboard.type('Gearbox');
  await page.keyboard.press('Enter');
  await heading(page, 'Gearbox').waitFor();
  await page.context().setOffline(true);
  await press(page, 'Record');
  await expectShiftRecorded({
    server,
    page,
    rename: async (name) => {
      await press(page, 'Edit Step 2');
      await tabTo(page, 'Step name');
      await page.keyboard.press('ControlOrMeta+A');
      await page.keyboard.type(name);
      await press(page, 'Apply');
      await heading(page, name).waitFor();
    },
    chooseValuable: async () => {
      await tabTo(page, /^(Valuable|Incidental|Waste)$/);
      await page.keyboard.press('ArrowUp');
    },
    note: async (text) => {
      await press(page, 'Edit Step 8');
      await tabTo(page, 'Note');
      await page.keyboard.type(text);
      await press(page, 'Apply');
      await page.getByText(text).first().waitFor();
    },
  });
});
