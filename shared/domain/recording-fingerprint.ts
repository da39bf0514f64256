/** Identifies the content of a recording, so that a repeated upload is told from another one. */
import type { RecordingStep } from '../schema/recording.ts';
import type { RunStep } from '../schema/run.ts';
import { runSteps } from './run.ts';

/**
 * Returns the text whose hash tells whether two uploads of one recording session are the same. The text has the target (a
 * map, or the name of a new map) and the steps, but neither `started_at` nor ids.
 */
export function fingerprintText(target: { mapId: string } | { newMapName: string }, steps: RecordingStep[]): string {
  const key = 'mapId' in target ? ['map', target.mapId] : ['new', target.newMapName.trim()];
  return JSON.stringify([key, runSteps(steps).map(fingerprintFieldsV1)]);
}

/**
 * The fields of a step in version 1 of the fingerprint. The server stores these hashes for good, so other fields or
 * another order need a version 2 whose hashes are compared only with each other.
 */
function fingerprintFieldsV1({
  stage_name,
  order,
  duration_secs,
  duration_estimated,
  work_type,
  value_add,
  notes,
  photos,
  ...others
}: RunStep): unknown[] {
  // Fails to type-check when a step gets a new field, until someone decides whether the fingerprint covers that field.
  const undecided = Object.values(others satisfies Record<string, never>);
  const text = [stage_name, order, duration_secs, duration_estimated, work_type, value_add, notes, photos];
  return [...text, ...undecided];
}
