/** Times in centiminutes on each face. Real server process, real Chromium. */
import { expect, test } from 'vitest';
import { expectNoViolationsInOneScheme } from '../accessibility.ts';
import { appServer } from '../app-server.ts';
import { appTexts } from '../app-words.ts';
import { builtApp } from '../built-app.ts';
import { deskSize } from '../desk/desk-page.ts';
import { openDevice } from '../devices.ts';
import { atWorkersPace, button, finish, heading, nextStep, section } from '../locators.ts';
import { openPhone, uploadRecordings } from '../recorded-runs.ts';
import { openWatch } from '../watch-page.ts';

const app = builtApp();

const run = (load: number, press: number) => [
  { stage_name: 'Load', duration_secs: load },
  { stage_name: 'Press', duration_secs: press, work_type: 'valuable' as const },
];
const inCentiminutes = 'Centiminutes (cmin)';
/** The notation m:ss, in which no time is shown on a device with centiminutes. */
const clockTime = /\d:\d\d(?!\d| [AP]M)/;

test('[APP-363] [APP-364] [APP-365] [APP-504] a phone in centiminutes has no other time in its recorder, runs and comparison, and reads both notations', async () => {
  const server = await appServer(app.folder);
  const { mapId, runIds } = await uploadRecordings(server, run(20, 75.18), run(22, 80));
  const page = await openPhone(server);
  const setting = page.getByRole('radio', { name: inCentiminutes });
  const shown = () => page.locator('main').innerText();
  await section(page, 'Sync').click();
  await page.getByText('A minute and a quarter is written 1:15.0.').waitFor();
  await setting.press('Space');
  await page.getByText('A minute and a quarter is written 125.0 cmin.').waitFor();
  await page.getByText('A minute and a quarter is written 125.0 centiminutes.').waitFor();
  await expectNoViolationsInOneScheme(page);

  await page.goto(`${server.url}/maps/${mapId}/compare/${runIds.join()}`);
  const figures = page.getByRole('list', { name: 'Figures of the stages' });
  await figures.getByText('125.3 cmin to 133.3 cmin').waitFor();
  await figures.getByText('125.3 centiminutes to 133.3 centiminutes').waitFor();
  expect(await page.locator('.yamazumi-axis text').allTextContents()).toEqual(['0', '50', '100', '150', '200', 'cmin']);
  expect(await page.locator('.yamazumi-total').allTextContents()).toEqual(['158.6', '170.0']);
  expect(await shown()).not.toMatch(clockTime);
  const takt = page.getByLabel('Takt time', { exact: true }).and(page.locator('input'));
  // Screen readers announce a text only in an element that was there before the text.
  const readAs = await takt.locator('xpath=following-sibling::*[@role="status"]').elementHandle();
  await takt.fill('165');
  await page.getByText('= 165.0 cmin').waitFor();
  expect(await readAs?.textContent()).toContain('= 165.0 centiminutes');
  expect((await takt.getAttribute('aria-describedby'))?.split(' ')).toContain(await readAs?.getAttribute('id'));
  await page.getByText('1 of 2 runs is over the takt time: run 2.').waitFor();
  await takt.fill('1:36');
  await page.getByText('= 160.0 cmin').waitFor();
  await page.getByText('1 of 2 runs is over the takt time: run 2.').waitFor();
  await expectNoViolationsInOneScheme(page);

  await page.goto(`${server.url}/maps/${mapId}/runs/${runIds[0]}`);
  await page.getByRole('listitem').filter({ hasText: 'Press' }).getByText('125.3 cmin').waitFor();
  expect((await shown()).replace(/Started.*|Received.*/g, '')).not.toMatch(clockTime);

  await page.goto(`${server.url}/maps/${mapId}`);
  await page
    .getByRole('list', { name: 'Stages' })
    .getByRole('button', { name: /2\. Press/ })
    .click();
  const cycle = page.getByLabel('Cycle time', { exact: true });
  expect(await cycle.inputValue()).toBe('133.3');
  await cycle.fill('2:00');
  await page.getByText('= 200.0 cmin').waitFor();
  await cycle.fill('210');
  await button(page, 'Save').click();
  const press = async () =>
    (await server.rest.get<{ stages: { cycle_time_hrs: number }[] }>(`/maps/${mapId}`)).stages[1];
  await expect.poll(async () => ((await press())?.cycle_time_hrs ?? 0) * 3600).toBeCloseTo(126, 6);

  await button(page, 'Record').click();
  await nextStep(page, 'Load').click();
  await heading(page, 'Load').waitFor();
  await page.getByRole('timer').getByText('cmin').waitFor();
  await page.getByText('usually 35 cmin').waitFor();
  await atWorkersPace(page);
  await nextStep(page, 'Press').click();
  await page.getByRole('list', { name: 'Steps so far' }).getByRole('button', { name: /Load/ }).click();
  await button(page, '+1 cmin, end 1 centiminute later').waitFor();
  expect(await shown()).not.toMatch(clockTime);
  await expectNoViolationsInOneScheme(page);
});

