import { stagesPerMapMax } from '../schema/limits.ts';
import type { Stage } from '../schema/stage.ts';
import { deviceMadeIdRefusal, deviceMadeStageIdsRefusal, findLiveMap } from './guards.ts';
import { withStages } from './map.ts';
import { applied, validationRefusal, refused } from './outcome.ts';
import { repeatedIdIndex, replaceStages } from './stages/replaced-stages.ts';
import { insertStage, newStage, removeStage, reorderStages, updateStage } from './stages/stages.ts';
import type { Refused, MutationRule } from './state.ts';

const add_stage: MutationRule<'add_stage'> = (state, { map_id, stage_id, ...fields }, { now, firstFreeId }) => {
  const found = findLiveMap(state, map_id);
  if (!found.ok) return found;
  const { stages } = found.record;
  if (stages.length >= stagesPerMapMax) {
    return validationRefusal([{ path: '/stage', message: `a map has at most ${stagesPerMapMax} stages` }]);
  }
  const id = stage_id ?? firstFreeId;
  const refusal =
    stage_id !== undefined &&
    deviceMadeIdRefusal({ field: 'stage_id', path: '/stage_id', id, isTaken: state.isStageIdTaken(map_id, id) });
  if (refusal) return refusal;
  const stage = newStage({ id, mapId: map_id }, fields);
  const changed = { ...withStages(found.record, insertStage(stages, stage, fields.order)), updated_at: now };
  return applied({ map: changed }, { mapId: map_id, stageId: id }, stage_id === undefined ? 1 : 0);
};

const update_stage: MutationRule<'update_stage'> = (state, { map_id, stage_id, ...patch }, { now }) => {
  const found = findLiveMap(state, map_id);
  if (!found.ok) return found;
  if (!hasStage(found.record.stages, stage_id)) return stageNotFoundRefusal(stage_id);
  const stages = updateStage(found.record.stages, stage_id, patch);
  const changes = stages.some((stage, index) => !isSameStage(stage, found.record.stages[index]!));
  if (!changes) return applied({}, { mapId: map_id, stageId: stage_id });
  return applied(
    { map: { ...withStages(found.record, stages), updated_at: now } },
    { mapId: map_id, stageId: stage_id },
  );
};

const delete_stage: MutationRule<'delete_stage'> = (state, { map_id, stage_id }, { now }) => {
  const found = findLiveMap(state, map_id);
  if (!found.ok) return found;
  if (!hasStage(found.record.stages, stage_id)) return stageNotFoundRefusal(stage_id);
  const stages = removeStage(found.record.stages, stage_id);
  return applied(
    { map: { ...withStages(found.record, stages), updated_at: now } },
    { mapId: map_id, stageId: stage_id },
  );
};

const reorder_stages: MutationRule<'reorder_stages'> = (state, { map_id, stage_ids }, { now }) => {
  const found = findLiveMap(state, map_id);
  if (!found.ok) return found;
  const stages = reorderStages(found.record.stages, stage_ids);
  if (!stages) return refused('stage_ids_mismatch', "stage_ids must hold each of the map's stages exactly once.");
  if (stages.every((stage, index) => stage === found.record.stages[index])) return applied({}, { mapId: map_id });
  return applied({ map: { ...withStages(found.record, stages), updated_at: now } }, { mapId: map_id });
};

/** Keeps the stages whose ids are listed, adds the other entries of the list as new stages, and deletes the rest. */
const replace_stages: MutationRule<'replace_stages'> = (
  state,
  { map_id, stages: replacements, stage_ids },
  context,
) => {
  const repeated = repeatedIdIndex(replacements);
  if (repeated >= 0)
    return validationRefusal([{ path: `/stages/${repeated}/id`, message: 'the stage is listed before' }]);
  if (stage_ids && stage_ids.length !== replacements.length) {
    const message = `there are ${replacements.length} stages and ${stage_ids.length} stage ids`;
    return validationRefusal([{ path: '/stage_ids', message }]);
  }
  const found = findLiveMap(state, map_id);
  if (!found.ok) return found;
  const { stages: before } = found.record;
  const refusal = deviceMadeStageIdsRefusal(state, map_id, stage_ids);
  if (refusal) return refusal;
  let nextId = context.firstFreeId;
  const stageIdAt = (index: number) => stage_ids?.[index] ?? nextId++;
  const stages = replaceStages({ mapId: map_id, stages: before, replacements, stageIdAt });
  const differs = stages.length !== before.length || stages.some((stage, index) => !isSameStage(stage, before[index]!));
  if (!differs) return applied({}, { mapId: map_id });
  const changed = { ...withStages(found.record, stages), updated_at: context.now };
  return applied({ map: changed }, { mapId: map_id }, nextId - context.firstFreeId);
};

function isSameStage(a: Stage, b: Stage): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}

const hasStage = (stages: Stage[], stageId: number): boolean => stages.some(({ id }) => id === stageId);

function stageNotFoundRefusal(stageId: number): Refused {
  return refused('stage_not_found', `The map has no stage ${stageId}.`);
}

export const stageMutationRules = { add_stage, update_stage, delete_stage, reorder_stages, replace_stages };
