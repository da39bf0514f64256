/** Comparing runs on the phone. Real server process, real Chromium. */
import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import type { Comparison } from '../../../../shared/schema/run.ts';
import { durationText } from '../../../../client/app/text/format.ts';
import { inPage } from '../../in-page.ts';
import { expectNoViolationsInOneScheme, switchColorScheme } from '../accessibility.ts';
import { appServer } from '../app-server.ts';
import { builtApp } from '../built-app.ts';
import type { Size } from '../devices.ts';
import {
  link,
  morningRecordings,
  openPhone,
  uploadRecordings,
  shortRecording,
  tableHeads,
  times,
} from '../recorded-runs.ts';
import { button, heading, status } from '../locators.ts';

const app = builtApp();

const narrowest: Size = { width: 360, height: 740 };

/** Returns the words that a screen reader reads from the table. */
const tableWords = (page: Page) =>
  page.locator('table tr').evaluateAll((trs) =>
    trs.map((tr) =>
      [...tr.children].map((cell) => {
        const spoken = cell.cloneNode(true) as Element;
        for (const hidden of spoken.querySelectorAll('[aria-hidden]')) hidden.remove();
        return spoken.textContent.trim().replace(/\s+/g, ' ');
      }),
    ),
  );

/** Returns the segments of each bar from the bottom up: fill, height in CSS pixels, number. */
const barParts = (page: Page) =>
  page.locator('.yamazumi-bars > svg > .yamazumi-bar').evaluateAll((bars) =>
    bars.map((bar) =>
      [...bar.querySelectorAll('g')].map((part) => {
        const rect = part.querySelector('rect')!;
        return [
          rect.getAttribute('fill'),
          Number(rect.getAttribute('height')),
          part.querySelector('.yamazumi-number')?.textContent,
        ];
      }),
    ),
  );

async function expectCompared(page: Page, { stages }: Comparison): Promise<void> {
  await heading(page, 'Run comparison').waitFor();
  await page.locator('.yamazumi').waitFor();
  const table = await tableWords(page);
  expect(table.map((row) => row.join(' | '))).toEqual([
    'Stage | n | Median | Min | Max | Avg | SD | CV | Run 1 | Run 2 | Run 3 | Run 4',
    '1. Load | 4 | 0:13.0 | 0:10.0 | 0:16.0 | 0:13.0 | 0:02.6 | 20% | Incidental 0:10.0 | Incidental 0:14.0 | Incidental 0:12.0 | Incidental 0:16.0',
    '2. Press | 4 | 0:26.5 | 0:20.0 | 0:31.0 | 0:26.0 | 0:04.5 | 17% | Valuable 0:20.0 | Valuable 0:22.0Waste 0:04.0 | Valuable 0:31.0 | Valuable 0:27.0',
    '3. Inspect in 3 of 4 runs | 3 | 0:08.0 | 0:05.0 | 0:14.0 | 0:09.0 | 0:04.6 | 51% | Incidental 0:08.0 | Incidental 0:05.0 | Waste 0:14.0 | –',
    '4. Search in 1 of 4 runs | 1 | 0:09.0 | 0:09.0 | 0:09.0 | 0:09.0 | – | – | – | Waste 0:09.0 | – | –',
    'Whole run | 4 | 0:48.5 | 0:38.0 | 0:57.0 | 0:48.0 | 0:09.0 | 19% | 0:38.0 | 0:54.0 | 0:57.0 | 0:43.0',
  ]);
  expect(table.slice(1, -1).map((row) => row.slice(2, 6))).toEqual(
    stages.map(({ median_secs, min_secs, max_secs, avg_secs }) =>
      [median_secs, min_secs, max_secs, avg_secs].map(durationText),
    ),
  );
}

