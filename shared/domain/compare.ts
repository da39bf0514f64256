import type { Comparison, RunDoc, RunStep, StageFigures } from '../schema/run.ts';
import { sum } from './analytics.ts';
import { assert } from './assert.ts';

/** The parts of a run that are compared. */
export type ComparedRun = Pick<RunDoc, 'id' | 'map_id' | 'number' | 'total_time_secs' | 'pce' | 'version'> & {
  steps: Pick<RunStep, 'stage_name' | 'duration_secs'>[];
};

/**
 * Minimum, maximum, average and median seconds of each stage across runs. Stages are matched by name, trimmed, without
 * regard to case and to how Unicode composes it; steps of one run with the same name are added up first; a run without the stage is left out of its
 * figures. Stages stand in order of first appearance, oldest run first; runs as given.
 */
export function compareRuns(runs: ComparedRun[]): Comparison {
  const work = comparison(runs);
  let step = work.next();
  while (!step.done) step = work.next();
  return step.value;
}

/** Stages whose figures are made between two turns for others. */
const stagesPerTurn = 500;

/** The same in pieces: whoever has others to serve lets them between two of them. */
export function* comparison(runs: ComparedRun[]): Generator<undefined, Comparison> {
  const names = new Map<string, string>();
  for (const run of runs.toSorted(byAge)) {
    for (const step of run.steps) {
      const key = stageKey(step.stage_name);
      if (!names.has(key)) names.set(key, step.stage_name);
    }
    yield;
  }
  const perRun = new Map<string, StageFigures['per_run']>([...names.keys()].map((key) => [key, []]));
  for (const run of runs) {
    for (const [key, secs] of secsByStage(run)) perRun.get(key)?.push({ run_id: run.id, secs });
    yield;
  }
  const stages: StageFigures[] = [];
  for (const [key, stage_name] of names) {
    stages.push(figures(stage_name, perRun.get(key) ?? []));
    if (stages.length % stagesPerTurn === 0) yield;
  }
  return {
    runs: runs.map(({ id, map_id, number, total_time_secs, pce }) => ({ id, map_id, number, total_time_secs, pce })),
    stages,
  };
}

export const stageKey = (stageName: string): string => stageName.trim().toLowerCase().normalize('NFC');

function secsByStage(run: ComparedRun): Map<string, number> {
  const secs = new Map<string, number>();
  for (const step of run.steps) {
    const key = stageKey(step.stage_name);
    secs.set(key, (secs.get(key) ?? 0) + step.duration_secs);
  }
  return secs;
}

function figures(stage_name: string, per_run: StageFigures['per_run']): StageFigures {
  const sorted = per_run.map(({ secs }) => secs).toSorted((a, b) => a - b);
  const [least, most] = [sorted[0]!, sorted.at(-1)!];
  return {
    stage_name,
    runs: per_run.length,
    min_secs: least,
    max_secs: most,
    // The sum is rounded: three times 0.1 would make an average above each of them.
    avg_secs: Math.min(most, Math.max(least, sum(sorted) / sorted.length)),
    median_secs: median(sorted),
    per_run,
  };
}

/** Takes sorted numbers; answers the mean of the middle two when their count is even. */
export function median(sorted: number[]): number {
  assert(sorted.length > 0, 'a median needs numbers');
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** The server stamps runs with ascending versions; a run that is still pending on a device has none yet and is newest. */
function byAge(a: ComparedRun, b: ComparedRun): number {
  const age = (run: ComparedRun) => run.version || Number.MAX_SAFE_INTEGER;
  return age(a) - age(b);
}
