/**
 * Statistics of a time study. Sources: Stevenson, Operations Management, ch. 7 (needed observations, normal and
 * standard time); Niebel and Freivalds (t for small samples); Hyndman and Fan 1996 (quantiles of type 7); Tukey 1977
 * (outliers beyond 1.5 interquartile ranges); Wheeler and Shewhart (control chart of single values: mean ± 2.66 × mean
 * moving range). All times are in seconds.
 */
import type { ControlChart, Statistics, StudyRequest } from '../../schema/study.ts';
import { sum } from '../analytics.ts';
import { assert } from '../assert.ts';
import { confidenceDefault, tQuantile, type Confidence } from './t-quantile.ts';

export const precisionDefault = 0.05;
export const runsNeededMax = 10_000;
export const outlierRunsMin = 5;
export const chartRunsMin = 8;

interface TimedRun {
  run_id: number;
  secs: number;
}

/** The time of one run, in total or for one stage. */
export interface Observation extends TimedRun {
  /** True if the time contains the estimated duration of a step. */
  is_estimated: boolean;
}

/** The options of a time study, with defaults for the fields that the request leaves out. */
export interface StudyOptions {
  confidence: Confidence;
  precision: number;
  toStandard: ((normalSecs: number) => number) | null;
  ratings: ReadonlyMap<number, number>;
  taktSecs: number | null;
}

export function studyOptionsOf(request: StudyRequest): StudyOptions {
  const { confidence = confidenceDefault, precision = precisionDefault, allowance, allowance_basis: basis } = request;
  const needsStandardTime = request.ratings !== undefined || allowance !== undefined;
  return {
    confidence,
    precision,
    toStandard: needsStandardTime ? (normal) => standardSecs(normal, allowance ?? 0, basis ?? 'day') : null,
    ratings: new Map(request.ratings?.map(({ run_id, rating }) => [run_id, rating])),
    taktSecs: request.takt_secs ?? null,
  };
}

/** Adds the allowance, a share of the working day or of the job's own time. */
function standardSecs(normalSecs: number, allowance: number, basis: 'day' | 'job'): number {
  return basis === 'day' ? normalSecs / (1 - allowance) : normalSecs * (1 + allowance);
}

/**
 * Computes the statistics of one stage, or of total times. `observations` are in the order in which their runs began.
 */
export function statisticsOf(observations: readonly Observation[], study: StudyOptions): Statistics {
  assert(observations.length > 0, 'statistics need observations');
  const n = observations.length;
  const sorted = observations.map(({ secs }) => secs).toSorted((a, b) => a - b);
  const mean = meanOf(sorted);
  const sd = n < 2 ? null : standardDeviation(sorted, mean);
  const standard = standardTime(observations, study);
  return {
    sd_secs: sd,
    cv: sd === null || mean === 0 ? null : sd / mean,
    p10_secs: quantile(sorted, 0.1),
    p25_secs: quantile(sorted, 0.25),
    p75_secs: quantile(sorted, 0.75),
    p90_secs: quantile(sorted, 0.9),
    ci: sd === null ? null : confidenceIntervalAround(mean, (tQuantile(n - 1, study.confidence) * sd) / Math.sqrt(n)),
    runs_needed: sd === null || sd === 0 || mean === 0 ? null : runsNeeded(sd / mean, study),
    estimated_runs: observations.filter(({ is_estimated }) => is_estimated).length,
    outlier_run_ids: outlierRunIds(observations, sorted),
    chart: chartAround(observations, mean),
    standard,
    over_takt: study.taktSecs === null ? null : (standard?.standard_secs ?? mean) > study.taktSecs,
  };
}

/**
 * Returns the mean of sorted numbers, clamped to their range: by rounding, the mean of 0.1, 0.1 and 0.1 would exceed
 * 0.1.
 */
export function meanOf(sorted: readonly number[]): number {
  const [least, most] = [sorted[0], sorted.at(-1)];
  assert(least !== undefined && most !== undefined, 'a mean needs numbers');
  return Math.min(most, Math.max(least, sum(sorted) / sorted.length));
}