test('[APP-52] [APP-145] [APP-147] [APP-155] runs are compared offline, by bars to scale and a table that says the same, as the API does, also after a reload', async () => {
  const server = await appServer(app.folder);
  const { runIds } = await uploadRecordings(server, ...morningRecordings);
  const { body: byApi } = await server.rest.send<Comparison>('POST', '/runs/compare', { run_ids: runIds });
  const page = await openPhone(server, narrowest);
  await server.kill();
  await page.reload();
  await page.getByText('Saw').click();
  await link(page, '4 runs').click();
  await link(page, 'Compare runs').click();
  await button(page, 'Select all').click();
  await button(page, 'Compare 4 runs').click();
  await expectCompared(page, byApi);

  // The plot is 288 pixels high and ends at 60 seconds.
  const fills = { V: 'url(#pattern-valuable)', I: 'url(#pattern-incidental)', W: 'url(#pattern-waste)' };
  const part = (type: keyof typeof fills, secs: number, stage: number) => [
    fills[type],
    expect.closeTo(secs * 4.8, 6),
    String(stage),
  ];
  expect(await barParts(page)).toEqual([
    [part('I', 10, 1), part('V', 20, 2), part('I', 8, 3)],
    [part('I', 14, 1), part('V', 22, 2), part('W', 4, 2), part('I', 5, 3), part('W', 9, 4)],
    [part('I', 12, 1), part('V', 31, 2), part('W', 14, 3)],
    [part('I', 16, 1), part('V', 27, 2)],
  ]);
  expect(await page.locator('.yamazumi-axis text').allTextContents()).toEqual([
    '0:00',
    '0:10',
    '0:20',
    '0:30',
    '0:40',
    '0:50',
    '1:00',
  ]);
  await page.getByRole('img', { name: '4 bars, one for each run.' }).waitFor();
  expect(await labelsInTheWay(page)).toEqual([]);
  await expectNoViolationsInOneScheme(page);
  await page.reload();
  await status(page, 'Offline').waitFor();
  await expectCompared(page, byApi);
});

/** Returns labels that overlap or lie outside the chart, and elements that make the page wider than the phone. */
const labelsInTheWay = (page: Page) =>
  inPage(page, () => {
    const labels = [...document.querySelectorAll('.yamazumi text, .yamazumi-label > span')];
    const boxes = labels.map((label) => ({ text: label.textContent, ...label.getBoundingClientRect().toJSON() }));
    const overlapping = boxes.flatMap((a, index) =>
      boxes
        .slice(index + 1)
        .filter((b) => a.left < b.right && b.left < a.right && a.top + 3 < b.bottom && b.top + 3 < a.bottom)
        .map((b) => `${a.text} ${b.text}`),
    );
    const chart = document.querySelector('.yamazumi')!.getBoundingClientRect();
    const cut = boxes.filter(({ left, right }) => left < chart.left || right > chart.right).map(({ text }) => text);
    const { scrollWidth } = document.documentElement;
    const wide = scrollWidth > innerWidth ? [`${scrollWidth} pixels wide`] : [];
    return [...overlapping, ...cut, ...wide];
  });

test('[APP-53] [APP-148] runs are chosen by finger and by key, 50 at most, and are chosen still when one comes back', async () => {
  const server = await appServer(app.folder);
  await uploadRecordings(server, ...times(52, shortRecording));
  const page = await openPhone(server);
  await page.getByText('Saw').click();
  await link(page, '52 runs').click();
  await link(page, 'Compare runs').click();
  const choice = (name: string) => page.getByRole('checkbox', { name: new RegExp(`^${name}\\b`) });
  await page.getByRole('status').getByText('0 of 52 selected').waitFor();
  expect(await button(page, 'Select 2 or more').isDisabled()).toBe(true);
  await tap(page, 'Run 51');
  await page.getByText('1 of 52 selected').waitFor();
  expect(await choice('Run 51').isChecked()).toBe(true);
  await choice('Run 52').focus();
  await page.keyboard.press('Space');
  await page.getByText('2 of 52 selected').waitFor();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Space');
  await page.getByText('3 of 52 selected').waitFor();
  await expectNoViolationsInOneScheme(page);
  await button(page, 'Compare 3 runs').click();
  expect((await tableHeads(page)).slice(8)).toEqual(['Run 50', 'Run 51', 'Run 52']);
  await page.goBack();
  await page.getByText('3 of 52 selected').waitFor();
  expect(await choice('Run 50').isChecked()).toBe(true);

  await button(page, 'Clear selection').click();
  await button(page, 'Select latest 50').click();
  await page.getByText('50 of 52 selected').waitFor();
  await inPage(page, () => scrollTo(0, document.documentElement.scrollHeight));
  expect(await choice('Run 2').isDisabled()).toBe(true);
  await button(page, 'Compare 50 runs').click();
  await heading(page, 'Run comparison').waitFor();
  expect((await tableHeads(page)).length).toBe(58);
  await expectNoViolationsInOneScheme(page);
});

