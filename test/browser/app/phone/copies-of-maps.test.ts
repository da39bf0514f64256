/** Copies, templates and two maps side by side on the phone. Real server process, real Chromium. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import type { FullMap, MapRecord } from '../../../../shared/schema/map.ts';
import { expectNoViolationsInOneScheme } from '../accessibility.ts';
import { appServer, type AppServer } from '../app-server.ts';
import { builtApp } from '../built-app.ts';
import { button, heading, mapAction, status } from '../locators.ts';
import { openPhone, uploadRecordings } from '../recorded-runs.ts';

const app = builtApp();

const press = [
  { stage: 'Load', cycle_time_hrs: 0.5, wait_time_hrs: 2, work_type: 'waste' },
  { stage: 'Press', cycle_time_hrs: 1, work_type: 'valuable' },
  { stage: 'Inspect', cycle_time_hrs: 0.5, wait_time_hrs: 4, work_type: 'incidental' },
];

async function pressLine({ rest }: AppServer): Promise<string> {
  const { body } = await rest.send<MapRecord>('POST', '/maps', { name: 'Press line', industry: 'steel' });
  await rest.send('POST', `/maps/${body.id}/stages/replace`, { stages: press });
  return body.id;
}

/** Returns the server's map with this name. The device must have sent the map before. */
async function mapNamed({ rest }: AppServer, name: string): Promise<FullMap> {
  const found = (await rest.list<MapRecord>('/maps')).find((map) => map.name === name);
  return rest.get<FullMap>(`/maps/${found!.id}`);
}

const namesAndTimes = ({ stages }: FullMap) =>
  stages.map(({ stage, cycle_time_hrs, wait_time_hrs }) => [
    stage,
    Math.round(cycle_time_hrs * 3_600),
    Math.round(wait_time_hrs * 3_600),
  ]);

const stageRow = (page: Page, text: string) =>
  page.getByRole('list', { name: 'Stages' }).getByRole('listitem').filter({ hasText: text });

test('[APP-267] [APP-270] a map is duplicated offline, and new maps start from a sample and from a map', async () => {
  const server = await appServer(app.folder);
  await pressLine(server);
  const page = await openPhone(server);
  await server.kill();
  await page.getByText('Press line').click();
  await mapAction(page, 'Duplicate');
  await heading(page, 'Press line copy').waitFor();
  await stageRow(page, '3. Inspect').waitFor();

  await page.getByRole('link', { name: 'Back' }).click();
  await button(page, 'New map').click();
  await page.getByLabel('Process name').fill('Coffee');
  await page.getByLabel('Start from').selectOption({ label: 'Make coffee' });
  await expectNoViolationsInOneScheme(page);
  await button(page, 'Create').click();
  await stageRow(page, '2. Grind beans').waitFor();
  await page.getByRole('link', { name: 'Back' }).click();
  await button(page, 'New map').click();
  await page.getByLabel('Process name').fill('Second press');
  await page.getByLabel('Start from').selectOption({ label: 'Press line' });
  await button(page, 'Create').click();
  await stageRow(page, '2. Press').waitFor();

  await server.start();
  await page.reload();
  await status(page, 'All safe on the server').waitFor();
  const times = [
    ['Load', 1_800, 7_200],
    ['Press', 3_600, 0],
    ['Inspect', 1_800, 14_400],
  ];
  const copy = await mapNamed(server, 'Press line copy');
  expect(copy).toMatchObject({ industry: 'steel', state: 'current', run_count: 0 });
  expect(namesAndTimes(copy)).toEqual(times);
  expect(namesAndTimes(await mapNamed(server, 'Second press'))).toEqual(times);
  expect((await mapNamed(server, 'Coffee')).stages).toHaveLength(3);
});