/**
 * Returns the sample standard deviation (n - 1). Since the mean is rounded, the deviations add up to `rest` instead of
 * 0, and `rest` corrects the result.
 */
function standardDeviation(values: readonly number[], mean: number): number {
  let squares = 0;
  let rest = 0;
  for (const value of values) {
    squares += (value - mean) ** 2;
    rest += value - mean;
  }
  return Math.sqrt(Math.max(0, squares - rest ** 2 / values.length) / (values.length - 1));
}

/** Returns the quantile of type 7: linear between the two nearest ranks, as in numpy and in Excel's PERCENTILE.INC. */
export function quantile(sorted: readonly number[], share: number): number {
  const rank = (sorted.length - 1) * share;
  const lower = sorted[Math.floor(rank)];
  const upper = sorted[Math.ceil(rank)];
  assert(lower !== undefined && upper !== undefined, 'a quantile needs numbers');
  return lower + (rank - Math.floor(rank)) * (upper - lower);
}

const confidenceIntervalAround = (mean: number, halfWidth: number) => ({
  low_secs: mean - halfWidth,
  high_secs: mean + halfWidth,
});

/**
 * Returns the smallest number of runs n with (t(n - 1) * cv / precision)^2 <= n, if further runs vary like the observed
 * runs. The left side falls as n grows, so a binary search finds n.
 */
function runsNeeded(cv: number, { confidence, precision }: StudyOptions): number {
  const isEnough = (n: number) => ((tQuantile(n - 1, confidence) * cv) / precision) ** 2 <= n;
  let [tooFew, enough] = [1, runsNeededMax];
  while (enough - tooFew > 1) {
    const middle = Math.floor((tooFew + enough) / 2);
    if (isEnough(middle)) enough = middle;
    else tooFew = middle;
  }
  return enough;
}

/** Returns the ids of the runs beyond Tukey's fences. The statistics still include these runs. */
function outlierRunIds(observations: readonly Observation[], sorted: readonly number[]): number[] {
  if (observations.length < outlierRunsMin) return [];
  const [q1, q3] = [quantile(sorted, 0.25), quantile(sorted, 0.75)];
  const fenceDistance = 1.5 * (q3 - q1);
  return observations
    .filter(({ secs }) => secs < q1 - fenceDistance || secs > q3 + fenceDistance)
    .map(({ run_id }) => run_id);
}

/** The constant 3 / 1.128 of an individuals chart, rounded as in the textbooks. */
const movingRangeFactor = 2.66;

/** Returns the control chart of times in the order in which their runs began; null for fewer than 8 runs. */
export function controlChartOf(observations: readonly TimedRun[]): ControlChart | null {
  if (observations.length < chartRunsMin) return null;
  return chartAround(observations, meanOf(observations.map(({ secs }) => secs).toSorted((a, b) => a - b)));
}

/** Computes the limits of an individuals chart from the mean moving range of successive runs. */
function chartAround(observations: readonly TimedRun[], mean: number): ControlChart | null {
  if (observations.length < chartRunsMin) return null;
  const ranges = observations.slice(1).map(({ secs }, index) => Math.abs(secs - (observations[index]?.secs ?? secs)));
  const limitDistance = movingRangeFactor * (sum(ranges) / ranges.length);
  const [lower, upper] = [Math.max(0, mean - limitDistance), mean + limitDistance];
  return {
    center_secs: mean,
    lower_secs: lower,
    upper_secs: upper,
    beyond_run_ids: observations.filter(({ secs }) => secs < lower || secs > upper).map(({ run_id }) => run_id),
  };
}

/**
 * Normal time is the mean of the runs' times, each multiplied by its pace rating (default 1). Standard time adds the
 * allowance.
 */
function standardTime(
  observations: readonly Observation[],
  { ratings, toStandard }: StudyOptions,
): Statistics['standard'] {
  if (!toStandard) return null;
  const rated = observations.map(({ run_id, secs }) => secs * (ratings.get(run_id) ?? 1));
  const normal = meanOf(rated.toSorted((a, b) => a - b));
  return { normal_secs: normal, standard_secs: toStandard(normal) };
}
