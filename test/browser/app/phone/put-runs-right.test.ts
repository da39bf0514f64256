/** Correcting, tagging and filtering runs on the phone. Real server process, real Chromium. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import type { FullMap } from '../../../../shared/schema/map.ts';
import type { RunDoc } from '../../../../shared/schema/run.ts';
import { expectNoViolationsInOneScheme } from '../accessibility.ts';
import { appServer } from '../app-server.ts';
import { builtApp } from '../built-app.ts';
import { button, heading, section, status } from '../locators.ts';
import { link, openPhone, uploadRecordings } from '../recorded-runs.ts';

const app = builtApp();

const waitMsMax = 10_000;
const steps = [
  { stage_name: 'Load', duration_secs: 12 },
  { stage_name: 'Step 2', duration_secs: 30 },
  { stage_name: 'Search', duration_secs: 6 },
  { stage_name: 'Touched by accident', duration_secs: 0.4 },
];
const list = async (page: Page, name: string) =>
  (await page.getByRole('list', { name, exact: true }).getByRole('listitem').allInnerTexts()).map((text) =>
    text.replace(/\s+/g, ' ').trim(),
  );

test('[APP-164] [APP-165] a run gets a name, tags, a note, an exclusion and correct steps, offline, and the server has it later', async () => {
  const server = await appServer(app.folder);
  const { mapId, runIds } = await uploadRecordings(server, steps);
  const page = await openPhone(server);
  page.setDefaultTimeout(waitMsMax);
  await page.goto(`${server.url}/maps/${mapId}/runs/${runIds[0]}`);
  await heading(page, 'Run 1').waitFor();
  await server.kill();
  await button(page, 'Edit run').click();
  await page.getByLabel('Name').fill('New fixture');
  await page.getByLabel('Tags').and(page.locator('input')).fill('late shift, line 2,, late shift');
  await page.getByLabel('Note').fill('First day.');
  await expectNoViolationsInOneScheme(page);
  await button(page, 'Save').click();
  await heading(page, 'Run 1: New fixture').waitFor();
  expect(await list(page, 'Tags')).toEqual(['late shift', 'line 2']);
  await page.getByText('First day.').waitFor();
  await button(page, 'Exclude run').click();
  await page.getByLabel('Reason').fill('Training');
  await page.getByRole('dialog').getByRole('button', { name: 'Exclude run' }).click();
  await page.getByText('Excluded: Training').waitFor();
  await expectNoViolationsInOneScheme(page);

  await link(page, 'Correct steps').click();
  await heading(page, 'Correct steps').waitFor();
  expect(await button(page, 'Save correction').isDisabled()).toBe(true);
  await page.getByRole('button', { name: '2. Step 2' }).click();
  await page.getByLabel('Step name').fill('Press');
  await page.getByLabel('Valuable').check();
  await page.getByLabel('Note').fill('Loud');
  await expectNoViolationsInOneScheme(page);
  await button(page, 'Apply').click();
  await page.getByRole('button', { name: '2. Press' }).click();
  await page.getByLabel('Split after (of 0:30.0)').fill('0:40');
  await button(page, 'Split step').click();
  await page.getByText('Enter a time such as 0:10, shorter than 0:30.0.').waitFor();
  await page.getByLabel('Split after (of 0:30.0)').fill('0:10');
  await button(page, 'Split step').click();
  await page.getByRole('button', { name: '3. Press' }).click();
  await button(page, 'Join with next step').click();
  await page.getByRole('button', { name: '4. Touched by accident' }).click();
  await button(page, 'Delete step').click();
  await page.getByText('Total 0:48.0').waitFor();
  expect(await list(page, 'Steps')).toEqual([
    '1. Load 0:12.0 Incidental',
    '2. Press 0:10.0 Valuable Loud',
    '3. Press 0:26.0 Valuable',
  ]);
  expect(await list(page, 'As recorded')).toHaveLength(4);
  await expectNoViolationsInOneScheme(page);
  await button(page, 'Save correction').click();
  await page.getByText('Steps corrected, revision 2').waitFor();
  await page.getByText('As recorded').click();
  expect((await list(page, 'As recorded'))[1]).toBe('2. Step 2 0:30.0 Incidental');

  await server.start();
  await status(page, 'All safe on the server').waitFor();
  const onServer = await server.rest.get<RunDoc>(`/runs/${runIds[0]}`);
  expect(onServer).toMatchObject({
    name: 'New fixture',
    tags: ['late shift', 'line 2'],
    note: 'First day.',
    excluded: { reason: 'Training' },
    revision: 2,
    total_time_secs: 48,
  });
  expect(onServer.steps.map(({ stage_name, work_type }) => `${stage_name} ${work_type}`)).toEqual([
    'Load incidental',
    'Press valuable',
    'Press valuable',
  ]);
  await button(page, 'Count run again').click();
  await page.getByText('Excluded: Training').waitFor({ state: 'detached' });
});

test('[APP-441] changes of steps stay until they are saved, and are undone one at a time, also once they are saved', async () => {
  const server = await appServer(app.folder);
  const { mapId, runIds } = await uploadRecordings(server, steps);
  const page = await openPhone(server);
  page.setDefaultTimeout(waitMsMax);
  await page.goto(`${server.url}/maps/${mapId}/runs/${runIds[0]}`);
  await link(page, 'Correct steps').click();
  expect(await button(page, 'Undo').isDisabled()).toBe(true);
  await page.getByRole('button', { name: '2. Step 2' }).click();
  await page.getByLabel('Step name').fill('Press');
  await button(page, 'Apply').click();
  await page.getByRole('button', { name: '3. Search' }).click();
  await button(page, 'Delete step').click();
  await page.getByText('Total 0:42.4').waitFor();
  await section(page, 'Maps').click();
  await page.goBack();
  await page.getByText('Total 0:42.4').waitFor();
  await button(page, 'Undo').click();
  await page.getByText('Total 0:48.4').first().waitFor();
  await expectNoViolationsInOneScheme(page);
  await button(page, 'Save correction').click();
  await heading(page, 'Run 1').waitFor();
  await page.getByText('2. Press').waitFor();
  await button(page, 'Undo').click();
  await page.getByText('2. Step 2').first().waitFor();
});

test('[APP-163] [APP-166] runs to choose from are sorted and filtered, and all are selected but the excluded', async () => {
  const server = await appServer(app.folder);
  const { mapId, runIds } = await uploadRecordings(server, steps, steps.slice(0, 1), steps.slice(0, 2));
  await server.rest.send('PATCH', `/runs/${runIds[0]}`, { tags: ['early'], name: 'Before' });
  await server.rest.send('PATCH', `/runs/${runIds[2]}`, { excluded: { reason: 'Training' }, tags: ['early'] });
  const page = await openPhone(server);
  page.setDefaultTimeout(waitMsMax);
  await page.goto(`${server.url}/maps/${mapId}/choose`);
  const choices = page.getByRole('checkbox');
  const names = () => page.locator('.list .list-name').allTextContents();
  await page.getByText('Excluded: Training').waitFor();
  expect(await names()).toEqual(['Run 3', 'Run 2', 'Run 1: Before']);
  await button(page, 'Select all').click();
  await page.getByText('2 of 3 selected').waitFor();
  expect(await choices.first().isChecked()).toBe(false);
  await page.getByText('Sort and filter').click();
  await page.getByLabel('Sort by').selectOption('Total time');
  expect(await names()).toEqual(['Run 1: Before', 'Run 3', 'Run 2']);
  await page.getByLabel('Tag').selectOption('early');
  expect(await names()).toEqual(['Run 1: Before', 'Run 3']);
  await expectNoViolationsInOneScheme(page);
  await page.getByLabel('Excluded runs').selectOption('Hide');
  expect(await names()).toEqual(['Run 1: Before']);
  await page.getByLabel('From').fill('2099-01-01');
  await page.getByText('No run matches the filter.').waitFor();
  await page.getByText('2 of 3 selected').waitFor();
});

test('[APP-168] [APP-372] a map takes the medians of compared runs and the times of one run, offline, and gives them back', async () => {
  const server = await appServer(app.folder);
  const press = (secs: number) => [{ stage_name: 'Press', duration_secs: secs }];
  const { mapId, runIds } = await uploadRecordings(server, press(20), press(40), press(90));
  const page = await openPhone(server);
  page.setDefaultTimeout(waitMsMax);
  const cycleSecs = async () => {
    const { stages } = await server.rest.get<FullMap>(`/maps/${mapId}`);
    return stages.map(({ stage, cycle_time_hrs }) => [stage, Math.round(cycle_time_hrs * 3_600)]);
  };
  await page.goto(`${server.url}/maps/${mapId}/compare/${runIds.join()}`);
  await button(page, 'Use the medians for the map').waitFor();
  await server.kill();
  await button(page, 'Use the medians for the map').click();
  await heading(page, 'Change the times of Saw?').waitFor();
  await page.getByText('Press: 1:30.0 → 0:40.0, median of 3 runs', { exact: true }).waitFor();
  await expectNoViolationsInOneScheme(page);
  await button(page, 'Change the map').click();
  await page.getByText('Times of the map changed').waitFor();
  await button(page, 'Use the medians for the map').click();
  await page.getByText('The map has these times already.').waitFor();
  await button(page, 'Close').click();
  await server.start();
  await status(page, 'All safe on the server').waitFor();
  expect(await cycleSecs()).toEqual([['Press', 40]]);

  await page.goto(`${server.url}/maps/${mapId}/runs/${runIds[0]}`);
  await button(page, "Use this run's times for the map").click();
  await page.getByText('Press: 0:40.0 → 0:20.0', { exact: true }).waitFor();
  await button(page, 'Change the map').click();
  await expect.poll(cycleSecs, { timeout: waitMsMax }).toEqual([['Press', 20]]);
  await button(page, 'Undo').click();
  await expect.poll(cycleSecs, { timeout: waitMsMax }).toEqual([['Press', 40]]);
});

test('[APP-450] [APP-451] an unsaved correction outlasts a reload, and asks when another correction arrives meanwhile', async () => {
  const server = await appServer(app.folder);
  const { mapId, runIds } = await uploadRecordings(server, steps);
  const correct = (stage_name: string) =>
    server.rest.send('POST', `/runs/${runIds[0]}/correct`, {
      steps: [{ stage_name, duration_secs: 48, order: 1, work_type: 'waste' }],
    });
  const page = await openPhone(server);
  page.setDefaultTimeout(waitMsMax);
  await page.goto(`${server.url}/maps/${mapId}/runs/${runIds[0]}/steps`);
  const rename = async (from: string, to: string) => {
    await page.getByRole('button', { name: from }).click();
    await page.getByLabel('Step name').fill(to);
    await button(page, 'Apply').click();
  };
  await rename('2. Step 2', 'Press');
  await rename('2. Press', 'Press twice');
  await page.reload();
  await page.getByRole('button', { name: '2. Press twice' }).waitFor();
  await button(page, 'Undo').click();
  await page.getByRole('button', { name: '2. Press' }).waitFor();

  await page.getByRole('button', { name: '1. Load' }).click();
  await page.getByLabel('Step name').fill('Take');
  await correct('First other');
  await button(page, 'Apply').click();
  const question = page.getByText('Somebody corrected this run meanwhile.');
  await question.waitFor();
  await expectNoViolationsInOneScheme(page);
  expect(await list(page, 'Their correction')).toEqual(['1. First other 0:48.0 Waste']);
  expect(await button(page, 'Save correction').count()).toBe(0);
  await button(page, 'Take theirs').click();
  await page.getByRole('button', { name: '1. First other' }).waitFor();
  await button(page, 'Undo').last().click();
  await page.getByRole('button', { name: '1. Take' }).waitFor();
  await page.reload();
  await question.waitFor();
  await button(page, 'Go on with mine').click();
  await button(page, 'Save correction').click();
  await heading(page, 'Run 1').waitFor();
  const namesOnServer = async () =>
    (await server.rest.get<RunDoc>(`/runs/${runIds[0]}`)).steps.map(({ stage_name }) => stage_name);
  await expect.poll(namesOnServer).toEqual(['Take', 'Press', 'Search', 'Touched by accident']);

  await link(page, 'Correct steps').click();
  await page.getByRole('button', { name: '1. Take' }).waitFor();
  await correct('Second other');
  await page.getByRole('button', { name: '1. Second other' }).waitFor();
  expect(await question.count()).toBe(0);
});
