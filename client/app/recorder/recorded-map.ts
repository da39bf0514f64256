import type { FullMap } from '../../../shared/schema/map.ts';
import type { Stage } from '../../../shared/schema/stage.ts';
import type { Recording } from '../../client.ts';
import { useGemba, useValueOf } from '../shell/engine.tsx';
import { stageSteps } from './next-step.ts';

/** The fields of a map that the recorder needs. */
export interface RecordedMap extends Pick<FullMap, 'name' | 'state'> {
  stages: readonly Pick<Stage, 'stage' | 'work_type' | 'cycle_time_hrs'>[];
}

const secsPerHour = 3_600;

/**
 * The new maps whose first cycle is finished and can still be undone, by id. The engine has such a map only afterwards.
 */
const mapsBeingMade = new Map<string, RecordedMap>();

/** Returns the map that the recording will make; undefined if it records an existing map. */
export function mapBeingMade({ new_map_name, steps }: Recording): RecordedMap | undefined {
  if (new_map_name === null) return undefined;
  const stages = stageSteps(steps).map(({ stage_name, work_type, duration_secs }) => ({
    stage: stage_name,
    work_type,
    cycle_time_hrs: (duration_secs ?? 0) / secsPerHour,
  }));
  return { name: new_map_name, state: 'current', stages };
}

export function rememberMapBeingMade(recording: Recording): void {
  const map = mapBeingMade(recording);
  if (map) mapsBeingMade.set(recording.map_id, map);
}

/** Returns the map of the recording; undefined for a new map whose first cycle is under way. */
export function useRecordedMap({ map_id, new_map_name }: Recording): RecordedMap | undefined {
  const gemba = useGemba();
  const map = useValueOf(() => gemba.map$(map_id), [gemba, map_id]);
  return map ?? (new_map_name === null ? mapsBeingMade.get(map_id) : undefined);
}
