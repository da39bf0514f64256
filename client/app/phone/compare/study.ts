/** Pure functions that interpret the figures of a comparison. */

/** The engine counts no further, so this many runs may be too few. */
const runsNeededMax = 10_000;

/** Returns the stage with the greatest standard deviation; undefined if no stage varies. */
export function mostVariableStage(stages: readonly StageFigures[]): StageFigures | undefined {
  const [most] = stages.toSorted((a, b) => (b.sd_secs ?? 0) - (a.sd_secs ?? 0));
  return most?.sd_secs ? most : undefined;
}

/** Returns the id of the run with the longest time for the stage. If several runs tie, the first. */
export const longestRunId = ({ per_run, max_secs }: StageFigures): number | undefined =>
  per_run.find(({ secs }) => secs === max_secs)?.run_id;

/** Returns the times of the runs that are outliers at a stage. */
export const outliersSecsOf = ({ per_run, outlier_run_ids }: StageFigures): number[] =>
  per_run.flatMap(({ run_id, secs }) => (outlier_run_ids.includes(run_id) ? [secs] : []));

export type RunsNeeded =
  | { is: 'one_run' | 'alike' | 'enough' }
  | {
      is: 'more' | 'over';
      runs: number;
    };

export function runsNeeded({ runs, runs_needed }: Pick<TotalTimeFigures, 'runs' | 'runs_needed'>): RunsNeeded {
  if (runs < 2) return { is: 'one_run' };
  if (runs_needed === null) return { is: 'alike' };
  if (runs_needed === runsNeededMax) return { is: 'over', runs: runsNeededMax };
  return runs_needed > runs ? { is: 'more', runs: runs_needed - runs } : { is: 'enough' };
}
import type { StageFigures, TotalTimeFigures } from '../../../client.ts';
