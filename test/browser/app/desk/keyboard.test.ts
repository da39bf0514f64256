/** The desk by keyboard alone. Real server process, real Chromium. */
import { expect, test } from 'vitest';
import type { RunDoc } from '../../../../shared/schema/run.ts';
import { appServer } from '../app-server.ts';
import { builtApp } from '../built-app.ts';
import { heading, status } from '../locators.ts';
import { uploadRecordings } from '../recorded-runs.ts';
import { deskSize, focusedText, openDesk, pane, pressUntil, runsWithOutlier } from './desk-page.ts';

const app = builtApp();

test('[APP-222] [APP-215] [APP-216] an engineer finds the runs that are needed, excludes an outlier, sees what is over the takt time, and prints it', async () => {
  const server = await appServer(app.folder);
  const { runIds } = await uploadRecordings(server, ...runsWithOutlier);
  const page = await openDesk(server);
  await page.evaluate(() => {
    globalThis.print = () => {
      document.body.dataset['asked'] = String(Number(document.body.dataset['asked'] ?? 0) + 1);
    };
  });
  const { keyboard } = page;

  await keyboard.press('j');
  expect(await focusedText(page)).toMatch(/^Saw/);
  await keyboard.press('Enter');
  await heading(page, 'Saw').waitFor();
  await expect.poll(() => focusedText(page)).toBe('Saw');
  await page.getByRole('list', { name: 'Runs' }).waitFor();
  await keyboard.press('c');
  await page.getByText('Mark two or more runs to compare them.').waitFor();
  for (const run of [5, 4, 3, 2, 1]) {
    await keyboard.press('j');
    expect(await focusedText(page)).toMatch(new RegExp(`^Run ${run}`));
    await keyboard.press('x');
    await page.getByText(`${6 - run} of 5 runs marked`).waitFor();
  }
  await keyboard.press('c');
  await expect.poll(() => focusedText(page)).toBe('Run comparison');
  await page.getByText('Press varies most: 1:00.0 to 4:00.0 in 5 runs, longest in run 5').waitFor();

  const detail = pane(page, 'Run or comparison');
  await keyboard.press('j');
  expect(await focusedText(page)).toMatch(/^1\. Load .*1 more run for ±5%/);
  await keyboard.press('j');
  expect(await focusedText(page)).toBe('Exclude outlier: run 5, 4:00.0');
  expect(await detail.getByRole('listitem').filter({ hasText: '2. Press' }).innerText()).toMatch(
    /\d{3,} more runs for ±5%/,
  );
  await keyboard.press('Enter');
  await heading(page, 'Exclude run 5?').waitFor();
  await pressUntil(page, 'Tab', '');
  await keyboard.type('The die broke');
  await keyboard.press('Enter');
  await page.getByText('Run 5 excluded').waitFor();
  await detail.getByText('longest in run 4').waitFor();
  expect(await detail.getByRole('listitem').filter({ hasText: '2. Press' }).innerText()).toMatch(/Enough runs for ±5%/);

  await keyboard.press('3');
  await pressUntil(page, 'Tab', 'Chart of the runs');
  await keyboard.press('Tab');
  await keyboard.type('1:22');
  await detail.getByText('2 of 4 runs are over the takt time: run 2 and run 4.').waitFor();
  await keyboard.press('Control+p');
  await page.locator('body[data-asked="1"]').waitFor();

  await keyboard.press('Escape');
  expect(await focusedText(page)).toBe('Run or comparison');
  await keyboard.press('Escape');
  await expect.poll(() => focusedText(page)).toBe('Saw');
  // The first key press focuses the row that had the focus last.
  await keyboard.press('k');
  expect(await focusedText(page)).toMatch(/^Run 1/);
  await pressUntil(page, 'k', /^Run 5/);
  await keyboard.press('Enter');
  await heading(page, 'Run 5').waitFor();
  await page.getByText('Excluded: The die broke').first().waitFor();
  await keyboard.press('Escape');
  await expect.poll(() => focusedText(page)).toMatch(/^Run 5/);
  await status(page, 'All safe on the server').waitFor();
  expect((await server.rest.get<RunDoc>(`/runs/${runIds[4]}`)).excluded).toEqual({ reason: 'The die broke' });
});

test('[APP-214] [APP-217] R records, / searches, ? lists the keys, which can be turned off, and W gives the whole width', async () => {
  const server = await appServer(app.folder);
  const { mapId, runIds } = await uploadRecordings(server, ...runsWithOutlier);
  const page = await openDesk(server);
  const { keyboard } = page;
  await keyboard.press('r');
  await page.getByText('Select a map first.').waitFor();
  await keyboard.press('/');
  await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('INPUT');
  await keyboard.type('xjr');
  await heading(page, 'No maps found').waitFor();
  await keyboard.press('Escape');
  await keyboard.press('Control+k');
  await keyboard.press('Control+a');
  await keyboard.type('saw');
  await keyboard.press('Escape');
  await keyboard.press('j');
  await keyboard.press('Enter');
  await heading(page, 'Saw').waitFor();

  await keyboard.press('?');
  await heading(page, 'Keys').waitFor();
  await pressUntil(page, 'Tab', /^$/);
  await keyboard.press('Space');
  await keyboard.press('r');
  await keyboard.press('Escape');
  await heading(page, 'Keys').waitFor({ state: 'detached' });
  await keyboard.press('r');
  await keyboard.press('c');
  await page.reload();
  await heading(page, 'Saw').waitFor();
  await keyboard.press('r');
  await page.getByRole('button', { name: 'Keys' }).press('Enter');
  await page.getByRole('checkbox', { name: /Use keys without Ctrl/ }).press('Space');
  await keyboard.press('Escape');
  expect(new URL(page.url()).pathname).toBe(`/desk/maps/${mapId}`);

  await keyboard.press('r');
  const detail = pane(page, 'Run or comparison');
  await detail.getByRole('button', { name: 'Next: Load' }).press('Enter');
  await detail.getByRole('heading', { name: 'Load' }).waitFor();
  await keyboard.press('1');
  expect(await focusedText(page)).toBe('Maps');
  await page.goto(`${server.url}/desk/maps/${mapId}/runs/${runIds[0]}`);
  await page.getByRole('link', { name: /Recording, now: Load/ }).waitFor();
  await detail.getByRole('heading', { name: 'Run 1' }).waitFor();
  const narrow = (await detail.boundingBox())!.width;
  await keyboard.press('w');
  await pane(page, 'Maps').waitFor({ state: 'hidden' });
  expect((await detail.boundingBox())!.width).toBeGreaterThan(narrow * 1.7);
  await keyboard.press('w');
  await pane(page, 'Maps').waitFor();
});

