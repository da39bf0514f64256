/** Examples of times that lie exactly on a limit, and of lists without times. */
import { expect, test } from 'vitest';
import type { Statistics, StudyRequest } from '../../schema/study.ts';
import {
  chartRunsMin,
  controlChartOf,
  meanOf,
  quantile,
  statisticsOf,
  studyOptionsOf,
  type Observation,
} from './statistics.ts';
import { tQuantile } from './t-quantile.ts';

const observations = (times: number[]): Observation[] =>
  times.map((secs, index) => ({ run_id: index + 1, secs, is_estimated: false }));
const statistics = (times: number[], request: StudyRequest = {}): Statistics =>
  statisticsOf(observations(times), studyOptionsOf(request));

test('[STAT-7] a time on a fence is no outlier, and one beyond it is, below and above', () => {
  const outliersOf = (times: number[]) => statistics(times).outlier_run_ids;
  expect(outliersOf([5, 5, 5, 5, 5])).toEqual([]);
  // The quartiles are 1 and 3, so the upper fence is at 6.
  expect(outliersOf([1, 1, 2, 3, 6])).toEqual([]);
  expect(outliersOf([1, 1, 2, 3, 6.5])).toEqual([5]);
  // The quartiles are 3 and 5, so the lower fence is at 0; with 3.5 it is at 1.25.
  expect(outliersOf([0, 3, 4, 5, 5])).toEqual([]);
  expect(outliersOf([0, 3.5, 4, 5, 5])).toEqual([1]);
});

test('[STAT-8] a time on a limit of the chart is not beyond it, and one below the lower limit is', () => {
  const chart = { center_secs: 10, lower_secs: 10, upper_secs: 10, beyond_run_ids: [] };
  expect(statistics(Array.from({ length: 8 }, () => 10)).chart).toEqual(chart);
  const dropped = statistics([10, 10, 10, 10, 10, 10, 10, 1]).chart;
  expect(dropped?.lower_secs).toBeCloseTo(8.875 - 2.66 * (9 / 7), 12);
  expect(dropped?.beyond_run_ids).toEqual([8]);
});

test('[STAT-8] a chart alone is that of the statistics, and there is none for fewer runs', () => {
  const times = [12, 9, 11, 10, 30, 10, 11, 9];
  expect(controlChartOf(observations(times))).toEqual(statistics(times).chart);
  expect(statistics(times).chart).not.toBeNull();
  for (const runs of [0, chartRunsMin - 1]) expect(controlChartOf(observations(times.slice(0, runs)))).toBeNull();
});

test('[STAT-6] two runs may be all that are needed, and runs that reach the precision exactly are enough', () => {
  expect(statistics([1, 1.0001], { precision: 0.5 }).runs_needed).toBe(2);
  // With this precision the left side of the condition is 11² for 121 runs.
  const cv = statistics([9, 11]).cv ?? 0;
  expect(statistics([9, 11], { precision: (tQuantile(120, 0.95) * cv) / 11 }).runs_needed).toBe(121);
});

test('[STAT-1] times that vary by less than their mean is rounded keep their standard deviation', () => {
  const [year, varied] = [31_535_999, 2 ** -28];
  expect((statistics([year, year, year + varied]).sd_secs ?? 0) / (varied / Math.sqrt(3))).toBeCloseTo(1, 8);
});

test('[STAT-11] the normal time is the mean of the rated times, in whatever order the runs began', () => {
  const ratings = [{ run_id: 3, rating: 0.5 }];
  expect(statistics([20, 10, 24], { ratings }).standard).toEqual({ normal_secs: 14, standard_secs: 14 });
});

test('figures of no times are a bug', () => {
  expect(() => statistics([])).toThrow('statistics need observations');
  expect(() => meanOf([])).toThrow('a mean needs numbers');
  expect(() => quantile([], 0.5)).toThrow('a quantile needs numbers');
});