test('[APP-268] [APP-269] a planned future state stands beside the current one, with what it saves', async () => {
  const server = await appServer(app.folder);
  await pressLine(server);
  const page = await openPhone(server);
  await page.getByText('Press line').click();
  await mapAction(page, 'Plan the future state');
  await heading(page, 'Press line (future)').waitFor();
  await stageRow(page, 'Inspect').getByRole('button', { name: '3. Inspect' }).click();
  await page.getByLabel('Waiting before', { exact: true }).fill('60');
  await button(page, 'Save').click();
  await stageRow(page, 'Load').getByRole('button', { name: '1. Load' }).click();
  await button(page, 'Delete stage').click();
  await stageRow(page, '1. Press').waitFor();

  await mapAction(page, 'Compare with another map');
  await heading(page, 'Maps side by side').waitFor();
  await page.getByText('Lead time is 5:30:00 shorter (69%).').waitFor();
  await page.getByText('2 stages differ of 3.').waitFor();
  const table = page.getByRole('region', { name: 'Figures of both maps' });
  expect(await table.getByRole('row').allInnerTexts()).toEqual([
    expect.stringMatching(/^Figure\s+Current\s+Future\s+Difference$/),
    expect.stringMatching(/^Lead time\s+8:00:00\s+2:30:00\s+−5:30:00$/),
    expect.stringMatching(/^Cycle time\s+2:00:00\s+1:30:00\s+−30:00.0$/),
    expect.stringMatching(/^Waiting\s+6:00:00\s+1:00:00\s+−5:00:00$/),
    expect.stringMatching(/^Value-add time\s+1:00:00\s+1:00:00\s+0:00.0$/),
    expect.stringMatching(/^PCE\s+13%\s+40%\s+\+28 points$/),
    expect.stringMatching(/^Stages\s+3\s+2\s+−1$/),
  ]);
  const stages = page.getByRole('region', { name: 'Difference by stage' });
  await stages.getByRole('row').filter({ hasText: 'Load' }).getByText('Removed').waitFor();
  await stages.getByRole('row').filter({ hasText: 'Inspect' }).getByText('−3:00:00').waitFor();
  await stages.getByRole('row').filter({ hasText: 'Press' }).getByText('No change').last().waitFor();
  await expectNoViolationsInOneScheme(page);

  await page.emulateMedia({ media: 'print' });
  await page.getByRole('navigation').waitFor({ state: 'hidden' });
  await button(page, 'Print').waitFor({ state: 'hidden' });
  await page.emulateMedia({ media: null });

  await page.getByRole('link', { name: 'Press line', exact: true }).click();
  await heading(page, 'Press line').waitFor();
  await mapAction(page, 'Compare with another map');
  await page.getByText('Lead time is 5:30:00 shorter (69%).').waitFor();
  await page.getByRole('link', { name: 'Select another map' }).click();
  await page.getByRole('link', { name: 'Press line (future)' }).waitFor();
  await expectNoViolationsInOneScheme(page);
});

test('[APP-266] the stages of a run replace those of the map in one step, offline too, and an undo brings them back', async () => {
  const server = await appServer(app.folder);
  const steps = ['Cut', 'Weld'].map((stage_name) => ({ stage_name, duration_secs: 30 }));
  const { mapId, runIds } = await uploadRecordings(server, steps);
  await server.rest.send('POST', `/maps/${mapId}/stages/replace`, {
    stages: [{ stage: 'Cut', wait_time_hrs: 1 }, ...press],
  });
  const page = await openPhone(server);
  await page.goto(`${server.url}/maps/${mapId}/runs/${runIds[0]}`);
  await button(page, "Use this run's stages for the map").waitFor();
  await server.kill();
  await button(page, "Use this run's stages for the map").click();
  await page.getByText('1 stage keeps its waiting time and takes the time of this run.').waitFor();
  await page.getByText('Removed: Load, Press, and Inspect.').waitFor();
  await expectNoViolationsInOneScheme(page);
  await button(page, 'Replace the stages').click();
  await button(page, 'Undo').waitFor();
  await button(page, "Use this run's stages for the map").click();
  await page.getByText('2 stages keep their waiting times').waitFor();
  await button(page, 'Close').click();
  await button(page, 'Undo').click();
  await button(page, "Use this run's stages for the map").click();
  await page.getByText('Removed: Load, Press, and Inspect.').waitFor();
  await button(page, 'Replace the stages').click();
  await server.start();
  await page.reload();
  await status(page, 'All safe on the server').waitFor();
  expect(namesAndTimes(await mapNamed(server, 'Saw'))).toEqual([
    ['Cut', 30, 3_600],
    ['Weld', 30, 0],
  ]);
});

