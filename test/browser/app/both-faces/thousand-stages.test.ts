/** A map of 1,000 stages on a phone and a watch. Real server process, real Chromium. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import type { FullMap } from '../../../../shared/schema/map.ts';
import { expectNoViolationsInOneScheme } from '../accessibility.ts';
import { appServer, type AppServer } from '../app-server.ts';
import { builtApp } from '../built-app.ts';
import { openDevice, pair } from '../devices.ts';
import { atWorkersPace, button, heading, nextStep } from '../locators.ts';
import { openPhone } from '../recorded-runs.ts';
import { more } from '../watch-page.ts';

const app = builtApp();

const workTypes = ['valuable', 'incidental', 'waste'] as const;
/** Returns 1,000 steps of 1 to 7 s each. Only the time of stage 777 also grows with the run. */
const steps = (run: number) =>
  Array.from({ length: 1_000 }, (_, index) => ({
    stage_name: `Weld seam ${index + 1}`,
    duration_secs: 1 + ((index * 7 + run) % 7) + (index === 776 ? run * 30 : 0),
    work_type: workTypes[index % 3],
    order: index + 1,
  }));

/** Creates a map with runs of 1,000 steps, and returns the ids of the map and its runs. */
async function createBigMap({ rest }: AppServer, runs: number) {
  type Made = { map: FullMap; run: { id: number } };
  const { body } = await rest.send<Made>('POST', '/recording/new', { name: 'Hull', steps: steps(0) });
  const runIds = [body.run.id];
  for (let run = 1; run < runs; run++) {
    const added = await rest.send<Made>('POST', `/maps/${body.map.id}/recording`, { steps: steps(run) });
    runIds.push(added.body.run.id);
  }
  return { mapId: body.map.id, runIds };
}

const pageHeight = (page: Page): Promise<number> => page.evaluate(() => document.documentElement.scrollHeight);
const rows = (page: Page): Promise<number> => page.locator('main li:visible').count();
const search = (page: Page) => page.getByLabel('Search by name or number');

test('[APP-369] [APP-370] [APP-371] of 1,000 stages each is found, opened and moved far on a phone', async () => {
  const server = await appServer(app.folder);
  const { mapId } = await createBigMap(server, 1);
  const page = await openPhone(server);
  page.setDefaultTimeout(15_000);
  const names = async () =>
    (await server.rest.get<FullMap>(`/maps/${mapId}`)).stages.map(({ stage }) => stage.replace('Weld seam ', ''));
  await page.goto(`${server.url}/maps/${mapId}`);
  const group = page.getByRole('button', { name: /^501 to 550/ });
  await group.waitFor();
  expect(await pageHeight(page)).toBeLessThan(4_000);
  expect(await rows(page)).toBeLessThan(100);
  await expectNoViolationsInOneScheme(page);
  await group.click();
  await page.getByRole('button', { name: /^550\. Weld seam 550/ }).waitFor();
  expect(await rows(page)).toBeLessThanOrEqual(100);

  const handle = (name: string) => button(page, `Move ${name}`);
  await handle('Weld seam 550').focus();
  await page.keyboard.press('ArrowDown');
  await page.getByText('Weld seam 550 moved to position 551 of 1,000').waitFor();
  await page.getByRole('button', { name: /^551\. Weld seam 550/ }).waitFor();
  await expect.poll(() => handle('Weld seam 550').evaluate((at) => at === document.activeElement)).toBe(true);
  expect(await page.getByRole('button', { name: /^551 to 600/ }).getAttribute('aria-expanded')).toBe('true');
  await expect.poll(async () => (await names()).slice(549, 551)).toEqual(['551', '550']);

  await search(page).fill('seam 99');
  await page.getByText('11 of 1,000', { exact: true }).waitFor();
  await search(page).fill('777');
  await page.getByText('1 of 1,000', { exact: true }).waitFor();
  expect(await handle('Weld seam 777').count()).toBe(0);
  await expectNoViolationsInOneScheme(page);
  await page.getByRole('button', { name: /^777\. Weld seam 777/ }).click();
  await page.getByText('Position 777 of 1,000', { exact: true }).waitFor();
  const position = page.getByLabel('New position');
  await position.fill('1001');
  await position.press('Enter');
  await page.getByText('Enter a number from 1 to 1,000.').waitFor();
  await position.fill('3');
  await position.press('Enter');
  await page.getByText('Position 3 of 1,000', { exact: true }).waitFor();
  await expectNoViolationsInOneScheme(page);
  await button(page, 'Close').click();
  await expect.poll(async () => (await names()).slice(0, 4)).toEqual(['1', '2', '777', '3']);

  const slider = page.getByRole('slider', { name: /Go to stage/ });
  await slider.fill('900');
  await page
    .getByRole('region', { name: 'Stages as boxes' })
    .getByRole('button', { name: /^Weld seam 900/ })
    .waitFor();
  expect(await slider.getAttribute('aria-valuetext')).toBe('900. Weld seam 900');
});

