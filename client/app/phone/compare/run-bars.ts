import { presentNames, stageKey, type Comparison, type RunDoc, type Stage, type WorkType } from '../../../client.ts';
import { workTypes } from '../../ui/work-type.tsx';

export interface RunBar {
  id: number;
  map_id: string;
  number: number;
  /** The total time of the run. */
  secs: number;
  /** True if the comparison does not count the run, whose bar then has no segments. */
  isLeftOut: boolean;
  segments: BarSegment[];
}

export interface BarSegment {
  /** The index of the stage in `Comparison.stages`. */
  stageIndex: number;
  type: WorkType;
  secs: number;
}

interface BarOptions {
  comparison: Comparison | null;
  /** The stages of the map. A step that was recorded under an earlier name of a stage counts for that stage. */
  mapStages: readonly Stage[];
}

/** Returns the bar of a run. Each stage has a segment for each work type that its steps have. */
export function barOfRun(run: RunDoc, { comparison, mapStages }: BarOptions): RunBar {
  const { id, map_id, number, total_time_secs, steps } = run;
  const presentName = presentNames(mapStages);
  const isCompared = comparison?.runs.some((compared) => compared.id === id) ?? false;
  const stages = isCompared ? (comparison?.stages ?? []) : [];
  const stepsByStage = new Map<string, RunDoc['steps']>();
  for (const step of isCompared ? steps : []) {
    const { key } = presentName(step.stage_name);
    stepsByStage.set(key, [...(stepsByStage.get(key) ?? []), step]);
  }
  const segments = stages.flatMap(({ stage_name }, stageIndex) => {
    const ofStage = stepsByStage.get(stageKey(stage_name)) ?? [];
    return workTypes.flatMap((type) => {
      const ofType = ofStage.filter(({ work_type }) => work_type === type);
      const secs = ofType.reduce((sum, { duration_secs }) => sum + duration_secs, 0);
      return ofType.length > 0 ? [{ stageIndex, type, secs }] : [];
    });
  });
  return { id, map_id, number, secs: total_time_secs, isLeftOut: !isCompared, segments };
}

/** Returns the two times whose ratio is the balance of the bars; undefined for a single bar or bars without time. */
export function balanceTimesOf(
  bars: readonly Pick<RunBar, 'secs'>[],
): { meanSecs: number; longestSecs: number } | undefined {
  const longestSecs = Math.max(0, ...bars.map(({ secs }) => secs));
  if (bars.length < 2 || longestSecs === 0) return undefined;
  return { meanSecs: bars.reduce((sum, { secs }) => sum + secs, 0) / bars.length, longestSecs };
}

interface DrawnSegment extends BarSegment {
  /** The index of the last stage that the segment shows. A segment of joined stages shows several stages. */
  lastStageIndex: number;
}

interface JoinOptions {
  /** A segment shorter than this is thin: a person cannot see it. */
  thinSecs: number;
  /** Thin neighbours are joined until they are about this long together. */
  joinedSecs: number;
}

/**
 * Joins thin neighbours into one segment for each work type, so that a person can read the bar of a thousand stages.
 */
export function joinThinSegments(
  segments: readonly BarSegment[],
  { thinSecs, joinedSecs }: JoinOptions,
): DrawnSegment[] {
  const drawn: DrawnSegment[] = [];
  let thin: BarSegment[] = [];
  const joinThin = () => {
    for (const type of workTypes) {
      const ofType = thin.filter((segment) => segment.type === type);
      const [first, last] = [ofType[0], ofType.at(-1)];
      const secs = ofType.reduce((sum, segment) => sum + segment.secs, 0);
      if (first && last) drawn.push({ stageIndex: first.stageIndex, lastStageIndex: last.stageIndex, type, secs });
    }
    thin = [];
  };
  let thinTotal = 0;
  for (const segment of segments) {
    const isThin = segment.secs < thinSecs;
    if (!isThin || thinTotal >= joinedSecs) {
      joinThin();
      thinTotal = 0;
    }
    if (isThin) {
      thin.push(segment);
      thinTotal += segment.secs;
    } else drawn.push({ ...segment, lastStageIndex: segment.stageIndex });
  }
  joinThin();
  return drawn;
}
