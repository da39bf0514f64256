/**
 * Pure functions that say what the figures of a comparison mean: what varies most, and whether more runs are needed.
 */
import type { StageFigures, TotalTimeFigures } from '../../../client.ts';

/** The engine counts the needed runs up to this number. If it returns this number, even more runs may be needed. */
const runsNeededMax = 10_000;

/** Returns the stage with the greatest standard deviation; undefined if no stage varies. */
export function mostVariableStageOf(stages: readonly StageFigures[]): StageFigures | undefined {
  const [most] = stages.toSorted((a, b) => (b.sd_secs ?? 0) - (a.sd_secs ?? 0));
  return most?.sd_secs ? most : undefined;
}

/** Returns the id of the run with the longest time for the stage. If several runs have this time, returns the first. */
export const longestRunIdOf = ({ per_run, max_secs }: StageFigures): number | undefined =>
  per_run.find(({ secs }) => secs === max_secs)?.run_id;

/** Returns the outliers among the times of a stage, in seconds. */
export const outlierSecsOf = ({ per_run, outlier_run_ids }: StageFigures): number[] =>
  per_run.flatMap(({ run_id, secs }) => (outlier_run_ids.includes(run_id) ? [secs] : []));

/** `one_run`: a single run has no spread. `alike`: all times are equal, so the number of needed runs is unknown. */
export type RunsNeeded =
  | { is: 'one_run' | 'alike' | 'enough' }
  /** A person still has to record `runs` more runs. */
  | { is: 'more'; runs: number }
  /** More than `runs` runs in total are needed. The engine counts only up to `runs`. */
  | { is: 'over'; runs: number };

/** Says whether the mean of the recorded runs is precise enough, or how many more runs are needed. */
export function runsNeededOf({ runs, runs_needed }: Pick<TotalTimeFigures, 'runs' | 'runs_needed'>): RunsNeeded {
  if (runs < 2) return { is: 'one_run' };
  if (runs_needed === null) return { is: 'alike' };
  if (runs_needed === runsNeededMax) return { is: 'over', runs: runsNeededMax };
  return runs_needed > runs ? { is: 'more', runs: runs_needed - runs } : { is: 'enough' };
}
