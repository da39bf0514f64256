/** The runs of a map on the phone. Real server process, real Chromium. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import type { MapRecord } from '../../../../shared/schema/map.ts';
import type { RunRecord } from '../../../../shared/schema/run.ts';
import { inPage } from '../../in-page.ts';
import { expectNoViolationsInOneScheme } from '../accessibility.ts';
import { appServer } from '../app-server.ts';
import { builtApp } from '../built-app.ts';
import { openDevice, pair } from '../devices.ts';
import {
  link,
  morningRecordings,
  openPhone,
  uploadRecordings,
  shortRecording,
  tableHeads,
  times,
} from '../recorded-runs.ts';
import { button, createMap, finish, heading, nextStep, section, status } from '../locators.ts';

const app = builtApp();

const rows = (page: Page) => page.getByRole('list', { name: 'Runs' }).getByRole('listitem');
/** Makes a recording with two taps: one starts the first step, one finishes the recording. */
async function record(page: Page): Promise<void> {
  await button(page, 'Record').click();
  await page.locator('.recorder-next').click();
  await finish(page);
}

test('[APP-50] runs stand newest first, with the word of those on this device only, and of many a part is in the page', async () => {
  const server = await appServer(app.folder);
  await uploadRecordings(server, ...times(100, shortRecording));
  const page = await openPhone(server);
  await createMap(page, 'Press line');
  await link(page, '0 runs').click();
  await heading(page, 'No runs yet').waitFor();
  await expectNoViolationsInOneScheme(page);
  await section(page, 'Maps').click();
  await page.getByText('Saw').click();
  await link(page, '100 runs').click();
  await rows(page).first().getByText('Run 100').waitFor();
  expect(await rows(page).first().innerText()).toMatch(/Run 100\s+0:30\.0\s+.*\d.*\s+1 step\s+PCE 100%/);
  expect(await rows(page).count()).toBeLessThan(60);
  await inPage(page, () => scrollTo(0, document.documentElement.scrollHeight));
  await rows(page).last().getByText('Run 1', { exact: true }).waitFor();
  expect(await rows(page).count()).toBeLessThan(60);

  await server.kill();
  await link(page, 'Back').click();
  await record(page);
  await link(page, '101 runs').click();
  await rows(page).first().getByText('Run 101').waitFor();
  await rows(page).first().getByText('Only on this device').waitFor();
  await expectNoViolationsInOneScheme(page);
  await server.start();
  await rows(page).first().getByText('1 step').waitFor();
});

test('[APP-51] [APP-85] a run of a phone whose clock is wrong shows when it truly began, and what the clock said', async () => {
  const server = await appServer(app.folder);
  const { page } = await openDevice();
  await page.clock.install({ time: '2020-02-03T12:00:00Z' });
  await pair(page, server.link);
  await createMap(page, 'Saw');
  await record(page);
  await status(page, 'All safe on the server').waitFor();
  await link(page, '1 run').click();
  await page.getByText('Run 1', { exact: true }).click();
  await page
    .getByText(/^The clock of the device was wrong and said Feb \d, 2020, .*The start is corrected here\.$/)
    .waitFor();
  await expectNoViolationsInOneScheme(page);
  const [map] = await server.rest.list<MapRecord>('/maps');
  const [run] = await server.rest.list<RunRecord>(`/maps/${map!.id}/runs`);
  await page.getByText(new RegExp(`^Started .*${new Date(run!.started_at!).getFullYear()}`)).waitFor();
  expect(run!.device_started_at).toMatch(/^2020-02-03T12:/);
  expect(Date.parse(run!.started_at!)).toBeGreaterThan(Date.parse(map!.created_at) - 3_600_000);
});

