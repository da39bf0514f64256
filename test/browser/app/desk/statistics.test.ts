/** The statistics of compared runs on the desk. Real server process, real Chromium. */
import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { expectNoViolationsInOneScheme } from '../accessibility.ts';
import { appServer } from '../app-server.ts';
import { builtApp } from '../built-app.ts';
import { uploadRecordings } from '../recorded-runs.ts';
import { openDesk, pane, runsWithOutlier } from './desk-page.ts';

const app = builtApp();

const rowTexts = (table: Locator) =>
  table.locator('tr').evaluateAll((rows) => rows.map((row) => [...row.children].map((cell) => cell.textContent)));

const openDetails = (page: Page, summary: string) => page.getByText(summary, { exact: true }).click();

test('[APP-470] [APP-471] [APP-475] a comparison shows percentiles, intervals and control limits, with the precision that a person wants', async () => {
  const server = await appServer(app.folder);
  const eight = [...runsWithOutlier, ...runsWithOutlier.slice(0, 3)].map((steps, index) =>
    steps.map((step) => (index === 1 ? { ...step, duration_estimated: step.stage_name === 'Load' } : step)),
  );
  const { mapId, runIds } = await uploadRecordings(server, ...eight);
  const page = await openDesk(server);
  await page.goto(`${server.url}/desk/maps/${mapId}/compare/${runIds.join()}`);
  await openDetails(page, 'Percentiles and confidence intervals');
  const table = page.getByRole('region', { name: 'Percentiles and confidence intervals' });
  expect(await rowTexts(table)).toEqual([
    ['Stage', 'n', 'P10', 'P25', 'P75', 'P90', 'Avg', '95% interval of the avg', 'Control limits', 'Estimated'],
    ['1. Load', '8', '0:20.0', '0:20.0', '0:21.3', '0:22.0', '0:20.6', '0:19.9 to 0:21.4', '0:16.8 to 0:24.4', '1'],
    ['2. Press', '8', '1:00.0', '1:00.8', '1:02.3', '1:56.1', '1:23.6', '0:30.8 to 2:16.5', '0:00.0 to 3:42.3', '0'],
    ['Whole run', '8', '1:20.0', '1:20.8', '1:24.0', '2:16.8', '1:44.3', '0:51.6 to 2:36.9', '0:00.0 to 4:06.0', '1'],
  ]);
  await expectNoViolationsInOneScheme(page);

  const load = page.getByRole('list', { name: 'Figures of the stages' }).getByRole('listitem').first();
  await load.getByText('Enough runs for ±5% at 95% confidence').waitFor();
  await openDetails(page, 'Precision');
  await page.getByLabel('Distance from the true average in %').fill('2');
  await load.getByText('14 more runs for ±2% at 95% confidence').waitFor();
  await page.getByLabel('99%').check();
  await table.getByText('99% interval of the avg').waitFor();
  await load.getByText('29 more runs for ±2% at 99% confidence').waitFor();
  await page.getByLabel('Distance from the true average in %').fill('60');
  await page.getByText('Enter a number from 1 to 50.').waitFor();
  await expectNoViolationsInOneScheme(page);
  await page.getByLabel('Distance from the true average in %').fill('2');

  await openDetails(page, 'Standard time');
  await page.getByLabel('Allowance in %').fill('15');
  await page.getByRole('textbox', { name: 'Run 3', exact: true }).fill('110');
  await page.reload();
  await load.getByText('29 more runs for ±2% at 99% confidence').waitFor();
  await page.emulateMedia({ media: 'print' });
  await page.getByText('Allowance: 15% of the working day.').locator('visible=true').waitFor();
  await page.getByText('Pace: run 3 110%, otherwise 100%.').locator('visible=true').waitFor();
});