test('[APP-272] a value stream has a box for each stage and a valley for each wait, and a box shows its times over the runs', async () => {
  const server = await appServer(app.folder);
  const { mapId } = await uploadRecordings(
    server,
    [{ stage_name: 'Cut', duration_secs: 30 }],
    [{ stage_name: 'Cut', duration_secs: 50 }],
    [{ stage_name: 'Cut', duration_secs: 42 }],
  );
  const stages = [{ stage: 'Cut', cycle_time_hrs: 0.01, work_type: 'valuable' }, ...press];
  await server.rest.send('POST', `/maps/${mapId}/stages/replace`, { stages });
  const page = await openPhone(server);
  await page.getByText('Saw', { exact: true }).click();
  const ladder = page.getByRole('region', { name: 'Stages as boxes' });
  await ladder.getByRole('listitem').first().waitFor();
  const texts = (await ladder.getByRole('listitem').allTextContents()).map((text) => text.replace(/\s+/g, ' '));
  expect(texts).toEqual([
    'CutValuable 0:36.0',
    '2:00:00 of waiting, then2:00:00LoadWaste 30:00.0',
    'PressValuable 1:00:00',
    '4:00:00 of waiting, then4:00:00InspectIncidental 30:00.0',
  ]);
  const widths = await ladder.getByRole('button').evaluateAll((boxes) => boxes.map((box) => box.clientWidth));
  expect(new Set(widths).size).toBe(1);
  await expectNoViolationsInOneScheme(page);
  await ladder.getByRole('button', { name: /^Cut/ }).press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Cut' });
  await dialog.getByText('Median 0:42.0').waitFor();
  expect(await dialog.getByRole('listitem').allInnerTexts()).toEqual([
    expect.stringMatching(/Run 3\s+0:42.0/),
    expect.stringMatching(/Run 2\s+0:50.0/),
    expect.stringMatching(/Run 1\s+0:30.0/),
  ]);
  await expectNoViolationsInOneScheme(page);
  await button(page, 'Close').click();
  await ladder.getByRole('button', { name: /^Load/ }).click();
  await page.getByText('No run has a time for this stage yet.').waitFor();

  const many = Array.from({ length: 300 }, (_, index) => ({ stage: `Stage ${index + 1}`, wait_time_hrs: 1 }));
  await button(page, 'Close').click();
  await server.rest.send('POST', `/maps/${mapId}/stages/replace`, { stages: many });
  await ladder.getByRole('button', { name: /^Stage 1\s/ }).waitFor();
  expect(await ladder.getByRole('listitem').count()).toBeLessThan(40);
  await ladder.evaluate((element) => element.scrollTo({ left: element.scrollWidth }));
  await ladder.getByRole('button', { name: /^Stage 300/ }).waitFor();
  expect(await ladder.getByRole('listitem').count()).toBeLessThan(40);
});

test('[APP-273] the trend of runs tells the medians before and from a chosen run on', async () => {
  const server = await appServer(app.folder);
  const runs = [40, 60, 20, 30].map((duration_secs) => [
    { stage_name: 'Cut', duration_secs, work_type: 'valuable' as const },
  ]);
  const { mapId, runIds } = await uploadRecordings(server, ...runs);
  const page = await openPhone(server);
  await page.goto(`${server.url}/maps/${mapId}/runs`);
  await page.getByText('Trend of the runs').click();
  const figures = page.locator('.trend').getByRole('definition');
  await expect.poll(() => figures.allInnerTexts()).toEqual(['0:50.0\n\nPCE 100%', '0:25.0\n\nPCE 100%']);
  await page.getByLabel('Compare before and from').selectOption({ label: 'Run 2' });
  await page.getByText('Before, median of 1 run').waitFor();
  expect(await figures.allInnerTexts()).toEqual(['0:40.0\n\nPCE 100%', '0:30.0\n\nPCE 100%']);
  await expectNoViolationsInOneScheme(page);
  await server.rest.send('PATCH', `/runs/${runIds[2]}`, { excluded: { reason: 'power cut' } });
  await page.getByText('From then on, median of 2 runs').waitFor();
  expect(await page.getByRole('img', { name: 'Total times of 3 runs' }).count()).toBe(1);
});
