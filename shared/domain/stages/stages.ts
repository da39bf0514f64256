/** Changes the stages of one map: a list with the positions 1..n. Every function returns a new list. */
import type { NewStage, Stage, StagePatch } from '../../schema/stage.ts';
import { aliasesAfterRename } from './stage-names.ts';
import { requestedWorkType, isValueAdd, workTypeOf } from './work-type.ts';

/** Builds a stage from a request. `insertStage` sets the position of the stage. */
export function newStage(ids: { id: number; mapId: string }, fields: NewStage): Stage {
  const work_type = workTypeOf(fields);
  return {
    id: ids.id,
    map_id: ids.mapId,
    stage: fields.stage.trim(),
    order: fields.order ?? 1,
    cycle_time_hrs: fields.cycle_time_hrs ?? 0,
    wait_time_hrs: fields.wait_time_hrs ?? 0,
    work_type,
    value_add: isValueAdd(work_type),
  };
}

/** Inserts the stage at position `order`, or at the end if `order` is absent or too high. */
export function insertStage(stages: Stage[], stage: Stage, order: number = stages.length + 1): Stage[] {
  return withPositions(stages.toSpliced(order - 1, 0, stage));
}

/** Changes the fields in the patch. An `order` in the patch moves the stage. */
export function updateStage(stages: Stage[], stageId: number, patch: StagePatch): Stage[] {
  const index = stages.findIndex(({ id }) => id === stageId);
  const before = stages[index];
  if (!before) return stages;
  const work_type = requestedWorkType(patch) ?? before.work_type;
  const stage = patch.stage?.trim() ?? before.stage;
  const { aliases: earlierNames, ...unaliased } = before;
  const after: Stage = {
    ...unaliased,
    ...aliasesAfterRename({ stage: before.stage, aliases: patch.aliases ?? earlierNames ?? [] }, stage),
    stage,
    cycle_time_hrs: patch.cycle_time_hrs ?? before.cycle_time_hrs,
    wait_time_hrs: patch.wait_time_hrs ?? before.wait_time_hrs,
    work_type,
    value_add: isValueAdd(work_type),
  };
  const order = Math.min(patch.order ?? before.order, stages.length);
  if (order === before.order) return stages.with(index, after);
  return insertStage(stages.toSpliced(index, 1), after, order);
}

export function removeStage(stages: Stage[], stageId: number): Stage[] {
  return withPositions(stages.filter(({ id }) => id !== stageId));
}

/** Returns the stages in the order of `stageIds`; undefined if `stageIds` are not exactly the ids of the stages. */
export function reorderStages(stages: Stage[], stageIds: number[]): Stage[] | undefined {
  const byId = new Map(stages.map((stage) => [stage.id, stage]));
  if (stageIds.length !== stages.length || new Set(stageIds).size !== stageIds.length) return undefined;
  const reordered = stageIds.flatMap((id) => byId.get(id) ?? []);
  return reordered.length === stages.length ? withPositions(reordered) : undefined;
}

/** Sets the position of each stage. A stage whose position is unchanged stays the same object. */
export function withPositions(stages: Stage[]): Stage[] {
  return stages.map((stage, index) => (stage.order === index + 1 ? stage : withPosition(stage, index + 1)));
}

/**
 * Copies field by field, which is several times faster than a spread. An insert at the top copies every stage of a map.
 */
function withPosition(stage: Stage, order: number): Stage {
  return {
    id: stage.id,
    map_id: stage.map_id,
    stage: stage.stage,
    order,
    cycle_time_hrs: stage.cycle_time_hrs,
    wait_time_hrs: stage.wait_time_hrs,
    work_type: stage.work_type,
    value_add: stage.value_add,
    ...(stage.aliases === undefined ? {} : { aliases: stage.aliases }),
  };
}
