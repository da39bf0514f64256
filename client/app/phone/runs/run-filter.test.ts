import type { RunRecord } from '../../../client.ts';
import { expect, test } from 'vitest';
import {
  filterAndSortRuns,
  sortRunsForChart,
  noFilter,
  parseRunSort,
  tagsOfRuns,
  type RunFilter,
} from './run-filter.ts';

const run = (number: number, fields: Partial<RunRecord>): RunRecord => ({
  id: number,
  map_id: 'map',
  number,
  recording_session_id: `session-${number}`,
  device_id: null,
  started_at: null,
  created_at: '2026-11-22T12:00:00.000Z',
  version: number,
  total_time_secs: 60,
  value_add_time_secs: 0,
  pce: 0,
  step_count: 1,
  ...fields,
});
const runs = [
  run(3, { started_at: '2026-11-18T12:00:00.000Z', total_time_secs: 50, tags: ['late'], device_id: 'phone' }),
  run(2, { started_at: '2026-11-20T12:00:00.000Z', total_time_secs: 90, excluded: { reason: 'Die broke' } }),
  run(1, { total_time_secs: 70, tags: ['early', 'late'], excluded: null }),
];
const numbers = (filter: Partial<RunFilter>) =>
  filterAndSortRuns(runs, { ...noFilter, ...filter }).map((shown) => shown.number);

test('[APP-163] runs are sorted by number, total time or date, and filtered by day, device, tag and exclusion', () => {
  expect(numbers({})).toEqual([3, 2, 1]);
  expect(numbers({ sort: 'total' })).toEqual([2, 1, 3]);
  expect(numbers({ sort: 'date' })).toEqual([1, 2, 3]);
  expect(numbers({ from: '2026-11-19' })).toEqual([2, 1]);
  expect(numbers({ to: '2026-11-20' })).toEqual([3, 2]);
  expect(numbers({ tag: 'late' })).toEqual([3, 1]);
  expect(numbers({ device: 'phone' })).toEqual([3]);
  expect(numbers({ device: 'api' })).toEqual([2, 1]);
  expect(numbers({ excluded: 'counted' })).toEqual([3, 1]);
  expect(numbers({ excluded: 'excluded', sort: 'total' })).toEqual([2]);
});

test('[APP-510] bars stand by number or date from the oldest on, or by total time from the longest on', () => {
  const order = (sort: RunFilter['sort']) => sortRunsForChart(runs.toReversed(), sort).map(({ number }) => number);
  expect(order('number')).toEqual([1, 2, 3]);
  expect(order('total')).toEqual([2, 1, 3]);
  expect(order('date')).toEqual([3, 2, 1]);
  const alike = [run(1, {}), run(2, {}), run(3, {})];
  for (const sort of ['date', 'total'] as const) expect(sortRunsForChart(alike, sort)).toEqual(alike);
  expect([undefined, 'date', 'total', 'name'].map(parseRunSort)).toEqual(['number', 'date', 'total', 'number']);
});

test('[RUN-12] runs whose tags differ only in case and spaces are filtered together, under the newest spelling', () => {
  const tagged = [run(2, { tags: ['Shift A'] }), run(1, { tags: ['shift a ', 'Line 2'] })];
  expect(tagsOfRuns(tagged)).toEqual([
    ['line 2', 'Line 2'],
    ['shift a', 'Shift A'],
  ]);
  expect(filterAndSortRuns(tagged, { ...noFilter, tag: 'shift a' })).toHaveLength(2);
});
