import type { FullMap } from '../../../shared/schema/map.ts';
import type { Stage } from '../../../shared/schema/stage.ts';
import { stageKey, type MapBeingMade, type Recording } from '../../client.ts';
import { useGemba, useValueOf } from '../shell/engine.tsx';
import { stageKeys, stageSteps, type StepToStart } from './next-step.ts';
import { secsPerHour } from '../text/format.ts';

/** The fields of a map that the recorder needs. */
export interface RecordedMap extends Pick<FullMap, 'name' | 'state' | 'run_count'> {
  stages: readonly Pick<Stage, 'stage' | 'aliases' | 'work_type' | 'cycle_time_hrs'>[];
}

/** Returns the map that the recording will make; undefined if it records an existing map. */
export function mapBeingMade({ new_map_name, steps }: Recording): RecordedMap | undefined {
  return new_map_name === null ? undefined : toRecordedMap({ name: new_map_name, steps });
}

interface FirstCycle {
  recording_session_id: string;
  map_id: string;
  steps: readonly FirstCycleStep[];
}

type FirstCycleStep = StepToStart & { duration_secs?: number | null };

let firstCycle: FirstCycle | undefined;

/** Remembers the first cycle of a map without stages: its steps become the stages once it cannot be undone any more. */
export const rememberFirstCycle = (cycle: FirstCycle): void => void (firstCycle = cycle);

function toRecordedMap({ name, steps }: Pick<MapBeingMade, 'name'> & Pick<FirstCycle, 'steps'>): RecordedMap {
  const stages = stageSteps(steps).map(({ stage_name, work_type, duration_secs }) => ({
    stage: stage_name,
    work_type,
    cycle_time_hrs: (duration_secs ?? 0) / secsPerHour,
  }));
  return { name, state: 'current', run_count: 1, stages };
}

/** Returns the map of the recording; undefined for a new map whose first cycle is under way. */
export function useRecordedMap({ recording_session_id, map_id, map_being_made }: Recording): RecordedMap | undefined {
  const gemba = useGemba();
  const map = useValueOf(() => gemba.map$(map_id), [gemba, map_id]);
  if (!map) return map_being_made ? toRecordedMap(map_being_made) : undefined;
  const isLaterCycle = firstCycle?.map_id === map_id && firstCycle.recording_session_id !== recording_session_id;
  return firstCycle && isLaterCycle && map.stages.length === 0
    ? toRecordedMap({ name: map.name, steps: firstCycle.steps })
    : map;
}

/** The medians of the stages in earlier runs, in seconds, by the keys of the stages. */
export type MedianSecs = ReadonlyMap<string, number>;

export interface StageTime {
  secs: number;
  /** `last`: the time of the last run, which a merge has put into the map. A person has typed it if there is no run. */
  kind: 'usual' | 'last';
}

/** Returns the time of the stage of a step; undefined if the map has no such stage, or no time for it. */
export function stageTimeOf(
  stepName: string,
  { stages, run_count }: Pick<RecordedMap, 'stages' | 'run_count'>,
  medians?: MedianSecs,
): StageTime | undefined {
  const key = stageKeys(stages)(stepName);
  const median = medians?.get(key);
  if (median) return { secs: median, kind: 'usual' };
  const ofStep = stages.find(({ stage }) => stageKey(stage) === key);
  return ofStep?.cycle_time_hrs
    ? { secs: ofStep.cycle_time_hrs * secsPerHour, kind: run_count > 0 ? 'last' : 'usual' }
    : undefined;
}