test('[APP-371] a comparison of 1,000 stages shows those that vary most, and each stage on demand', async () => {
  const server = await appServer(app.folder);
  const { mapId, runIds } = await createBigMap(server, 3);
  const page = await openPhone(server);
  page.setDefaultTimeout(15_000);
  await page.goto(`${server.url}/maps/${mapId}/compare/${runIds.join()}`);
  await page.getByText('Weld seam 777 varies most').waitFor();
  const most = page.getByRole('list', { name: 'The 10 stages that vary most' }).getByRole('listitem');
  expect(await most.count()).toBe(10);
  expect(await most.first().innerText()).toContain('777. Weld seam 777');
  expect(await rows(page)).toBeLessThan(100);
  expect(await page.locator('.yamazumi-bar').first().locator('g').count()).toBeLessThan(150);
  await search(page).first().fill('612');
  await page.getByRole('list', { name: 'Figures of the stages' }).getByText('612. Weld seam 612').waitFor();
  await page.getByRole('list', { name: 'Whole run' }).getByText('n = 3').waitFor();
  await expectNoViolationsInOneScheme(page);
});

test('[APP-435] of two maps with 1,000 stages and of a run with 1,000 steps each row is found', async () => {
  const server = await appServer(app.folder);
  const { mapId, runIds } = await createBigMap(server, 1);
  const { mapId: futureId } = await createBigMap(server, 1);
  const { stages } = await server.rest.get<FullMap>(`/maps/${futureId}`);
  await server.rest.send('PATCH', `/maps/${futureId}/stages/${stages[611]?.id}`, { cycle_time_hrs: 1 });
  const page = await openPhone(server);
  page.setDefaultTimeout(15_000);
  await page.goto(`${server.url}/maps/${mapId}/beside/${futureId}`);
  const tables = page.getByRole('region', { name: 'The only difference' });
  await tables.getByRole('rowheader', { name: 'Weld seam 612' }).waitFor();
  expect(await page.locator('main tr').count()).toBeLessThan(20);
  await search(page).fill('777');
  await page.getByRole('region', { name: 'Difference by stage' }).getByText('Weld seam 777').waitFor();
  await expectNoViolationsInOneScheme(page);

  await page.goto(`${server.url}/maps/${mapId}/runs/${runIds[0]}`);
  await page.getByRole('button', { name: /^1 to 50/ }).waitFor();
  expect(await rows(page)).toBeLessThan(100);
  await search(page).fill('seam 64');
  await page.getByRole('list', { name: 'Steps', exact: true }).getByText('642. Weld seam 642').waitFor();
  await expectNoViolationsInOneScheme(page);

  await page.goto(`${server.url}/maps/${mapId}/runs/${runIds[0]}/steps`);
  await search(page).first().fill('777');
  expect(await rows(page)).toBeLessThan(100);
  await page.getByRole('button', { name: /^777\. Weld seam 777/ }).click();
  await page.getByLabel('Step name').waitFor();
});

test('[APP-371] the recorder finds another step among 1,000 stages, on a phone and a watch', async () => {
  const server = await appServer(app.folder);
  const { mapId } = await createBigMap(server, 1);
  const page = await openPhone(server);
  page.setDefaultTimeout(15_000);
  await page.goto(`${server.url}/maps/${mapId}`);
  await button(page, 'Record').click();
  await nextStep(page, 'Weld seam 1').click();
  await heading(page, 'Weld seam 1').waitFor();
  await atWorkersPace(page);
  await more(page).click();
  await page.getByText('970 more. Type a part of the name.').waitFor();
  await page.getByLabel('Step or new name').fill('seam 64');
  await button(page, 'Weld seam 642').waitFor();
  await expectNoViolationsInOneScheme(page);
  await button(page, 'Weld seam 642').click();
  await heading(page, 'Weld seam 642').waitFor();
  await nextStep(page, 'Weld seam 643').waitFor();
  await more(page).click();
  await page.getByLabel('Step or new name').fill('Change gas');
  await button(page, 'Start step').click();
  await heading(page, 'Change gas').waitFor();

  const { page: watch } = await openDevice({ width: 384, height: 384 });
  watch.setDefaultTimeout(15_000);
  await pair(watch, await server.newLink('wearable'));
  await button(watch, 'Hull').click();
  await nextStep(watch, 'Weld seam 1').click();
  await heading(watch, 'Weld seam 1').waitFor();
  await atWorkersPace(watch);
  await more(watch).click();
  expect(await rows(watch)).toBeLessThan(20);
  await button(watch, 'All names: 1,000').click();
  await button(watch, '601 to 650').click();
  expect(await rows(watch)).toBe(50);
  await button(watch, 'Weld seam 642').click();
  await nextStep(watch, 'Weld seam 643').waitFor();
});
