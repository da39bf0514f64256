import { expect, test } from 'vitest';
import { compareByStart, runMediansOf, countRunsBefore, type TrendBorder } from './before-after.ts';

const run = (id: number, total_time_secs: number, pce: number | null, day = id) => ({
  id,
  number: id,
  total_time_secs,
  pce,
  started_at: `2026-11-${String(day).padStart(2, '0')}T12:00`,
  created_at: '2026-11-30T12:00',
});
const runs = [run(1, 40, 0.2), run(2, 60, null), run(3, 20, 0.4), run(4, 30, 0.5)];

test('[APP-273] the medians of runs count total times and each PCE that there is', () => {
  expect(runMediansOf(runs.slice(0, 2))).toEqual({ runs: 2, secs: 50, pce: 0.2 });
  expect(runMediansOf(runs.slice(2))).toEqual({ runs: 2, secs: 25, pce: 0.45 });
  expect(runMediansOf([run(1, 40, null)])).toEqual({ runs: 1, secs: 40, pce: null });
  expect(runMediansOf([])).toBeUndefined();
});

test('[APP-367] runs part at a run, or at the beginning of a day', () => {
  const before = (border: TrendBorder | undefined) => countRunsBefore({ shown: runs, all: runs, border });
  expect([1, 3, 4].map((runId) => before({ runId }))).toEqual([0, 2, 3]);
  expect([undefined, { runId: 99 }].map(before)).toEqual([2, 2]);
  expect(['2026-10-01', '2026-11-03', '2026-11-04', '2026-11-05'].map((date) => before({ date }))).toEqual([
    0, 2, 3, 4,
  ]);
});

test('[APP-367] the border stays at the start of its run when the trend leaves this run out', () => {
  const before = (shown: typeof runs, runId: number) => countRunsBefore({ shown, all: runs, border: { runId } });
  const withoutRun2 = runs.filter(({ id }) => id !== 2);
  expect([1, 2, 3].map((runId) => before(withoutRun2, runId))).toEqual([0, 1, 1]);
  const withoutRun4 = runs.slice(0, 3);
  expect(before(withoutRun4, 4)).toBe(3);
  const latest = runs.slice(2);
  expect([1, 2, 3, 4].map((runId) => before(latest, runId))).toEqual([0, 0, 0, 1]);
});

test('[APP-366] runs stand in the order in which they began', () => {
  const late = run(5, 10, null, 2);
  expect([...runs, late].toSorted(compareByStart).map(({ id }) => id)).toEqual([1, 2, 5, 3, 4]);
});