test('[APP-214] [APP-218] [APP-228] Tab leads from list to list, and the actions of a run stand in a menu', async () => {
  const server = await appServer(app.folder);
  const { mapId, runIds } = await uploadRecordings(server, ...runsWithOutlier);
  const page = await openDesk(server);
  const { keyboard } = page;
  await page.goto(`${server.url}/desk/maps/${mapId}/runs/${runIds[1]}`);
  const runs = page.getByRole('list', { name: 'Runs' });
  await runs.getByText('Run 5').waitFor();
  const stops = () => runs.evaluate((list) => list.querySelectorAll('a[href]:not([tabindex="-1"])').length);
  await expect.poll(stops).toBe(1);
  await runs.getByRole('link', { name: /^Run 3/ }).focus();
  expect(await runs.evaluate((list) => list.querySelector('a:not([tabindex="-1"])')?.textContent)).toMatch(/^Run 3/);
  expect(await stops()).toBe(1);

  const menu = pane(page, 'Run or comparison').getByRole('button', { name: 'Actions' });
  await menu.focus();
  await keyboard.press('ArrowDown');
  await expect.poll(() => focusedText(page)).toBe('Correct steps');
  expect(await page.getByRole('menuitem').allTextContents()).toEqual([
    'Correct steps',
    'Edit run',
    'Exclude run',
    "Use this run's times for the map",
    "Use this run's stages for the map",
    'Export run',
    'Print',
    'Delete run',
  ]);
  await keyboard.press('End');
  expect(await focusedText(page)).toBe('Delete run');
  await keyboard.press('1');
  expect(await focusedText(page)).toBe('Delete run');
  await keyboard.press('Escape');
  await page.getByRole('menu').waitFor({ state: 'detached' });
  expect(await focusedText(page)).toBe('Actions');
  await keyboard.press('Enter');
  await pressUntil(page, 'ArrowDown', 'Edit run');
  await keyboard.press('Enter');
  await page.getByLabel('Tags').fill('early shift');
  await keyboard.press('Enter');
  await page.locator('.run-tags').getByText('early shift').waitFor();
  await expect.poll(() => focusedText(page)).toBe('Actions');

  await keyboard.press('Enter');
  await pressUntil(page, 'End', 'Delete run');
  await page.setViewportSize({ ...deskSize, height: 250 });
  const bottomOfLast = async () => {
    const { y, height } = (await page.getByRole('menuitem', { name: 'Delete run' }).boundingBox())!;
    return y + height;
  };
  await expect.poll(bottomOfLast).toBeLessThanOrEqual(250);
  await keyboard.press('Escape');
  await keyboard.press('Enter');
  await keyboard.press('End');
  await expect.poll(() => focusedText(page)).toBe('Delete run');
  await expect.poll(bottomOfLast).toBeLessThanOrEqual(250);
  await page.setViewportSize(deskSize);
  const bottomOf = async (name: string) => {
    const { y, height } = (await page.getByRole('button', { name, exact: true }).last().boundingBox())!;
    return Math.round(y + height);
  };
  await expect
    .poll(async () => Math.round((await page.getByRole('menu').boundingBox())!.y))
    .toBe(await bottomOf('Actions'));
  expect(await focusedText(page)).toBe('Delete run');
  await keyboard.press('Escape');
  expect(await focusedText(page)).toBe('Actions');
});

test('[APP-219] the pointer and the arrow keys show the figures of a part of a chart', async () => {
  const server = await appServer(app.folder);
  const { mapId, runIds } = await uploadRecordings(server, ...runsWithOutlier);
  const page = await openDesk(server);
  await page.goto(`${server.url}/desk/maps/${mapId}/compare/${runIds.join()}`);
  const chart = page.getByRole('region', { name: 'Chart of the runs' });
  await chart.locator('.yamazumi-bar').last().locator('g').last().hover();
  const tip = page.getByRole('tooltip');
  expect(await tip.innerText()).toBe('2. Press: 4:00.0\nValuable\nRun 5: 4:20.0');
  await page.mouse.move(5, 5);
  await tip.waitFor({ state: 'detached' });
  await chart.focus();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  expect(await tip.innerText()).toBe('2. Press: 1:00.0\nValuable\nRun 1: 1:20.0');
  await page.getByRole('status').filter({ hasText: '2. Press: 1:00.0' }).waitFor({ state: 'attached' });
  await page.keyboard.press('Escape');
  await tip.waitFor({ state: 'detached' });
  expect(new URL(page.url()).pathname).toContain('/compare/');
  await page.locator('.flow g').nth(1).hover();
  expect(await tip.innerText()).toMatch(/^Press\n/);
  await page.locator('.range-bar').first().hover();
  expect(await tip.innerText()).toContain('Half of the runs: up to 0:20.0');
});
