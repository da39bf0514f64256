/** Makes runs from recordings, and stages from the steps of a run. */
import type { FieldError } from '../schema/field-errors.ts';
import { stageTimeHrsMax } from '../schema/limits.ts';
import type { RecordingStep } from '../schema/recording.ts';
import type { RunDoc, RunRecord, RunStep } from '../schema/run.ts';
import type { Stage } from '../schema/stage.ts';
import { cycleEfficiency, sum } from './analytics.ts';
import { isValueAdd, workTypeOf } from './stages/work-type.ts';

/** Sorts the steps by `order`, numbers them from 1, and fills in the defaults of absent fields. */
export function toRunSteps(steps: RecordingStep[]): RunStep[] {
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

/** Sorts `elements` by the `order` of their steps. The element of a step has the same index as the step. */
export function sortBySteps<Element>(steps: RecordingStep[], elements: Element[]): Element[] {
  return steps
    .map(({ order }, index) => ({ order, element: elements[index]! }))
    .toSorted((a, b) => a.order - b.order)
    .map(({ element }) => element);
}

/** Reports steps that repeat the `order` of an earlier step. JSON Schema cannot express this rule. */
export function stepOrderErrors(steps: RecordingStep[]): FieldError[] {
  const seen = new Set<number>();
  return steps.flatMap(({ order }, index) => {
    const repeated = seen.has(order);
    seen.add(order);
    return repeated ? [{ path: `/steps/${index}/order`, message: `order ${order} stands twice in the recording` }] : [];
  });
}

export function stagesFromSteps(mapId: string, steps: RunStep[], stageIdsOfSteps: number[]): Stage[] {
  return steps.map((step, index) => stageOfStep(step, mapId, stageIdsOfSteps[index]!));
}

/** Makes a stage from a step. The duration becomes the cycle time. The wait time is 0, since it was not measured. */
export function stageOfStep(step: RunStep, mapId: string, id: number): Stage {
  return {
    id,
    map_id: mapId,
    stage: step.stage_name,
    order: step.order,
    // An interrupted step has the sum of several durations, which may exceed the limit of a stage.
    cycle_time_hrs: Math.min(step.duration_secs / 3600, stageTimeHrsMax),
    wait_time_hrs: 0,
    work_type: step.work_type,
    value_add: step.value_add,
  };
}

export interface RunHeader {
  id: number;
  mapId: string;
  number: number;
  recordingSessionId: string;
  deviceId: string | null;
  start: Pick<RunRecord, 'started_at' | 'device_started_at'>;
  createdAt: string;
}

/** Builds the run of a recording. The caller sets the version of the run when it is stored. */
export function runOf(head: RunHeader, steps: RunStep[]): RunDoc {
  return {
    id: head.id,
    map_id: head.mapId,
    number: head.number,
    recording_session_id: head.recordingSessionId,
    device_id: head.deviceId,
    ...head.start,
    created_at: head.createdAt,
    version: 0,
    ...runFieldsOfSteps(steps),
  };
}

/** Computes the fields of a run that follow from its steps. */
export function runFieldsOfSteps(steps: RunStep[]): RunFieldsOfSteps {
  const total_time_secs = sum(steps.map(({ duration_secs }) => duration_secs));
  const value_add_time_secs = sum(steps.filter(({ value_add }) => value_add).map(({ duration_secs }) => duration_secs));
  return {
    total_time_secs,
    value_add_time_secs,
    pce: cycleEfficiency(value_add_time_secs, total_time_secs),
    step_count: steps.length,
    steps,
  };
}

type RunFieldsOfSteps = Pick<RunDoc, 'total_time_secs' | 'value_add_time_secs' | 'pce' | 'step_count' | 'steps'>;