test('[APP-51] [APP-144] a run shows its steps as they were recorded, its figures, and who has it', async () => {
  const server = await appServer(app.folder);
  await uploadRecordings(server, [
    { stage_name: 'Load', duration_secs: 12, work_type: 'incidental', notes: 'Two men.\nHeavy.' },
    { stage_name: 'Press', duration_secs: 30, work_type: 'valuable', duration_estimated: true },
    { stage_name: 'Search', duration_secs: 6, work_type: 'waste', photos: ['photo-1', 'photo-2'] },
    { stage_name: 'Search', duration_secs: 12, work_type: 'waste' },
  ]);
  const page = await openPhone(server);
  await page.getByText('Saw').click();
  await link(page, '1 run').click();
  await page.getByText('Run 1').click();
  await heading(page, 'Run 1').waitFor();
  await page.getByText('Safe on the server', { exact: true }).waitFor();
  const flow = page.getByRole('region', { name: 'Times of the run' });
  expect(await flow.getByRole('definition').allTextContents()).toEqual(['1:00.0', '50%', '0:30.0', '4']);
  expect(await flow.getByRole('listitem').allTextContents()).toEqual([
    'Valuable 0:30.0',
    'Incidental 0:12.0',
    'Waste 0:18.0',
  ]);
  const steps = page.getByRole('list', { name: 'Steps' }).getByRole('listitem');
  expect((await steps.allInnerTexts()).map((text) => text.split(/\n+/))).toEqual([
    ['1. Load', '0:12.0', 'Incidental', 'Two men.', 'Heavy.'],
    ['2. Press', '0:30.0', 'Valuable', 'Estimated time'],
    ['3. Search', '0:06.0', 'Waste', 'Photo: photo-1', 'Photo: photo-2'],
    ['4. Search', '0:12.0', 'Waste'],
  ]);
  await page.getByText('the clock of the device was not reliable').waitFor();
  await expectNoViolationsInOneScheme(page);

  await server.kill();
  await link(page, 'Back').click();
  await link(page, 'Back').click();
  await record(page);
  await button(page, 'Only this run').click();
  await link(page, '2 runs').click();
  await page.getByText('Run 2').click();
  await page.getByText('Only on this device').waitFor();
  await server.start();
  await page.getByText('Safe on the server', { exact: true }).waitFor();
  await page.goto(`${page.url()}7`);
  await heading(page, 'Run not found').waitFor();
});

test('[APP-54] [APP-149] a run is deleted once one was asked, offline too, and a comparison goes on without it', async () => {
  const server = await appServer(app.folder);
  const { mapId, runIds } = await uploadRecordings(server, ...morningRecordings);
  const page = await openPhone(server);
  await server.kill();
  await page.getByText('Saw').click();
  await link(page, '4 runs').click();
  await page.getByText('Run 3').click();
  await button(page, 'Delete run').click();
  await heading(page, 'Delete run 3?').waitFor();
  await expectNoViolationsInOneScheme(page);
  await button(page, 'Keep run').click();
  await heading(page, 'Run 3').waitFor();
  await button(page, 'Delete run').click();
  await button(page, 'Delete permanently').click();
  await page.getByText('Run 3 deleted').waitFor();
  await heading(page, 'Runs').waitFor();
  expect(await rows(page).count()).toBe(3);
  await server.start();
  await page.reload();
  await status(page, 'All safe on the server').waitFor();
  const left = await server.rest.list<RunRecord>(`/maps/${mapId}/runs`);
  expect(left.map(({ number }) => number)).toEqual([4, 2, 1]);

  await page.goto(`${server.url}/maps/${mapId}/compare/${runIds.join()}`);
  await page.getByText('1 selected run does not exist any more.').waitFor();
  expect((await tableHeads(page)).slice(8)).toEqual(['Run 1', 'Run 2', 'Run 4']);
  for (const id of [runIds[0], runIds[1], runIds[3]]) await server.rest.send('POST', `/runs/${id}/delete`);
  await heading(page, 'Nothing to compare').waitFor();
  await page.getByText('4 selected runs do not exist any more.').waitFor();
  await expectNoViolationsInOneScheme(page);
});

test('[APP-55] a run of a watch comes into the open list of the phone by an event, without the poll of each minute', async () => {
  const server = await appServer(app.folder);
  await uploadRecordings(server, shortRecording);
  const phone = await openPhone(server);
  await phone.getByText('Saw').click();
  await link(phone, '1 run').click();
  await rows(phone).getByText('Run 1').waitFor();
  const { page: watch, context } = await openDevice({ width: 240, height: 240 });
  await pair(watch, await server.newLink('wearable'));
  await status(watch, 'Safe').waitFor();
  await button(watch, 'Saw').waitFor();
  const takes: number[] = [];
  for (const run of ['Run 2', 'Run 3', 'Run 4']) {
    await context.setOffline(true);
    await button(watch, 'Saw').click();
    await nextStep(watch, 'Cut').click();
    await heading(watch, 'Cut').waitFor();
    await finish(watch);
    await watch.getByText('On this watch').waitFor();
    const seen = rows(phone).first().getByText(run).waitFor();
    const start = performance.now();
    await context.setOffline(false);
    await seen;
    takes.push(performance.now() - start);
    await button(watch, 'Done').click();
  }
  console.log(`From the watch coming online to its run on the phone: ${takes.map(Math.round).join(', ')} ms.`);
  // A phone that only polls each minute would need half a minute on average, and more for one of three runs.
  expect(Math.max(...takes)).toBeLessThan(30_000);
});
