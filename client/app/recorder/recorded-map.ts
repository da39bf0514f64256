import type { FullMap } from '../../../shared/schema/map.ts';
import type { Stage } from '../../../shared/schema/stage.ts';
import { stageKey, type MapBeingMade, type Recording } from '../../client.ts';
import { useGemba, useValueOf } from '../shell/engine.tsx';
import { stageSteps, type StepToStart } from './next-step.ts';
import { secsPerHour } from '../text/format.ts';

/** The fields of a map that the recorder needs. */
export interface RecordedMap extends Pick<FullMap, 'name' | 'state'> {
  stages: readonly Pick<Stage, 'stage' | 'work_type' | 'cycle_time_hrs'>[];
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
  return { name, state: 'current', stages };
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

/** Returns the time that the map has for the stage of a step; undefined if the map has no such stage. */
export function usualSecsOf(
  { stage_name }: Pick<Recording['steps'][number], 'stage_name'>,
  stages: readonly Pick<Stage, 'stage' | 'cycle_time_hrs'>[],
): number | undefined {
  const ofStep = stages.find(({ stage }) => stageKey(stage) === stageKey(stage_name));
  return ofStep && ofStep.cycle_time_hrs * secsPerHour;
}
