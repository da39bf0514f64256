/** An engineer's whole study at a desk, by keyboard and by mouse. Real server process, real Chromium. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { appServer } from '../app-server.ts';
import { builtApp } from '../built-app.ts';
import { button, heading } from '../locators.ts';
import { uploadRecordings } from '../recorded-runs.ts';
import { focusedText, openDesk, pane, pressUntil, runsWithOutlier } from './desk-page.ts';

const app = builtApp();

async function openStudy(): Promise<Page> {
  const server = await appServer(app.folder);
  await uploadRecordings(server, ...runsWithOutlier);
  const page = await openDesk(server);
  await page.evaluate(() => {
    globalThis.print = () => {
      const printed = document.querySelector('[data-printed] h1') ?? document.querySelector('.pane-main h1');
      document.body.dataset['paper'] = printed?.textContent ?? '';
    };
  });
  return page;
}

const printed = (page: Page, title: string): Promise<void> =>
  page.locator(`body[data-paper="${title}"]`).waitFor({ state: 'attached' });

const stage = (page: Page, name: string) =>
  pane(page, 'Run or comparison').getByRole('listitem').filter({ hasText: name }).innerText();

test('[APP-310] [APP-311] an engineer does a whole study with few keys', async () => {
  const page = await openStudy();
  let presses = 0;
  const press = async (...keys: string[]) => {
    presses += keys.length;
    for (const key of keys) await page.keyboard.press(key);
  };
  await press('j', 'Enter');
  await expect.poll(() => focusedText(page)).toBe('Saw');
  await page.getByRole('list', { name: 'Runs' }).waitFor();
  await press('a');
  await page.getByText('5 of 5 runs marked').waitFor();
  await press('c');
  await expect.poll(() => focusedText(page)).toBe('Run comparison');
  await page.getByText('Press varies most').waitFor();
  expect(await stage(page, '2. Press')).toMatch(/\d{3,} more runs for ±5%/);
  await press('j', 'j');
  expect(await focusedText(page)).toBe('Exclude outlier: run 5, 4:00.0');
  await press('Enter');
  await heading(page, 'Exclude run 5?').waitFor();
  await page.keyboard.type('The die broke');
  await press('Enter');
  await page.getByText('Run 5 excluded').waitFor();
  await expect.poll(() => stage(page, '2. Press')).toMatch(/Enough runs for ±5%/);
  await press('3', 'Tab', 'Tab', 'Tab', 'Tab', 'Tab');
  await page.keyboard.type('1:22');
  await page.getByText('2 of 4 runs are over the takt time: run 2 and run 4.').waitFor();
  await press('Control+p');
  await printed(page, 'Run comparison');

  await press('Escape', 'Escape');
  await expect.poll(() => focusedText(page)).toBe('Saw');
  await press('Tab', 'Enter');
  await expect.poll(() => focusedText(page)).toBe('Edit');
  await press('ArrowDown', 'ArrowDown', 'Enter');
  await expect.poll(() => focusedText(page)).toBe('Saw (future)');
  await page.getByRole('button', { name: '2. Press' }).waitFor();
  await press('j', 'j', 'Enter');
  await heading(page, 'Edit stage').waitFor();
  await press('Tab', 'Control+a');
  await page.keyboard.type('0:30');
  await press('Enter');
  await heading(page, 'Edit stage').waitFor({ state: 'detached' });
  await press('2', 'Tab', 'Enter');
  await expect.poll(() => focusedText(page)).toBe('Edit');
  await pressUntil(page, 'ArrowDown', 'Compare with another map');
  await press('Enter');
  await page.getByText('Lead time is 3:30.0 shorter (81%).').waitFor();
  await press('Control+p');
  await printed(page, 'Maps side by side');
  expect(presses).toBeLessThanOrEqual(34);
});

test('[APP-310] [APP-311] an engineer does a whole study with a mouse', async () => {
  const page = await openStudy();
  const detail = pane(page, 'Run or comparison');
  const act = async (of: 'Map' | 'Run or comparison', name: string) => {
    await pane(page, of).getByRole('button', { name: 'Actions' }).click();
    await page.getByRole('menuitem', { name }).click();
  };
  await page.getByText('Saw').click();
  await button(page, 'Mark all').click();
  await page.getByText('5 of 5 runs marked').waitFor();
  await button(page, 'Unmark all').click();
  await page.getByText('0 of 5 runs marked').waitFor();
  await button(page, 'Mark all').click();
  await button(page, 'Compare').click();
  await button(page, 'Exclude outlier: run 5, 4:00.0').click();
  await page.getByLabel('Reason').fill('The die broke');
  await button(page, 'Exclude run').click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await expect.poll(() => stage(page, '2. Press')).toMatch(/Enough runs for ±5%/);
  await detail.getByRole('textbox', { name: 'Takt time' }).fill('1:22');
  await page.getByText('2 of 4 runs are over the takt time: run 2 and run 4.').waitFor();
  await act('Run or comparison', 'Print');
  await printed(page, 'Run comparison');

  await detail.getByRole('link', { name: 'Close' }).click();
  await button(page, 'Unmark all').click();
  await button(page, 'Mark all').click();
  await page.getByText('4 of 5 runs marked').waitFor();
  await act('Map', 'Plan the future state');
  await page.getByRole('button', { name: '2. Press' }).click();
  await page.getByLabel('Cycle time', { exact: true }).fill('0:30');
  await button(page, 'Save').click();
  await act('Map', 'Compare with another map');
  await page.getByText('Lead time is 3:30.0 shorter (81%).').waitFor();
  await act('Run or comparison', 'Print');
  await printed(page, 'Maps side by side');
});
