import { strFromU8, unzipSync } from 'fflate';
import { expect, test, vi } from 'vitest';
import { bytesOf, exportedRun, sourceOf } from './exported-runs.ts';
import { stepsXlsx } from '../../shared/export/xlsx.ts';

const sheetOf = async (...runs: ReturnType<typeof exportedRun>[]): Promise<string> =>
  strFromU8(unzipSync(await bytesOf(stepsXlsx(sourceOf(...runs))))['xl/worksheets/sheet1.xml']!);

test('[EXPORT-18] ids are text, numbers are numbers and times are days', async () => {
  const sheet = await sheetOf(exportedRun([{ duration_secs: 0.1 }], { id: 2 ** 53 - 1 }));
  expect(sheet).toContain('<c r="A2" t="inlineStr"><is><t xml:space="preserve">9007199254740991</t></is></c>');
  expect(sheet).toContain('<c r="K2"><v>0.1</v></c>');
  expect(sheet).toContain('<c r="L2" t="b"><v>0</v></c>');
  const days = Number(/<c r="I2" s="1"><v>([^<]*)</.exec(sheet)![1]);
  // 2026-07-01 is day 46204 of spreadsheets.
  expect(days).toBeCloseTo(46_204 + 8 / 24, 9);
  const early = await sheetOf(exportedRun([{}], { started_at: '1900-01-05T00:00:00.000Z' }));
  expect(early).toContain('<c r="I2" t="inlineStr"><is><t xml:space="preserve">1900-01-05T00:00:00.000Z<');
});

test('[EXPORT-19] text of a cell stays text, whatever it is', async () => {
  const shown = async (text: string) =>
    /<c r="O2"[^>]*><is><t[^>]*>([^]*?)<\/t>/.exec(await sheetOf(exportedRun([{ notes: text }])))![1];
  expect(await shown('=1+1')).toBe('=1+1');
  expect(await shown('constructor')).toBe('constructor');
  expect(await shown('a<b>&')).toBe('a&lt;b&gt;&amp;');
  expect(await shown('one\r\ntwo')).toBe('one\ntwo');
  expect(await shown('\u0001 _x0041_ \ufffe')).toBe('_x0001_ _x005F_x0041_ _xFFFE_');
  expect(await shown('_x0041_x0042_')).toBe('_x005F_x0041_x005F_x0042_');
  expect(await shown('SKU_x0041\u0001')).toBe('SKU_x005F_x0041_x0001_');
  expect(await shown('x'.repeat(40_000))).toBe('x'.repeat(32_767));
});

test('[EXPORT-20] the same runs make the same bytes at any time', async () => {
  const runs = Array.from({ length: 300 }, (_, id) => exportedRun([{}, {}], { id }));
  const first = await bytesOf(stepsXlsx(sourceOf(...runs)));
  vi.useFakeTimers({ now: Date.UTC(2031, 0, 1), toFake: ['Date'] });
  try {
    expect((await bytesOf(stepsXlsx(sourceOf(...runs)))).equals(first)).toBe(true);
  } finally {
    vi.useRealTimers();
  }
});