/** Taps with a finger. */
async function tap(page: Page, text: string): Promise<void> {
  const { x, y, width, height } = (await page.getByText(text, { exact: true }).boundingBox())!;
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setTouchEmulationEnabled', { enabled: true });
  const touchPoints = [{ x: x + width / 2, y: y + height / 2 }];
  await session.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints });
  await session.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
  await session.detach();
}

test('[APP-436] a segment has the number of its stage, and the name where the bar is wide enough', async () => {
  const server = await appServer(app.folder);
  const { mapId, runIds } = await uploadRecordings(server, ...morningRecordings);
  const page = await openPhone(server);
  const names = page.locator('.yamazumi-name');
  const compare = (ids: number[]) => page.goto(`${server.url}/maps/${mapId}/compare/${ids.join()}`);
  await compare(runIds.slice(0, 2));
  await names.getByText('Load').first().waitFor();
  expect(await page.locator('.yamazumi-label').first().innerText()).toBe('1 Load');
  expect(await labelsInTheWay(page)).toEqual([]);
  await expectNoViolationsInOneScheme(page);
  await compare(runIds);
  await page.locator('.yamazumi-number').nth(9).waitFor();
  expect(await names.first().isVisible()).toBe(false);
});

test('[APP-88] a table that is wider than the phone shows at its edge that it goes on, and scrolls by key', async () => {
  const server = await appServer(app.folder);
  const { mapId, runIds } = await uploadRecordings(server, ...morningRecordings);
  const page = await openPhone(server);
  await page.goto(`${server.url}/maps/${mapId}/compare/${runIds.join()}`);
  await page.getByText('All times as a table').click();
  const table = page.getByRole('region', { name: 'Times of the stages' });
  await table.focus();
  await switchColorScheme(page, 'light');
  const atStart = await edgeBrightness(table);
  const isAtEnd = () => table.evaluate((it) => it.scrollLeft + it.clientWidth >= it.scrollWidth - 1);
  expect(await isAtEnd()).toBe(false);
  await expect
    .poll(async () => {
      await page.keyboard.press('ArrowRight');
      return isAtEnd();
    })
    .toBe(true);
  expect(await edgeBrightness(table)).toBe(255);
  expect(atStart).toBeLessThan(250);
});

/**
 * Returns the brightness of the table's right edge above the words of its head, beside the focus ring: 255 is white.
 */
async function edgeBrightness(table: Locator): Promise<number> {
  const page = table.page();
  await table.scrollIntoViewIfNeeded();
  const { x, y, width } = (await table.boundingBox())!;
  const picture = await page.screenshot({ clip: { x: x + width - 8, y: y + 16, width: 3, height: 2 } });
  const empty = await page.context().newPage();
  try {
    return await empty.evaluate(async (base64) => {
      const bytes = Uint8Array.from(atob(base64), (byte) => byte.charCodeAt(0));
      const bitmap = await createImageBitmap(new Blob([bytes]));
      const canvas = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d')!;
      canvas.drawImage(bitmap, 0, 0);
      const { data } = canvas.getImageData(0, 0, bitmap.width, bitmap.height);
      return data.reduce((sum, value) => sum + value, 0) / data.length;
    }, picture.toString('base64'));
  } finally {
    await empty.close();
  }
}
