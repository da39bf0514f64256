import type { FullMap, MapBeingMade, Recording, Stage } from '../../client.ts';
import { useGemba, useValueOf } from '../shell/engine.tsx';
import { stageKeysOf, stageSteps } from './next-step.ts';
import { secsPerHour } from '../text/format.ts';

/** The fields of a map that the recorder needs. */
export interface RecordedMap extends Pick<FullMap, 'name' | 'state' | 'run_count'> {
  stages: readonly Pick<Stage, 'stage' | 'aliases' | 'work_type' | 'cycle_time_hrs'>[];
}

/** Returns the stages that a map without stages gets from a cycle with these steps. */
export const stagesOfCycle = (steps: MapBeingMade['steps']): RecordedMap['stages'] =>
  stageSteps(steps).map(({ stage_name, work_type, duration_secs }) => ({
    stage: stage_name,
    work_type,
    cycle_time_hrs: (duration_secs ?? 0) / secsPerHour,
  }));

const toRecordedMap = ({ name, steps }: MapBeingMade): RecordedMap => ({
  name,
  state: 'current',
  run_count: 1,
  stages: stagesOfCycle(steps),
});

/**
 * Returns the map of the recording; undefined during the first cycle of a new map. After the first cycle, the steps of
 * that cycle serve as the stages of a map without stages.
 */
export function useRecordedMap({ map_id, map_being_made, earlier_cycle }: Recording): RecordedMap | undefined {
  const gemba = useGemba();
  const map = useValueOf(() => gemba.map$(map_id), [gemba, map_id]);
  if (!map) return map_being_made ? toRecordedMap(map_being_made) : undefined;
  return earlier_cycle && map.stages.length === 0 ? toRecordedMap({ name: map.name, steps: earlier_cycle }) : map;
}

/** The median seconds of each stage in earlier runs, by the key of the stage. */
export type MedianSecsByStage = ReadonlyMap<string, number>;

export interface StageTime {
  secs: number;
  /**
   * `usual`: the median of earlier runs, or, in a map without runs, the time that a person typed. `last`: in a map with
   * runs but without a median, the map's time, which the merge of the last run set.
   */
  kind: 'usual' | 'last';
}

/**
 * Returns the usual or last time of the stage with this name; undefined if the map has no such stage or no time for it.
 */
export function stageTimeOf(
  stepName: string,
  { stages, run_count }: Pick<RecordedMap, 'stages' | 'run_count'>,
  medians?: MedianSecsByStage,
): StageTime | undefined {
  const { keys, keyOf } = stageKeysOf(stages);
  const key = keyOf(stepName);
  const median = medians?.get(key);
  if (median) return { secs: median, kind: 'usual' };
  const ofStep = stages[keys.indexOf(key)];
  return ofStep?.cycle_time_hrs
    ? { secs: ofStep.cycle_time_hrs * secsPerHour, kind: run_count > 0 ? 'last' : 'usual' }
    : undefined;
}
