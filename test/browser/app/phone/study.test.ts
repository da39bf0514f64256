/** The study of compared runs on the phone. Real server process, real Chromium. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import type { RunDoc } from '../../../../shared/schema/run.ts';
import { expectNoViolationsInOneScheme } from '../accessibility.ts';
import { appServer } from '../app-server.ts';
import { builtApp } from '../built-app.ts';
import { button, heading, status } from '../locators.ts';
import { openPhone, uploadRecordings, tableHeads } from '../recorded-runs.ts';

const app = builtApp();

const loadAndPress = (load: number, press: number) => [
  { stage_name: 'Load', duration_secs: load },
  { stage_name: 'Press', duration_secs: press, work_type: 'valuable' as const },
];
/** The stage Press of the last run takes four times as long as that of the others. */
const runsWithOutlier = (
  [
    [20, 60],
    [22, 62],
    [20, 61],
    [21, 63],
    [20, 240],
  ] as const
).map(([load, press]) => loadAndPress(load, press));

const stageRow = (page: Page, name: string) =>
  page.getByRole('list', { name: 'Figures of the stages' }).getByRole('listitem').filter({ hasText: name });
const rowText = async (page: Page, name: string) => (await stageRow(page, name).innerText()).replace(/\s+/g, ' ');

test('[APP-158] [APP-159] [APP-160] [APP-372] a comparison says what varies most, and an outlier is excluded with a reason, offline', async () => {
  const server = await appServer(app.folder);
  const { mapId, runIds } = await uploadRecordings(server, ...runsWithOutlier);
  const page = await openPhone(server);
  page.setDefaultTimeout(8_000);
  await page.goto(`${server.url}/maps/${mapId}/compare/${runIds.join()}`);
  await page.getByText('Press varies most: 1:00.0 to 4:00.0 in 5 runs, longest in run 5').waitFor();
  expect(await rowText(page, '1. Load')).toBe(
    '1. Load Median 0:20.0 n = 5 0:20.0 to 0:22.0 · SD 0:00.9 · CV 4% Avg 0:20.6, 95% interval 0:19.5 to 0:21.7 P10 0:20.0, P25 0:20.0, P75 0:21.0, P90 0:21.6 1 more run for ±5% at 95% confidence',
  );
  expect(await rowText(page, '2. Press')).toContain('Median 1:02.0 n = 5 1:00.0 to 4:00.0 · SD 1:19.8 · CV 82%');
  expect(await stageRow(page, 'Press').locator('.range-outlier').count()).toBe(1);
  await expectNoViolationsInOneScheme(page);

  await server.kill();
  await stageRow(page, 'Press').getByRole('button', { name: 'Exclude outlier: run 5, 4:00.0' }).click();
  await heading(page, 'Exclude run 5?').waitFor();
  await page.getByText('Press took 4:00.0.').waitFor();
  await button(page, 'Exclude run').click();
  await page.getByText('Enter a reason.').waitFor();
  await expectNoViolationsInOneScheme(page);
  await page.getByLabel('Reason').fill('The die broke');
  await button(page, 'Exclude run').click();
  await page.getByText('Run 5 excluded').waitFor();
  await page.getByText('Press varies most: 1:00.0 to 1:03.0 in 4 runs, longest in run 4').waitFor();
  expect(await rowText(page, '2. Press')).toContain('n = 4 1:00.0 to 1:03.0 · SD 0:01.3 · CV 2% Avg 1:01.5');
  await stageRow(page, 'Press').getByText('Enough runs for ±5% at 95% confidence').waitFor();
  expect(await page.locator('.yamazumi-bars > svg > .yamazumi-bar').last().locator('.yamazumi-left-out').count()).toBe(
    1,
  );
  expect((await tableHeads(page)).slice(8)).toEqual(['Run 1', 'Run 2', 'Run 3', 'Run 4']);
  await expectNoViolationsInOneScheme(page);

  const again = page.getByRole('checkbox', { name: /Run 5.*The die broke/s });
  await again.focus();
  await page.keyboard.press('Space');
  await page.getByText('longest in run 5').waitFor();
  await page.keyboard.press('Space');
  await page.getByText('longest in run 4').waitFor();
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByText('longest in run 5').waitFor();
  await again.waitFor({ state: 'detached' });

  await stageRow(page, 'Press').getByRole('button', { name: 'Exclude outlier: run 5, 4:00.0' }).click();
  await page.getByLabel('Reason').fill('The die broke');
  await page.keyboard.press('Enter');
  await page.getByText('longest in run 4').waitFor();
  await server.start();
  await status(page, 'All safe on the server').waitFor();
  const onServer = await server.rest.get<RunDoc>(`/runs/${runIds[4]}`);
  expect(onServer.excluded).toEqual({ reason: 'The die broke' });
});

