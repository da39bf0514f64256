/** A recording becomes the stages of its map and one run. */
import type { FieldError } from '../schema/field-errors.ts';
import type { RecordingStep } from '../schema/recording.ts';
import type { RunDoc, RunRecord, RunStep } from '../schema/run.ts';
import type { Stage } from '../schema/stage.ts';
import { efficiency, sum } from './analytics.ts';
import { isValueAdd, workTypeOf } from './work-type.ts';

/** The steps in the order of `order`, with their positions and the defaults of what was left out. */
export function runSteps(steps: RecordingStep[]): RunStep[] {
  return steps
    .toSorted((a, b) => a.order - b.order)
    .map((step, index) => {
      const work_type = workTypeOf(step);
      return {
        stage_name: step.stage_name.trim(),
        order: index + 1,
        duration_secs: step.duration_secs,
        duration_estimated: step.duration_estimated ?? false,
        work_type,
        value_add: isValueAdd(work_type),
        notes: step.notes ?? '',
        photos: step.photos ?? [],
      };
    });
}

/** Sorts things that were sent one a step by the steps' `order`. */
export function inStepOrder<Thing>(steps: RecordingStep[], things: Thing[]): Thing[] {
  return steps
    .map(({ order }, index) => ({ order, thing: things[index]! }))
    .toSorted((a, b) => a.order - b.order)
    .map(({ thing }) => thing);
}

/**
 * Two recordings of one session are the same when this text is: target and steps. The server keeps a hash of it.
 * The target is a map, or a new map of a name; `started_at` and ids are not part of it.
 */
export function fingerprintText(target: { mapId: string } | { newMapName: string }, steps: RecordingStep[]): string {
  const key = 'mapId' in target ? ['map', target.mapId] : ['new', target.newMapName.trim()];
  return JSON.stringify([key, runSteps(steps).map(fingerprintFieldsV1)]);
}

/**
 * The fields of a step in version 1 of the fingerprint. The server keeps its hashes for good: other fields, or another
 * order, take a version 2, whose text differs and is held against hashes of version 2 alone.
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
  // A new field of a step does not type-check here before somebody decided about it.
  const undecided = Object.values(others satisfies Record<string, never>);
  const text = [stage_name, order, duration_secs, duration_estimated, work_type, value_add, notes, photos];
  return [...text, ...undecided];
}

/** Steps that share an `order` contradict each other; the schema cannot say so. */
export function stepOrderErrors(steps: RecordingStep[]): FieldError[] {
  const seen = new Set<number>();
  return steps.flatMap(({ order }, index) => {
    const repeated = seen.has(order);
    seen.add(order);
    return repeated ? [{ path: `/steps/${index}/order`, message: `order ${order} stands twice in the recording` }] : [];
  });
}

/** One stage a step: its duration is the cycle time, nothing is known of waiting. */
export function stagesOfRun(mapId: string, steps: RunStep[], stageIds: number[]): Stage[] {
  return steps.map((step, index) => ({
    id: stageIds[index]!,
    map_id: mapId,
    stage: step.stage_name,
    order: step.order,
    cycle_time_hrs: step.duration_secs / 3600,
    wait_time_hrs: 0,
    work_type: step.work_type,
    value_add: step.value_add,
  }));
}

export interface RunHead {
  id: number;
  mapId: string;
  number: number;
  recordingSessionId: string;
  deviceId: string | null;
  start: Pick<RunRecord, 'started_at' | 'device_started_at'>;
  createdAt: string;
}

/** The run of a recording; its version is stamped when it is written. */
export function runOf(head: RunHead, steps: RunStep[]): RunDoc {
  const total_time_secs = sum(steps.map(({ duration_secs }) => duration_secs));
  const value_add_time_secs = sum(steps.filter(({ value_add }) => value_add).map(({ duration_secs }) => duration_secs));
  return {
    id: head.id,
    map_id: head.mapId,
    number: head.number,
    recording_session_id: head.recordingSessionId,
    device_id: head.deviceId,
    ...head.start,
    created_at: head.createdAt,
    version: 0,
    total_time_secs,
    value_add_time_secs,
    pce: efficiency(value_add_time_secs, total_time_secs),
    step_count: steps.length,
    steps,
  };
}
