/**
 * Pure functions that propose changes of a map's stages: new times from runs, or all stages anew from one run's steps.
 */
import {
  presentNames,
  stageKey,
  type Comparison,
  type RunDoc,
  type Stage,
  type StageReplacement,
  type WorkType,
} from '../../../client.ts';
import { stageReplacementOf } from '../maps/map-copy.ts';
import { workTypes } from '../../ui/work-type.tsx';
import { secsPerHour } from '../../text/format.ts';

/** The median time of a stage, over the `runs` that have a step of the stage. */
export interface MedianTime {
  secs: number;
  runs: number;
}

export interface TimesChange {
  /** The stages that get another time. */
  updates: { stage: Stage; time: MedianTime }[];
  /** The stages that the runs have and the map lacks. */
  additions: { name: string; time: MedianTime; type: WorkType }[];
  /** How many stages of the map stay as they are. */
  keptCount: number;
}

/** A smaller difference comes from rounding, since the map stores hours. */
const differenceSecsMin = 0.001;

/** Proposes the median times of the compared runs. Wait times, work types and stages without a recorded time stay. */
export function proposeMedianTimes(
  stages: readonly Stage[],
  { comparison, runs }: { comparison: Comparison; runs: RunDoc[] },
) {
  const change: TimesChange = { updates: [], additions: [], keptCount: stages.length };
  const presentName = presentNames(stages);
  for (const { stage_name, median_secs: secs, runs: runCount } of comparison.stages) {
    const time = { secs, runs: runCount };
    const { key } = presentName(stage_name);
    const stage = stages.find((known) => stageKey(known.stage) === key);
    if (!stage) {
      const steps = runs.flatMap((run) => run.steps).filter((step) => presentName(step.stage_name).key === key);
      change.additions.push({ name: stage_name, time, type: longestWorkTypeOf(steps) });
    } else if (Math.abs(stage.cycle_time_hrs * secsPerHour - secs) >= differenceSecsMin) {
      change.updates.push({ stage, time });
      change.keptCount--;
    }
  }
  return change;
}

/** Returns the stages of the map after the change. Added stages come last. */
export function stagesWithTimes(stages: readonly Stage[], { updates, additions }: TimesChange): StageReplacement[] {
  const secsOf = new Map(updates.map(({ stage, time }) => [stage.id, time.secs]));
  const changed = stages.map((stage): StageReplacement => {
    const secs = secsOf.get(stage.id);
    return secs === undefined
      ? stageReplacementOf(stage)
      : { ...stageReplacementOf(stage), cycle_time_hrs: secs / secsPerHour };
  });
  const added = additions.map(({ name, time, type }): StageReplacement => {
    return { stage: name, cycle_time_hrs: time.secs / secsPerHour, work_type: type };
  });
  return [...changed, ...added];
}

export interface ProposedStages {
  stages: StageReplacement[];
  removed: Stage[];
  addedCount: number;
}

/**
 * Proposes the steps of a run as the stages of the map. A stage with a step of its name keeps its id and its wait time,
 * and takes the time and the work type of the step. Several steps of one name become several stages.
 */
export function proposeRunStages(stages: readonly Stage[], { steps }: Pick<RunDoc, 'steps'>): ProposedStages {
  const presentName = presentNames(stages);
  const unmatched = [...stages];
  const proposed = steps.map(({ stage_name, duration_secs, work_type }): StageReplacement => {
    const { key, name } = presentName(stage_name);
    const index = unmatched.findIndex(({ stage }) => stageKey(stage) === key);
    const [kept] = index >= 0 ? unmatched.splice(index, 1) : [];
    const fields = { cycle_time_hrs: duration_secs / secsPerHour, work_type };
    return kept ? { ...stageReplacementOf(kept), ...fields } : { stage: name, ...fields };
  });
  const addedCount = proposed.filter(({ id }) => id === undefined).length;
  return { stages: proposed, removed: unmatched, addedCount };
}

function longestWorkTypeOf(steps: RunDoc['steps']): WorkType {
  const secsOf = (type: WorkType) =>
    steps.reduce((sum, { work_type, duration_secs }) => (work_type === type ? sum + duration_secs : sum), 0);
  const [longest = 'incidental'] = workTypes.toSorted((a, b) => secsOf(b) - secsOf(a));
  return longest;
}
