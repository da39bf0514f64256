/** Edits, cycles, interruptions and pauses in the recorder of the phone. Real server process, real Chromium. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import type { FullMap, MapRecord } from '../../../../shared/schema/map.ts';
import { inPage } from '../../in-page.ts';
import { expectNoViolationsInOneScheme } from '../accessibility.ts';
import { appServer, type AppServer } from '../app-server.ts';
import { builtApp } from '../built-app.ts';
import { openDevice, pair } from '../devices.ts';
import { atWorkersPace, button, finish, heading, nextCycle, nextStep, section, tapNext } from '../locators.ts';
import { runsOf } from '../recorded-runs.ts';

const app = builtApp();

const names = ['Load', 'Press', 'Pack'];
const editor = (page: Page, name: string) => page.getByRole('group', { name: `Edit ${name}` });
const row = (page: Page, name: string) =>
  page.getByRole('list', { name: 'Steps so far' }).getByRole('button', { name: new RegExp(`^${name}`) });

async function openMap(): Promise<{ server: AppServer; page: Page; mapId: string }> {
  const server = await appServer(app.folder);
  const { page } = await openDevice();
  await pair(page, server.link);
  const { body } = await server.rest.send<MapRecord>('POST', '/maps', { name: 'Press line' });
  for (const stage of names) {
    await server.rest.send('POST', `/maps/${body.id}/stages`, { stage, work_type: 'valuable', cycle_time_hrs: 0.01 });
  }
  await page.getByText('Press line').click();
  await page.getByRole('heading', { name: 'Stages' }).waitFor();
  await button(page, 'Record').click();
  return { server, page, mapId: body.id };
}

test('[APP-181] [APP-182] a step is renamed, retyped, noted, split, joined and moved in its border, and undo says what it took back', async () => {
  const { server, page, mapId } = await openMap();
  await tapNext(page, 'Load');
  await page.waitForTimeout(3_500);
  await tapNext(page, 'Press');
  await row(page, 'Load').click();
  await editor(page, 'Load').getByLabel('Step name').fill('Take the blank');
  await editor(page, 'Load').getByLabel('Waste').check({ force: true });
  await editor(page, 'Load').getByLabel('Note').fill('Crane late');
  await expectNoViolationsInOneScheme(page);
  await button(page, 'Apply').click();
  await row(page, 'Take the blank').waitFor();
  await page.getByText('Crane late').waitFor();
  await button(page, 'Undo').click();
  await page.getByText('Change of Load taken back').waitFor();
  await row(page, 'Load').click();
  await editor(page, 'Load')
    .getByLabel(/Split after/)
    .fill('0:01');
  await button(page, 'Split step').click();
  await expect.poll(() => row(page, 'Load').count()).toBe(2);
  await row(page, 'Load').first().click();
  const ends = editor(page, 'Load').getByText('Ends after');
  await expect.poll(() => ends.innerText()).toBe('Ends after 0:01.0');
  await button(page, '+1 s, end 1 second later').click();
  await expect.poll(() => ends.innerText()).toBe('Ends after 0:02.0');
  await button(page, '−1 s, end 1 second earlier').click();
  await expect.poll(() => ends.innerText()).toBe('Ends after 0:01.0');
  await button(page, '−1 s, end 1 second earlier').click();
  await page.getByText('must keep some time').waitFor();
  await button(page, 'Join with next step').click();
  await expect.poll(() => row(page, 'Load').count()).toBe(1);
  await tapNext(page, 'Pack');
  await button(page, 'Edit Pack').click();
  await editor(page, 'Pack').getByLabel('Step name').fill('Wrap');
  await button(page, 'Apply').click();
  await heading(page, 'Wrap').waitFor();
  await finish(page);
  await expect.poll(async () => (await runsOf(server, mapId)).length).toBe(1);
  const [run] = await runsOf(server, mapId);
  expect(run?.steps.map(({ stage_name }) => stage_name)).toEqual(['Load', 'Press', 'Wrap']);
});

test('[APP-507] what is typed into a step outlasts Back and a reload, until the editor is closed', async () => {
  const { page } = await openMap();
  await tapNext(page, 'Load');
  await tapNext(page, 'Press');
  const name = editor(page, 'Load').getByLabel('Step name');
  const note = editor(page, 'Load').getByLabel('Note');
  await row(page, 'Load').click();
  await name.fill('Take the blank');
  await note.fill('Crane late');
  await section(page, 'Sync').click();
  await heading(page, 'Sync').waitFor();
  await page.goBack();
  await row(page, 'Load').click();
  await expect.poll(() => name.inputValue()).toBe('Take the blank');
  await page.reload();
  await row(page, 'Load').click();
  await expect.poll(() => name.inputValue()).toBe('Take the blank');
  await expect.poll(() => note.inputValue()).toBe('Crane late');
  await editor(page, 'Load').getByRole('button', { name: 'Close' }).click();
  await row(page, 'Load').click();
  await expect.poll(() => name.inputValue()).toBe('Load');
  await name.fill('Fetch');
  await button(page, 'Apply').click();
  await row(page, 'Fetch').click();
  await expect.poll(() => editor(page, 'Fetch').getByLabel('Step name').inputValue()).toBe('Fetch');
});

test('[APP-183] [APP-185] after the last stage the next tap begins the next cycle, and undo returns to the one before', async () => {
  const { server, page, mapId } = await openMap();
  for (const name of names) await tapNext(page, name);
  await atWorkersPace(page);
  await nextCycle(page, 'Load').click();
  await heading(page, 'Load').waitFor();
  await button(page, 'Undo').click();
  await page.getByText('Back in the cycle before').waitFor();
  await heading(page, 'Pack').waitFor();
  await button(page, 'Other step, note or discard').click();
  await page.getByLabel('Time between cycles as a step').check();
  await button(page, 'Close').click();
  await nextCycle(page, 'Between cycles').click();
  await heading(page, 'Between cycles').waitFor();
  await tapNext(page, 'Load');
  await finish(page);
  await button(page, 'Only this run').click();
  await expect.poll(async () => (await runsOf(server, mapId)).length).toBe(2);
  const [first, second] = await runsOf(server, mapId);
  expect(first?.steps.map(({ stage_name }) => stage_name)).toEqual(names);
  expect(second?.steps.map(({ stage_name }) => stage_name)).toEqual(['Between cycles', 'Load']);
  const map = await server.rest.get<FullMap>(`/maps/${mapId}`);
  expect(map.stages.map(({ stage }) => stage)).toEqual(names);
  const gapMs = Date.parse(second!.started_at!) - Date.parse(first!.started_at!);
  // The steps are timed by the monotonic clock and the starts by the wall clock, which a busy machine reads apart.
  expect(Math.abs(gapMs / 1000 - first!.total_time_secs)).toBeLessThan(2);
});

test('[APP-186] [APP-187] [APP-188] an interruption goes back to its stage, and a pause stops the clocks, also across a reload', async () => {
  const { server, page, mapId } = await openMap();
  await tapNext(page, 'Load');
  await tapNext(page, 'Press');
  await button(page, 'Interruption').click();
  await heading(page, 'Interruption').waitFor();
  await atWorkersPace(page);
  await button(page, 'Back to: Press').click();
  await heading(page, 'Press').waitFor();
  await page.getByText('step 2 of 3').waitFor();
  await button(page, 'Pause').click();
  await page.getByText('Paused').waitFor();
  const clock = page.getByRole('timer');
  const shown = await clock.innerText();
  expect(shown).toMatch(/^0:0\d\.\d$/);
  await page.reload();
  await button(page, 'Resume').waitFor();
  expect(await clock.innerText()).toBe(shown);
  await expectNoViolationsInOneScheme(page);
  await button(page, 'Resume').click();
  await expect.poll(() => clock.innerText()).not.toBe(shown);
  await tapNext(page, 'Pack');
  await finish(page);
  await expect.poll(async () => (await runsOf(server, mapId)).length).toBe(1);
  const [run] = await runsOf(server, mapId);
  expect(run?.steps.map(({ stage_name }) => stage_name)).toEqual(['Load', 'Press', 'Interruption', 'Press', 'Pack']);
  const map = await server.rest.get<FullMap>(`/maps/${mapId}`);
  expect(map.stages.map(({ stage }) => stage)).toEqual(names);
});

/** Sets the device's clock forward, or back by a negative number of seconds. */
const setClock = (page: Page, bySecs: number) =>
  inPage(
    page,
    (ms) => {
      const now = Date.now.bind(Date);
      Date.now = () => now() + ms;
    },
    bySecs * 1_000,
  );