test('[APP-472] the question before a map takes medians shows how far the times of each stage lie apart', async () => {
  const server = await appServer(app.folder);
  // The median of Load reads 0:20.0, as the time of the map does.
  const recordings = runsWithOutlier
    .toReversed()
    .map((steps, index) =>
      steps.map((step) => (index === 2 && step.stage_name === 'Load' ? { ...step, duration_secs: 20.04 } : step)),
    );
  const { mapId, runIds } = await uploadRecordings(server, ...recordings);
  const page = await openDesk(server);
  await page.goto(`${server.url}/desk/maps/${mapId}`);
  await page
    .getByRole('button', { name: /^Press/ })
    .last()
    .click();
  await page.getByRole('dialog').getByText('n = 5, 1:00.0 to 4:00.0').waitFor();
  expect(await page.getByRole('dialog').locator('.range-outlier').count()).toBe(1);
  await page.goto(`${server.url}/desk/maps/${mapId}/compare/${runIds.join()}`);
  await pane(page, 'Run or comparison').getByRole('button', { name: 'Actions' }).click();
  await page.getByRole('menuitem', { name: 'Use the medians for the map' }).click();
  const question = page.getByRole('dialog').getByRole('listitem');
  await question.getByText('1:00.0 to 4:00.0').waitFor();
  expect(await question.count()).toBe(1);
  expect(await question.locator('.range-middle').count()).toBe(1);
  expect(await question.locator('.range-outlier').count()).toBe(1);
  await expectNoViolationsInOneScheme(page);
});

const days = (count: number) => [{ stage_name: 'Store', duration_secs: (count + 0.1) * 86_400 }];

test('[APP-473] [APP-474] totals in days do not touch in the chart, and the boxes of the stages begin inside their card', async () => {
  const server = await appServer(app.folder);
  const { mapId, runIds } = await uploadRecordings(
    server,
    ...Array.from({ length: 12 }, (_, index) => days(30 + index)),
  );
  const page = await openDesk(server);
  await page.goto(`${server.url}/desk/maps/${mapId}`);
  const startOfBox = () =>
    page
      .locator('.pane-overview .ladder-scroll')
      .evaluate((card) =>
        [...card.querySelectorAll('.ladder-box')].map(
          (box) => box.getBoundingClientRect().left - card.getBoundingClientRect().left,
        ),
      );
  await page.locator('.pane-overview .ladder-box').waitFor();
  expect(await startOfBox()).toEqual([15]);
  await server.rest.send('POST', `/maps/${mapId}/stages`, { stage: 'Ship', cycle_time_hrs: 1, wait_time_hrs: 2 });
  await page.locator('.pane-overview .ladder-box').nth(1).waitFor();
  expect((await startOfBox())[0]).toBe(15);

  await page.goto(`${server.url}/desk/maps/${mapId}/compare/${runIds.join()}`);
  await page.locator('.yamazumi-total').last().waitFor();
  const gaps = await page.locator('.yamazumi-bars').evaluate((scroller) => {
    const places = [...scroller.querySelectorAll('.yamazumi-total')].map((total) => total.getBoundingClientRect());
    const starts = [scroller.getBoundingClientRect().left, ...places.map(({ right }) => right)];
    return places.map(({ left }, index) => left - (starts[index] ?? 0));
  });
  expect(gaps).toHaveLength(12);
  expect(Math.min(...gaps)).toBeGreaterThan(0);
});

test('[APP-478] beside an Arabic name the time before stands left of the time after', async () => {
  const server = await appServer(app.folder);
  const recordings = [20, 30, 40].map((secs) => [{ stage_name: 'الضغط', duration_secs: secs }]);
  const { mapId, runIds } = await uploadRecordings(server, ...recordings);
  const page = await openDesk(server);
  await page.goto(`${server.url}/desk/maps/${mapId}/compare/${runIds.join()}`);
  await pane(page, 'Run or comparison').getByRole('button', { name: 'Actions' }).click();
  await page.getByRole('menuitem', { name: 'Use the medians for the map' }).click();
  const sentence = page.getByText('الضغط: 0:40.0 → 0:30.0, median of 3 runs', { exact: true });
  const starts = await sentence.evaluate((element) => {
    const text = element.lastChild;
    const startOf = (part: string) => {
      const range = document.createRange();
      const start = text?.textContent?.indexOf(part) ?? -1;
      range.setStart(text ?? element, start);
      range.setEnd(text ?? element, start + 1);
      return range.getBoundingClientRect().left;
    };
    return ['0:40.0', '→', '0:30.0', 'median'].map(startOf);
  });
  expect(starts).toEqual(starts.toSorted((a, b) => a - b));
});
