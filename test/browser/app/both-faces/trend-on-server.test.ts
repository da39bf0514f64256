/** The trend of a map whose runs are not all on the phone. Real server process, real Chromium. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { expectNoViolationsInOneScheme } from '../accessibility.ts';
import { appServer, type AppServer } from '../app-server.ts';
import { builtApp } from '../built-app.ts';
import { openPhone } from '../recorded-runs.ts';
import { createMap, openScoped } from '../scoped-app.ts';

const app = builtApp();

/** The third run to arrive began last. */
const startOf = (nth: number) => `2026-11-${String(nth === 3 ? 28 : nth).padStart(2, '0')}T09:00:00Z`;

async function openTrend(page: Page, { url }: AppServer, mapId: string): Promise<void> {
  await page.goto(`${url}/maps/${mapId}/runs`);
  await page.getByText('Trend of the runs').click();
  await page.locator('.trend-run').first().waitFor();
}

const storeBorder = (page: Page, mapId: string, runId: number): Promise<void> =>
  page.evaluate((stored) => localStorage.setItem(stored.key, stored.runId), {
    key: `gemba-trend-${mapId}`,
    runId: String(runId),
  });

/** Returns all figures of the trend. */
const figuresOf = async (page: Page): Promise<unknown> => ({
  runs: await page
    .locator('.trend-run')
    .evaluateAll((all) => all.map((run) => [run.getAttribute('data-figures'), run.getAttribute('cy')])),
  limits: await page.locator('.trend-limit').evaluateAll((all) => all.map((limit) => limit.getAttribute('d'))),
  texts: await page
    .locator('.trend :is(.study-headline, .figures, option:checked, .trend > .stack > .stack > p)')
    .allInnerTexts(),
});

test('[APP-541] a trend has the figures of all runs, says that it asks the server, and loses a run that was deleted', async () => {
  const server = await appServer(app.folder);
  const { mapId, ids } = await createMap(server, 'Press line', 12, startOf);
  // The border is at a run that is not in the trend and not on the phone.
  await server.rest.send('PATCH', `/runs/${ids[1]}`, { excluded: { reason: 'A fire alarm' } });
  const { page } = await openScoped({ server, runsMax: 4 });
  await storeBorder(page, mapId, ids[1]!);
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route(/\/maps\/[^/]+\/runs\?/, async (route) => {
    await held;
    await route.continue();
  });
  await openTrend(page, server, mapId);
  await page.getByText('Asking the server for 8 runs that are not on this device…').waitFor();
  expect(await page.getByRole('img', { name: 'Total times of 4 runs' }).count()).toBe(1);
  release();
  await page.getByText('7 of these 11 runs come from the server.').waitFor();
  await page.getByText('7 older runs are on the server.').waitFor();
  await expectNoViolationsInOneScheme(page);
  const whole = await openPhone({ ...server, link: await server.newLink('phone') });
  await storeBorder(whole, mapId, ids[1]!);
  await openTrend(whole, server, mapId);
  const figures = await figuresOf(page);
  expect(figures).toEqual(await figuresOf(whole));
  expect(figures).toMatchObject({ limits: [expect.any(String), expect.any(String)] });
  await server.rest.send('POST', `/runs/${ids[0]}/delete`, {});
  await page.getByText('6 of these 10 runs come from the server.').waitFor();
  await page.getByLabel('Compare before and from').selectOption({ label: 'Run 5' });
  await page.getByText(/since run 5/).waitFor();
});

test('[APP-542] without the server a trend says what it covers, and has all runs once the server is back', async () => {
  const server = await appServer(app.folder);
  const { mapId } = await createMap(server, 'Press line', 12, startOf);
  const { page } = await openScoped({ server, runsMax: 4 });
  await server.kill();
  await openTrend(page, server, mapId);
  await page.getByText("You're offline. 8 older runs are not on this device. The trend covers the newest 4.").waitFor();
  expect(await page.getByRole('img', { name: 'Total times of 4 runs' }).count()).toBe(1);
  await expectNoViolationsInOneScheme(page);
  await server.start();
  await page.getByText('8 of these 12 runs come from the server.').waitFor();
  expect(await page.getByRole('img', { name: 'Total times of 12 runs' }).count()).toBe(1);
});
