import type { Comparison, RunDoc, StageFigures } from '../schema/run.ts';
import { sum } from './analytics.ts';
import { assert } from './assert.ts';

/**
 * Minimum, maximum, average and median seconds of each stage across runs. Stages are matched by name, trimmed and without
 * regard to case; steps of one run with the same name are added up first; a run without the stage is left out of its
 * figures. Stages stand in order of first appearance, oldest run first; runs as given.
 */
export function compareRuns(runs: RunDoc[]): Comparison {
  const names = new Map<string, string>();
  for (const run of runs.toSorted(byAge)) {
    for (const step of run.steps) {
      const key = stageKey(step.stage_name);
      if (!names.has(key)) names.set(key, step.stage_name);
    }
  }
  const secsByRun = runs.map((run) => ({ run_id: run.id, secs: secsByStage(run) }));
  return {
    runs: runs.map(({ id, map_id, number, total_time_secs, pce }) => ({ id, map_id, number, total_time_secs, pce })),
    stages: [...names].map(([key, stage_name]) => {
      const per_run = secsByRun.flatMap(({ run_id, secs }) => {
        const stageSecs = secs.get(key);
        return stageSecs === undefined ? [] : [{ run_id, secs: stageSecs }];
      });
      return figures(stage_name, per_run);
    }),
  };
}

export const stageKey = (stageName: string): string => stageName.trim().toLowerCase();

function secsByStage(run: RunDoc): Map<string, number> {
  const secs = new Map<string, number>();
  for (const step of run.steps) {
    const key = stageKey(step.stage_name);
    secs.set(key, (secs.get(key) ?? 0) + step.duration_secs);
  }
  return secs;
}

function figures(stage_name: string, per_run: StageFigures['per_run']): StageFigures {
  const sorted = per_run.map(({ secs }) => secs).toSorted((a, b) => a - b);
  return {
    stage_name,
    runs: per_run.length,
    min_secs: sorted[0]!,
    max_secs: sorted.at(-1)!,
    avg_secs: sum(sorted) / sorted.length,
    median_secs: median(sorted),
    per_run,
  };
}

/** Of sorted numbers; the mean of the middle two when their count is even. */
export function median(sorted: number[]): number {
  assert(sorted.length > 0, 'a median needs numbers');
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** The server stamps runs with ascending versions; a run that is still pending on a device has none yet and is newest. */
function byAge(a: RunDoc, b: RunDoc): number {
  const age = (run: RunDoc) => run.version || Number.MAX_SAFE_INTEGER;
  return age(a) - age(b);
}
