import { expect, test } from 'vitest';
import type { Benchmarks, Work } from './figures.ts';
import { goalRows } from './goals.ts';

const origin = { date: '2026-11-23', revision: '0123456', node: 'v20.19.0', cpus: 2 };

function measured(id: string, better: Work['better'], name: string, median: number): Benchmarks {
  const figures = [{ name, role: 'gemba' as const, durability: 'disk', median, min: median, max: median }];
  const work: Work = { id, title: 'Work', about: 'It is done.', unit: 'units', better, rounds: 1, figures };
  return { versions: {}, parts: { part: { origin, works: [work] } } };
}

test.each([
  ['drain', 'lower', 'Gemba', 90, 'met'],
  ['drain', 'lower', 'Gemba', 180, 'missed: 2.00 of it'],
  ['reads', 'higher', 'Gemba, a log line a request', 4_000, 'met'],
  ['reads', 'higher', 'Gemba, a log line a request', 1_000, 'missed: 0.25 of it'],
] as const)('[HOUSE-35] %s, where %s is better, of %s: %d is %s', (id, better, name, median, outcome) => {
  expect(goalRows(measured(id, better, name, median)).map((row) => row.split('|')[4]?.trim())).toEqual([outcome]);
});

test('[HOUSE-35] a work that was not measured has no row', () => {
  expect(goalRows(measured('other', 'lower', 'Gemba', 1))).toEqual([]);
});
