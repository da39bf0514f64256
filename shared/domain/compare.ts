import type { Comparison, RunDoc, RunStep, StageFigures } from '../schema/run.ts';
import { sum } from './analytics.ts';
import { assert } from './assert.ts';

/** The fields of a run that a comparison needs. */
export type ComparedRun = Pick<RunDoc, 'id' | 'map_id' | 'number' | 'total_time_secs' | 'pce' | 'version'> & {
  steps: Pick<RunStep, 'stage_name' | 'duration_secs'>[];
};

/**
 * Compares runs: the minimum, maximum, average and median seconds of each stage. Stages match by name, whatever the
 * white space around it, its case and its Unicode composition. Steps of one run with the same name are added up, and a
 * run without a stage does not count for that stage. Stages are in order of their first appearance, oldest run first;
 * runs keep their given order.
 */
export function compareRuns(runs: ComparedRun[]): Comparison {
  const work = compareInPortions(runs);
  let step = work.next();
  while (!step.done) step = work.next();
  return step.value;
}

/** The number of stages computed between two yields. */
const stagesPerYield = 500;

/**
 * Compares runs like `compareRuns`, but yields between portions of the work so that a server can handle other requests.
 */
export function* compareInPortions(runs: ComparedRun[]): Generator<undefined, Comparison> {
  const names = new Map<string, string>();
  for (const run of runs.toSorted(oldestFirst)) {
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
    stages.push(stageFigures(stage_name, perRun.get(key) ?? []));
    if (stages.length % stagesPerYield === 0) yield;
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

function stageFigures(stage_name: string, per_run: StageFigures['per_run']): StageFigures {
  const sorted = per_run.map(({ secs }) => secs).toSorted((a, b) => a - b);
  const [least, most] = [sorted[0]!, sorted.at(-1)!];
  return {
    stage_name,
    runs: per_run.length,
    min_secs: least,
    max_secs: most,
    // Floating-point sums are inexact: the average of 0.1, 0.1 and 0.1 would exceed the maximum without the clamp.
    avg_secs: Math.min(most, Math.max(least, sum(sorted) / sorted.length)),
    median_secs: median(sorted),
    per_run,
  };
}

/** Takes sorted numbers; an even count gives the mean of the middle two. */
export function median(sorted: number[]): number {
  assert(sorted.length > 0, 'a median needs numbers');
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/**
 * Orders runs by the server's ascending versions. A run that is still pending on a device has version 0 and is newest.
 */
function oldestFirst(a: ComparedRun, b: ComparedRun): number {
  const age = (run: ComparedRun) => run.version || Number.MAX_SAFE_INTEGER;
  return age(a) - age(b);
}
