/**
 * Makes the fingerprint of a recording. Two uploads of one recording session with equal fingerprints have equal
 * content.
 */
import type { RecordingStep } from '../schema/recording.ts';
import type { RunStep } from '../schema/run.ts';
import { toRunSteps } from './run.ts';

/**
 * Returns the text whose hash is the fingerprint: the target (a map, or the name of a new map) and the steps. The text
 * leaves out `started_at`, ids, the mode in `stages`, and which steps are interruptions (RECORDING-20).
 */
export function fingerprintText(target: { mapId: string } | { newMapName: string }, steps: RecordingStep[]): string {
  const key = 'mapId' in target ? ['map', target.mapId] : ['new', target.newMapName.trim()];
  return JSON.stringify([key, toRunSteps(steps).map(fingerprintFieldsV1)]);
}

/**
 * Returns the fields of a step in version 1 of the fingerprint. The server stores fingerprints for good, so other
 * fields or another order of them need a version 2.
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
  // A new field of steps is a type error here, until someone decides whether the fingerprint covers the field.
  const undecided = Object.values(others satisfies Record<string, never>);
  const text = [stage_name, order, duration_secs, duration_estimated, work_type, value_add, notes, photos];
  return [...text, ...undecided];
}
