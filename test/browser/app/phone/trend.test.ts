/** The trend of a map's runs on the phone. Real server process, real Chromium. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import type { FullMap } from '../../../../shared/schema/map.ts';
import { expectNoViolationsInOneScheme } from '../accessibility.ts';
import { appServer, type AppServer } from '../app-server.ts';
import { builtApp } from '../built-app.ts';
import { openPhone } from '../recorded-runs.ts';

const app = builtApp();

/** Creates a map with a run for each of these days of November, in which loading takes 20 s. */
async function createMapWithRuns({ rest }: AppServer, presses: readonly (readonly [day: number, secs: number])[]) {
  const { body: map } = await rest.send<FullMap>('POST', '/maps', { name: 'Press line' });
  for (const [day, secs] of presses) {
    await rest.send('POST', `/maps/${map.id}/recording`, {
      started_at: `2026-11-${String(day).padStart(2, '0')}T09:00:00Z`,
      steps: [
        { stage_name: 'Load', duration_secs: 20, order: 1, work_type: 'waste' },
        { stage_name: 'Press', duration_secs: secs, order: 2, work_type: 'valuable' },
      ],
    });
  }
  return map.id;
}

async function openTrend(page: Page, url: string): Promise<void> {
  await page.goto(url);
  await page.getByText('Trend of the runs').click();
}

test('[APP-366] [APP-367] the trend says what changed since a run or a day, which the device keeps', async () => {
  const server = await appServer(app.folder);
  // The recording that is uploaded last began first.
  const mapId = await createMapWithRuns(server, [
    [2, 62],
    [4, 40],
    [5, 42],
    [1, 60],
  ]);
  const page = await openPhone(server);
  page.setDefaultTimeout(8_000);
  const url = `${server.url}/maps/${mapId}/runs`;
  await openTrend(page, url);
  await page.getByText('0:20.0 less since run 2, 25%.').waitFor();
  await page.getByText('PCE −8 points.').waitFor();
  const points = page.locator('.trend-run');
  expect(
    await points.evaluateAll((all) => all.map((point) => point.getAttribute('data-figures')?.slice(0, 5))),
  ).toEqual(['Run 4', 'Run 1', 'Run 2', 'Run 3', 'Run 4', 'Run 1', 'Run 2', 'Run 3']);
  await page.getByRole('img', { name: 'PCE of 4 runs' }).waitFor();
  await page.getByLabel('or from the day').fill('2026-11-05');
  await page.getByText('0:18.0 less since Nov 5, 2026, 23%.').waitFor();
  expect(await page.getByLabel('Compare before and from').locator('option:checked').innerText()).toBe('Run 3');
  await expectNoViolationsInOneScheme(page);
  await openTrend(page, url);
  await page.getByText('0:18.0 less since Nov 5, 2026, 23%.').waitFor();
  await page.getByLabel('or from the day').fill('2026-12-24');
  await page.getByText('There is no run since then.').waitFor();
  await page.getByLabel('Compare before and from').selectOption({ label: 'Run 1' });
  await page.getByText('0:18.0 less since run 1, 23%.').waitFor();
  expect(await page.getByLabel('or from the day').inputValue()).toBe('');
  expect(await page.locator('.trend-limit').count()).toBe(0);
});

test('[APP-368] from 8 runs on the trend has control limits, and names the runs beyond them', async () => {
  const server = await appServer(app.folder);
  const presses = [60, 61, 60, 62, 60, 61, 60].map((secs, index) => [index + 1, secs] as const);
  const mapId = await createMapWithRuns(server, presses);
  const page = await openPhone(server);
  page.setDefaultTimeout(8_000);
  await openTrend(page, `${server.url}/maps/${mapId}/runs`);
  await page.getByText('since run').waitFor();
  expect(await page.locator('.trend-limit').count()).toBe(0);
  const { body: added } = await server.rest.send<{ run: { id: number } }>('POST', `/maps/${mapId}/recording`, {
    started_at: '2026-11-08T09:00:00Z',
    steps: [{ stage_name: 'Press', duration_secs: 60, order: 1, work_type: 'valuable' }],
  });
  await page.getByText(/^Control limits of 8 runs: 1:\d\d\.\d to 1:\d\d\.\d\./).waitFor();
  await page.getByText('Beyond them: run 8. Look for the cause.').waitFor();
  expect(await page.locator('.trend-limit').count()).toBe(2);
  expect(await page.locator('.trend-beyond').count()).toBe(1);
  await expectNoViolationsInOneScheme(page);
  const steps = [
    { stage_name: 'Load', duration_secs: 20, order: 1, work_type: 'waste' },
    { stage_name: 'Press', duration_secs: 61, order: 2, work_type: 'valuable' },
  ];
  await server.rest.send('POST', `/runs/${added.run.id}/correct`, { steps });
  await page.getByText('All runs are within them: they vary by chance alone.').waitFor();
  expect(await page.locator('.trend-beyond').count()).toBe(0);
});