test('[APP-161] [APP-162] a takt time is a line in the chart and names what is over it; allowance and pace make standard times', async () => {
  const server = await appServer(app.folder);
  const { mapId, runIds } = await uploadRecordings(server, loadAndPress(20, 60), loadAndPress(20, 80));
  const page = await openPhone(server);
  page.setDefaultTimeout(8_000);
  await page.goto(`${server.url}/maps/${mapId}/compare/${runIds.join()}`);
  const takt = page.getByLabel('Takt time', { exact: true }).and(page.locator('input'));
  await takt.fill('90');
  await page.getByText('Enter a time such as 1:30.').waitFor();
  await takt.fill('1:30');
  await page.getByText('1 of 2 runs is over the takt time: run 2.').waitFor();
  expect(await takt.evaluate((input) => input === document.activeElement)).toBe(true);
  expect(await page.locator('.yamazumi-bars text').allTextContents()).toEqual(expect.arrayContaining(['#1', '#2 ▲']));
  await page.getByText('Takt time 1:30.0').waitFor();
  await expectNoViolationsInOneScheme(page);
  await takt.fill('1:05,5');
  await page.getByText('2 of 2 runs are over the takt time: run 1 and run 2. Stages over it: Press.').waitFor();
  await stageRow(page, 'Press').getByText('Over takt time').waitFor();

  await page.getByText('Standard time', { exact: true }).click();
  await page.getByLabel('Allowance in %').fill('10');
  await stageRow(page, 'Press').getByText('Standard time 1:17.8 (normal 1:10.0)').waitFor();
  await page.getByLabel('the job').check();
  await stageRow(page, 'Press').getByText('Standard time 1:17.0 (normal 1:10.0)').waitFor();
  await page.getByLabel('Run 1').and(page.locator('input')).fill('110');
  await stageRow(page, 'Press').getByText('Standard time 1:20.3 (normal 1:13.0)').waitFor();
  await page.getByLabel('Run 2').and(page.locator('input')).fill('fast');
  await page.getByText('30 to 200').waitFor();
  await expectNoViolationsInOneScheme(page);
  await page.reload();
  await stageRow(page, 'Press').getByText('Standard time 1:20.3 (normal 1:13.0)').waitFor();
  expect(await takt.inputValue()).toBe('1:05,5');
});

test('[APP-510] [APP-511] [APP-512] [APP-513] bars are sorted, a tap shows figures, the balance is stated, and an exclusion says what it leaves out', async () => {
  const server = await appServer(app.folder);
  const { mapId, runIds } = await uploadRecordings(server, ...runsWithOutlier);
  const page = await openPhone(server);
  page.setDefaultTimeout(8_000);
  const path = `${server.url}/maps/${mapId}/compare/${runIds.join()}`;
  await page.goto(path);
  await page.getByText('Balance 45%: the runs take 1:57.8 on average, the longest 4:20.0.').waitFor();
  const chart = page.getByRole('region', { name: 'Chart of the runs' });
  await chart.locator('.yamazumi-bar').last().locator('g').last().click();
  const figures = page.locator('.yamazumi-figures');
  expect(await figures.innerText()).toBe('2. Press: 4:00.0\nValuable\nRun 5: 4:20.0');
  await chart.getByText('#2').click();
  expect(await figures.innerText()).toBe('Run 2: 1:24.0');
  await expectNoViolationsInOneScheme(page);

  const names = () => chart.locator('text').getByText('#').allTextContents();
  expect(await names()).toEqual(['#1', '#2', '#3', '#4', '#5']);
  await page.getByLabel('Sort the bars by').selectOption('Total time');
  expect(await names()).toEqual(['#5', '#2', '#4', '#3', '#1']);
  expect((await tableHeads(page)).slice(-5)).toEqual(['Run 5', 'Run 2', 'Run 4', 'Run 3', 'Run 1']);
  await page.reload();
  await chart.waitFor();
  expect(await names()).toEqual(['#5', '#2', '#4', '#3', '#1']);

  await stageRow(page, 'Press').getByRole('button', { name: 'Exclude outlier: run 5, 4:00.0' }).click();
  await page.getByText('Comparisons leave out all its stages').waitFor();
  await page.getByText('If only one step is wrong, correct the step instead.').waitFor();
  await page.getByLabel('Reason').fill('The die broke');
  await page.keyboard.press('Enter');
  await page.getByText('Balance 98%: the runs take 1:22.3 on average, the longest 1:24.0.').waitFor();
  await chart.getByText('#5').click();
  expect(await figures.innerText()).toBe('Run 5: 4:20.0\nExcluded');
});

test('[APP-437] the head of a long table stays in sight while its rows scroll', async () => {
  const server = await appServer(app.folder);
  const steps = Array.from({ length: 30 }, (_, index) => ({ stage_name: `Seam ${index + 1}`, duration_secs: 20 }));
  const { mapId, runIds } = await uploadRecordings(server, steps, steps);
  const page = await openPhone(server);
  await page.goto(`${server.url}/maps/${mapId}/compare/${runIds.join()}`);
  await page.getByText('All times as a table').click();
  const table = page.getByRole('region', { name: 'Times of the stages' });
  await table.focus();
  await page.keyboard.press('End');
  const head = page.getByRole('columnheader', { name: 'Median' });
  await expect.poll(() => table.evaluate((it) => it.scrollTop)).toBeGreaterThan(100);
  const distance = async () => ((await head.boundingBox())?.y ?? 0) - ((await table.boundingBox())?.y ?? 0);
  expect(await distance()).toBeLessThan(2);
  await expectNoViolationsInOneScheme(page);
});