const hourSecs = 3_600;

test('[APP-431] the bar that leads back to a paused recording shows its clock, which stands', async () => {
  const { page } = await openMap();
  await tapNext(page, 'Load');
  await button(page, 'Pause').click();
  await page.getByText('Paused').waitFor();
  await setClock(page, hourSecs);
  await section(page, 'Maps').click();
  expect(await page.locator('.running-bar-clock').innerText()).toMatch(/^0:0\d$/);
});

test('[APP-432] the clock of a step runs on where the clock of the device is set back', async () => {
  const { page } = await openMap();
  await tapNext(page, 'Load');
  await setClock(page, -hourSecs);
  const clock = page.getByRole('timer');
  const shown = await clock.innerText();
  await expect.poll(() => clock.innerText()).not.toBe(shown);
  expect(await clock.innerText()).toMatch(/^0:0\d\.\d$/);
});

test('[APP-531] the end of a tap leaves the type that was chosen since', async () => {
  const { page } = await openMap();
  await nextStep(page, 'Load').evaluate((next: HTMLElement) => {
    next.click();
    document.querySelector<HTMLElement>('.recorder > fieldset label:last-child input')!.click();
  });
  await heading(page, 'Load').waitFor();
  await tapNext(page, 'Press');
  expect(await page.getByRole('region', { name: 'Now' }).locator('.mark').getAttribute('class')).toBe(
    'mark mark-waste',
  );
});
