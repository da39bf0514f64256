/** The prints of the desk on A4. Real server process, real Chromium. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { appServer } from '../app-server.ts';
import { builtApp } from '../built-app.ts';
import { heading } from '../locators.ts';
import { uploadRecordings, times } from '../recorded-runs.ts';
import { deskSize, openDesk, pane, runsWithOutlier } from './desk-page.ts';

const app = builtApp();

/** The width of A4 within margins of 1 cm, in CSS pixels. */
const a4Size = { width: 718, height: 1046 };

interface Paper {
  text: string;
  /** The elements that do not fit on the paper. */
  cut: string[];
  /** The texts that print styles add before the cells of a table. */
  labels: string[];
  /** False if a chart is blank, because the patterns that fill the chart are hidden. */
  hasPatterns: boolean;
}

/** Calls `print` and returns what is on the paper. The browser's print dialog is left out. */
async function printAndRead(page: Page, print: () => Promise<void>): Promise<Paper> {
  await page.evaluate(() => {
    globalThis.print = () => {
      dispatchEvent(new Event('beforeprint'));
      document.body.dataset['printing'] = '';
    };
  });
  await print();
  await page.locator('body[data-printing]').waitFor({ state: 'attached' });
  await page.emulateMedia({ media: 'print' });
  await page.setViewportSize(a4Size);
  const paper = await page.evaluate(() => {
    const cut = [...document.querySelectorAll('main *')].filter((it) => {
      const { left, right, width } = it.getBoundingClientRect();
      const isHidden = it.closest('.visually-hidden, defs') !== null;
      return width > 0 && !isHidden && (right > innerWidth + 1 || left < -1) && !(it instanceof SVGPathElement);
    });
    const clipped = [...document.querySelectorAll('main *')].filter(
      (it) =>
        !it.closest('.visually-hidden') &&
        it.clientWidth > 0 &&
        it.scrollWidth > it.clientWidth + 1 &&
        getComputedStyle(it).overflowX !== 'visible',
    );
    return {
      text: document.body.innerText,
      hasPatterns: document.querySelector('#pattern-valuable')?.closest('svg')?.checkVisibility() ?? false,
      labels: [...document.querySelectorAll('td')].map((it) => getComputedStyle(it, '::before').content),
      cut: [...cut, ...clipped].map(
        (it) => `${it.tagName} ${it.getAttribute('class')} ${it.textContent?.slice(0, 20)}`,
      ),
    };
  });
  await page.setViewportSize(deskSize);
  await page.emulateMedia({ media: null });
  await page.evaluate(() => {
    delete document.body.dataset['printing'];
    dispatchEvent(new Event('afterprint'));
  });
  return paper;
}

test('[APP-220] [APP-442] a comparison is printed without navigation, its table unfolded and nothing cut off, with 50 runs, too', async () => {
  const server = await appServer(app.folder);
  const fifty = times(10, runsWithOutlier).flat();
  const { mapId, runIds } = await uploadRecordings(server, ...fifty);
  const page = await openDesk(server);
  for (const ids of [runIds.slice(0, 5), runIds.slice(0, 20), runIds]) {
    await page.goto(`${server.url}/desk/maps/${mapId}/compare/${ids.join()}`);
    await page.locator('.yamazumi').waitFor();
    const { text, cut, labels, hasPatterns } = await printAndRead(page, () => page.keyboard.press('Control+p'));
    expect(cut).toEqual([]);
    expect(hasPatterns).toBe(true);
    expect(text).toMatch(/Saw[^]*Run comparison|Run comparison[^]*Saw/);
    expect(text).toContain('Press varies most');
    expect(text).toContain('Whole run');
    expect(labels).toContain(ids.length > 6 ? `"Run ${ids.length}"` : 'none');
    expect(/#5\b/.test(text)).toBe(ids.length <= 20);
    expect(text.includes('The numbers in the bars')).toBe(ids.length <= 20);
    if (ids.length === 5) expect(text).toContain('Run 5');
    expect(text).not.toMatch(/Search maps|Devices|All safe|Actions|Exclude outlier|Sort and filter/);
    expect(await page.locator('details[open]').count()).toBe(0);
  }
});

test('[APP-221] a map is printed with its value stream, all its stages and all its runs, without navigation', async () => {
  const server = await appServer(app.folder);
  const { mapId } = await uploadRecordings(server, ...times(16, runsWithOutlier).flat());
  for (const stage of ['Deburr', 'Inspect', 'Pack', 'Ship']) {
    await server.rest.send('POST', `/maps/${mapId}/stages`, { stage, cycle_time_hrs: 0.1, wait_time_hrs: 2 });
  }
  const page = await openDesk(server);
  await page.goto(`${server.url}/desk/maps/${mapId}`);
  await page.getByRole('list', { name: 'Runs' }).getByText('Run 80').waitFor();
  const { text, cut } = await printAndRead(page, async () => {
    await pane(page, 'Map').getByRole('button', { name: 'Actions' }).click();
    await page.getByRole('menuitem', { name: 'Print' }).click();
  });
  expect(cut).toEqual([]);
  expect(text).toContain('Lead time');
  expect(text).toContain('2. Press');
  for (const run of ['Run 80', 'Run 41', 'Run 1\n']) expect(text).toContain(run);
  expect(text).not.toMatch(/Search maps|Devices|All safe|Add stage|Record|Compare|No run selected/);
  await heading(page, 'No run selected').waitFor();
});