test('[APP-363] a phone in minutes and seconds reads centiminutes', async () => {
  const server = await appServer(app.folder);
  const { mapId } = await uploadRecordings(server, run(20, 60));
  const page = await openPhone(server);
  await page.goto(`${server.url}/maps/${mapId}`);
  await page
    .getByRole('list', { name: 'Stages' })
    .getByRole('button', { name: /1\. Load/ })
    .click();
  await page.getByLabel('Cycle time', { exact: true }).fill('150 cmin');
  await page.getByText('= 1:30.0').waitFor();
  await button(page, 'Save').click();
  const stages = page.getByRole('list', { name: 'Stages' });
  await expect.poll(() => stages.innerText()).toContain('1:30.0');
});

test('[APP-365] a watch in centiminutes shows them while it records and afterwards', async () => {
  const server = await appServer(app.folder);
  const page = await openWatch(server);
  await button(page, 'Show times in cmin').click();
  await button(page, 'Show times in m:ss').waitFor();
  await button(page, 'Saw').click();
  await nextStep(page, 'Load').click();
  await heading(page, 'Load').waitFor();
  await page.getByRole('timer').getByText('cmin').waitFor();
  expect(await page.locator('main').innerText()).not.toMatch(clockTime);
  await finish(page);
  await page.getByRole('heading', { name: /1 step · \d+ centiminute/ }).waitFor();
  expect(await page.locator('main').innerText()).not.toMatch(clockTime);
});

test('[APP-364] [APP-365] a German desk says Zentiminuten', async () => {
  const server = await appServer(app.folder);
  const { mapId } = await uploadRecordings(server, run(20, 75.18));
  const { page } = await openDevice(deskSize, { languages: ['de-DE'] });
  const { pairTexts, syncTexts, texts } = appTexts.de;
  await page.goto(await server.newLink('desk'));
  await button(page, pairTexts.submit).click();
  await button(page, pairTexts.join.submit).click();
  await page.getByRole('status', { name: texts.status.label }).waitFor();
  await page.goto(`${server.url}/desk/sync`);
  await page.getByRole('radio', { name: syncTexts.timeNotations.centiminute }).check();
  await page.goto(`${server.url}/desk/maps/${mapId}`);
  await page.getByText('125,3 cmin').first().waitFor();
  expect(await page.getByText('125,3 Zentiminuten').count()).toBeGreaterThan(0);
});

test('[APP-434] a choice of the notation in one tab shows in another tab at once, and keeps what is typed there', async () => {
  const server = await appServer(app.folder);
  const { mapId, runIds } = await uploadRecordings(server, run(20, 75.18), run(22, 80));
  const page = await openPhone(server);
  await page.goto(`${server.url}/maps/${mapId}/compare/${runIds.join()}`);
  const figures = page.getByRole('list', { name: 'Figures of the stages' });
  await figures.getByText('1:15.2 to 1:20.0').waitFor();
  const takt = page.getByLabel('Takt time', { exact: true }).and(page.locator('input'));
  await takt.fill('1:36');

  const other = await page.context().newPage();
  await other.goto(`${server.url}/sync`);
  await other.getByRole('radio', { name: inCentiminutes }).press('Space');
  await figures.getByText('125.3 cmin to 133.3 cmin').waitFor();
  await page.getByText('= 160.0 cmin').waitFor();
  expect(await takt.inputValue()).toBe('1:36');
  await other.getByRole('radio', { name: 'Minutes and seconds' }).press('Space');
  await figures.getByText('1:15.2 to 1:20.0').waitFor();
});
