import { expect, test } from 'vitest';
import { quantile, statisticsOf, studyOptionsOf, type Observation } from './statistics.ts';
import type { Statistics, StudyRequest } from '../../schema/study.ts';

/** Nine observations of one stage; the figures below are those of NumPy 2 and SciPy 1.17. */
const nine = [12.1, 9.8, 11.4, 10.2, 30.5, 10.9, 11.1, 9.9, 12];

test('[STAT-1] the standard deviation is NIST’s certified one: NumAcc 1 to 4 and Michelson', () => {
  const alternating = (first: number, [low, high]: [number, number]) => [
    first,
    ...Array.from({ length: 1_000 }, (_, index) => (index % 2 === 0 ? low : high)),
  ];
  const certified: [values: number[], sd: number][] = [
    [[10_000_001, 10_000_003, 10_000_002], 1],
    [alternating(1.2, [1.1, 1.3]), 0.1],
    [alternating(1_000_000.2, [1_000_000.1, 1_000_000.3]), 0.1],
    [alternating(10_000_000.2, [10_000_000.1, 10_000_000.3]), 0.1],
    [michelson(), 0.0790105478190518],
  ];
  for (const [values, sd] of certified) {
    expect(Math.abs((statistics(values).sd_secs ?? 0) / sd - 1)).toBeLessThan(1e-8);
  }
});

test('[STAT-1] [STAT-2] [STAT-4] [STAT-6] one run has no spread', () => {
  expect(statistics([5])).toMatchObject({ sd_secs: null, cv: null, ci: null, runs_needed: null, p10_secs: 5 });
});

test('[STAT-2] [STAT-6] times of 0, and times all alike, have no needed number of runs', () => {
  expect(statistics([0, 0])).toMatchObject({ sd_secs: 0, cv: null, runs_needed: null });
  expect(statistics([0.1, 0.1, 0.1])).toMatchObject({ sd_secs: 0, cv: 0, runs_needed: null });
});

test('[STAT-2] [STAT-3] spread and quantiles are those of NumPy', () => {
  const found = statistics(nine);
  expect(found.sd_secs).toBeCloseTo(6.5787536813594105, 12);
  expect(found.cv).toBeCloseTo(6.5787536813594105 / 13.1, 12);
  expect([found.p10_secs, found.p25_secs, found.p75_secs, found.p90_secs]).toEqual([
    9.88, 10.2, 12, 15.780000000000003,
  ]);
  expect(quantile([7], 0.9)).toBe(7);
  expect(quantile([1, 3], 0.25)).toBe(1.5);
});

test('[STAT-4] confidence intervals are those of SciPy', () => {
  const expected = {
    0.9: [9.02216383414298, 17.17783616585702],
    0.95: [8.043122268765192, 18.15687773123481],
    0.99: [5.741911080534568, 20.458088919465435],
  };
  for (const confidence of [0.9, 0.95, 0.99] as const) {
    const { ci } = statistics(nine, { confidence });
    expect(ci?.low_secs).toBeCloseTo(expected[confidence][0] ?? 0, 5);
    expect(ci?.high_secs).toBeCloseTo(expected[confidence][1] ?? 0, 5);
  }
});

test('[STAT-6] the needed runs are those of SciPy, within the error of the t quantiles', () => {
  const expected = {
    0.9: [6_826, 275, 71, 5],
    0.95: [9_691, 390, 100, 7],
    0.99: [10_000, 674, 172, 11],
  };
  for (const confidence of [0.9, 0.95, 0.99] as const) {
    const needed = [0.01, 0.05, 0.1, 0.5].map((precision) => statistics(nine, { confidence, precision }).runs_needed);
    expect(needed).toEqual(expected[confidence]);
  }
  // For a mean of 6.4, s = 2.1 and a precision of 10 %, the normal quantile would give 43 runs, one too few.
  expect(statistics([6.4 - 2.1 / Math.SQRT2, 6.4 + 2.1 / Math.SQRT2], { precision: 0.1 }).runs_needed).toBe(44);
});

test('[STAT-7] outliers are marked from five runs on, and still counted', () => {
  expect(statistics(nine)).toMatchObject({ outlier_run_ids: [5], p90_secs: 15.780000000000003 });
  expect(statistics([1, 1, 1, 100]).outlier_run_ids).toEqual([]);
  expect(statistics([1, 1, 1, 1, 100]).outlier_run_ids).toEqual([5]);
});

test('[STAT-8] [STAT-9] a chart of individuals from eight runs on', () => {
  const { chart } = statistics(nine);
  expect(chart).toMatchObject({ lower_secs: 0, beyond_run_ids: [5] });
  expect(chart?.center_secs).toBeCloseTo(13.1, 12);
  expect(chart?.upper_secs).toBeCloseTo(29.22625, 12);
  expect(statistics(nine.slice(0, 7)).chart).toBeNull();
  expect(statistics([10, 11, 10, 11, 10, 11, 10, 11]).chart).toMatchObject({ lower_secs: 10.5 - 2.66 });
});

test('[STAT-10] runs with an estimated step are counted', () => {
  const observed = observations([4, 5, 6]).map((one, index) => ({ ...one, is_estimated: index > 0 }));
  expect(statisticsOf(observed, studyOptionsOf({})).estimated_runs).toBe(2);
});

test('[STAT-11] [STAT-12] [STAT-13] normal time rates the pace, standard time adds the allowance', () => {
  const ratings = [{ run_id: 2, rating: 1.2 }];
  expect(statistics([10, 20]).standard).toBeNull();
  expect(statistics([10, 20], { ratings }).standard).toEqual({ normal_secs: 17, standard_secs: 17 });
  expect(statistics([10, 20], { ratings, allowance: 0.15 }).standard).toEqual({ normal_secs: 17, standard_secs: 20 });
  expect(statistics([10, 20], { allowance: 0.2, allowance_basis: 'job' }).standard).toEqual({
    normal_secs: 15,
    standard_secs: 18,
  });
});

test('[STAT-14] the standard time, or else the mean, is held against the takt time', () => {
  expect(statistics([10, 20]).over_takt).toBeNull();
  expect(statistics([10, 20], { takt_secs: 15 }).over_takt).toBe(false);
  expect(statistics([10, 20], { takt_secs: 14.9 }).over_takt).toBe(true);
  expect(statistics([10, 20], { takt_secs: 15, allowance: 0.1 }).over_takt).toBe(true);
});

function statistics(times: number[], request: StudyRequest = {}): Statistics {
  return statisticsOf(observations(times), studyOptionsOf(request));
}

const observations = (times: number[]): Observation[] =>
  times.map((secs, index) => ({ run_id: index + 1, secs, is_estimated: false }));

/** Michelson's speed of light in air, in thousands of kilometres a second less 299 (NIST StRD, univariate). */
function michelson(): number[] {
  const thousandths = [
    '850 740 900 1070 930 850 950 980 980 880 1000 980 930 650 760 810 1000 1000 960 960 960 940 960 940 880',
    '800 850 880 900 840 830 790 810 880 880 830 800 790 760 800 880 880 880 860 720 720 620 860 970 950',
    '880 910 850 870 840 840 850 840 840 840 890 810 810 820 800 770 760 740 750 760 910 920 890 860 880',
    '720 840 850 850 780 890 840 780 810 760 810 790 810 820 850 870 870 810 740 810 940 950 800 810 870',
  ];
  return thousandths
    .join(' ')
    .split(' ')
    .map((text) => 299 + Number(text) / 1_000);
}
