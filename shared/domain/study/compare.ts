import type { FieldError } from '../../schema/field-errors.ts';
import type { CompareRequest, Comparison, RunDoc, RunStep, StageFigures, TotalTimeFigures } from '../../schema/run.ts';
import type { Stage } from '../../schema/stage.ts';
import type { StudyRequest } from '../../schema/study.ts';
import { assert } from '../assert.ts';
import { presentNames, type StageName } from '../stages/stage-names.ts';
import { meanOf, statisticsOf, studyOptionsOf, type Observation, type StudyOptions } from './statistics.ts';

/** The fields of a run that a comparison needs. */
export type RunToCompare = Pick<
  RunDoc,
  'id' | 'map_id' | 'number' | 'total_time_secs' | 'pce' | 'version' | 'started_at' | 'created_at'
> & {
  steps: Pick<RunStep, 'stage_name' | 'duration_secs' | 'duration_estimated'>[];
};

export interface CompareOptions {
  request?: StudyRequest;
  /** Returns the stages of a map. A recorded step may have an earlier name of a stage. */
  stagesOf?: (mapId: string) => readonly Stage[];
}

/**
 * Compares runs: for each stage, the minimum, maximum, average, median and statistics of its seconds. Stages match by a
 * current or an earlier name; outer white space, case and Unicode composition do not matter.
 *
 * If a run has several steps of one stage, the sum of their times counts. A run without steps of a stage does not count
 * for that stage. The stages are in the order in which they first appear, beginning with the oldest run. The runs stay
 * in their given order.
 */
export function compareRuns(runs: RunToCompare[], options: CompareOptions = {}): Comparison {
  const work = compareInPortions(runs, options);
  let step = work.next();
  while (!step.done) step = work.next();
  return step.value;
}

/** Reports invalid ratings: a rating of a run that is not compared, and a second rating of the same run. */
export function ratingErrors({ run_ids, ratings = [] }: CompareRequest): FieldError[] {
  const compared = new Set(run_ids);
  const rated = new Set<number>();
  return ratings.flatMap(({ run_id }, index) => {
    const path = `/ratings/${index}/run_id`;
    if (!compared.has(run_id)) return { path, message: 'must be one of run_ids' };
    if (rated.has(run_id)) return { path, message: 'must have one rating' };
    rated.add(run_id);
    return [];
  });
}

const stagesPerYield = 500;

/**
 * Compares runs as `compareRuns` does, but yields between portions of the work, so that a server can handle other
 * requests.
 */
export function* compareInPortions(
  runs: RunToCompare[],
  { request = {}, stagesOf = () => [] }: CompareOptions = {},
): Generator<undefined, Comparison> {
  const findPresentName = presentNameFinder(runs, stagesOf);
  const study = studyOptionsOf(request);
  const startRanks = new Map(runs.toSorted(byStart).map(({ id }, rank) => [id, rank]));
  const figuresOf = (observed: Observation[]) => computeFigures(observed, startRanks, study);
  const names = new Map<string, string>();
  for (const run of runs.toSorted(byArrival)) {
    for (const step of run.steps) {
      const { key, name } = findPresentName(run, step.stage_name);
      if (!names.has(key)) names.set(key, name);
    }
    yield;
  }
  const observationsByKey = new Map<string, Observation[]>([...names.keys()].map((key) => [key, []]));
  for (const run of runs) {
    for (const [key, observation] of stageObservationsOf(run, findPresentName))
      observationsByKey.get(key)?.push(observation);
    yield;
  }
  const stages: StageFigures[] = [];
  for (const [key, stage_name] of names) {
    const observed = observationsByKey.get(key) ?? [];
    const { runs: count, min_secs, max_secs, avg_secs, median_secs, ...statistics } = figuresOf(observed);
    const per_run = observed.map(({ run_id, secs }) => ({ run_id, secs }));
    stages.push({ stage_name, runs: count, min_secs, max_secs, avg_secs, median_secs, per_run, ...statistics });
    if (stages.length % stagesPerYield === 0) yield;
  }
  return {
    runs: runs.map(({ id, map_id, number, total_time_secs, pce }) => ({ id, map_id, number, total_time_secs, pce })),
    stages,
    totals: figuresOf(runs.map(totalObservationOf)),
  };
}

type FindPresentName = (run: RunToCompare, recordedName: string) => StageName;

function presentNameFinder(runs: RunToCompare[], stagesOf: (mapId: string) => readonly Stage[]): FindPresentName {
  const byMap = new Map(runs.map(({ map_id }) => [map_id, presentNames(stagesOf(map_id))]));
  return (run, recordedName) => {
    const presentName = byMap.get(run.map_id);
    assert(presentName, 'each run has its map');
    return presentName(recordedName);
  };
}

function stageObservationsOf(run: RunToCompare, findPresentName: FindPresentName): Map<string, Observation> {
  const byStage = new Map<string, Observation>();
  for (const { stage_name, duration_secs, duration_estimated } of run.steps) {
    const { key } = findPresentName(run, stage_name);
    const { secs, is_estimated } = byStage.get(key) ?? { secs: 0, is_estimated: false };
    byStage.set(key, {
      run_id: run.id,
      secs: secs + duration_secs,
      is_estimated: is_estimated || duration_estimated,
    });
  }
  return byStage;
}

const totalObservationOf = ({ id, total_time_secs, steps }: RunToCompare): Observation => ({
  run_id: id,
  secs: total_time_secs,
  is_estimated: steps.some(({ duration_estimated }) => duration_estimated),
});

function computeFigures(
  observed: Observation[],
  startRanks: ReadonlyMap<number, number>,
  study: StudyOptions,
): TotalTimeFigures {
  const sorted = observed.map(({ secs }) => secs).toSorted((a, b) => a - b);
  const [least, most] = [sorted[0], sorted.at(-1)];
  assert(least !== undefined && most !== undefined, 'figures need observations');
  const rankOf = ({ run_id }: Observation) => startRanks.get(run_id) ?? 0;
  return {
    runs: sorted.length,
    min_secs: least,
    max_secs: most,
    avg_secs: meanOf(sorted),
    median_secs: median(sorted),
    ...statisticsOf(
      observed.toSorted((a, b) => rankOf(a) - rankOf(b)),
      study,
    ),
  };
}

/** Returns the median of sorted numbers; for an even count, the mean of the two in the middle. */
export function median(sorted: number[]): number {
  assert(sorted.length > 0, 'a median needs numbers');
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/**
 * Compares two runs by their arrival at the server. A later correction does not change the arrival. A run that is not
 * synced yet has version 0 and counts as the newest.
 */
function byArrival(a: RunToCompare, b: RunToCompare): number {
  const isPending = ({ version }: RunToCompare) => Number(version === 0);
  return isPending(a) - isPending(b) || compareText(a.created_at, b.created_at) || a.number - b.number || a.id - b.id;
}

const compareText = (a: string, b: string): number => Number(a > b) - Number(a < b);

/** Compares the starts of two runs as ISO 8601 texts. The arrival of a run takes the place of an unknown start. */
function byStart(a: RunToCompare, b: RunToCompare): number {
  const [first, second] = [a.started_at ?? a.created_at, b.started_at ?? b.created_at];
  return compareText(first, second) || byArrival(a, b);
}
