/**
 * Builds the result of an applied mutation, which a push returns: the ids and versions of the changed or new records.
 */
import { assert } from '../../shared/domain/assert.ts';
import type { MutationResult } from '../../shared/protocol/push.ts';
import type { MutationName } from '../../shared/schema/mutation.ts';
import type { AffectedRecords } from './working-set/working-set.ts';

export const mutationResult = (name: MutationName, affected: AffectedRecords): MutationResult =>
  resultBuilders[name](affected);

const resultBuilders: Record<MutationName, (affected: AffectedRecords) => MutationResult> = {
  create_map: mapResult,
  update_map: mapResult,
  delete_map: mapResult,
  restore_map: mapResult,
  add_stage: stageResult,
  update_stage: stageResult,
  delete_stage: deletedStageResult,
  reorder_stages: stageOrderResult,
  replace_stages: stageOrderResult,
  upload_recording: recordingResult,
  record_new_map: recordingResult,
  update_run: runResult,
  correct_run: runResult,
  delete_run: deletedRunResult,
};

function mapResult({ map }: AffectedRecords): MutationResult {
  assert(map, 'the mutation is about a map');
  return { id: map.id, version: map.version };
}

function stageResult({ map, affectedIds }: AffectedRecords): MutationResult {
  const stage = map?.stages.find(({ id }) => id === affectedIds.stageId);
  assert(stage, 'the stage is in its map');
  return { id: stage.id, map_id: stage.map_id, order: stage.order };
}

function deletedStageResult({ map, affectedIds }: AffectedRecords): MutationResult {
  assert(map && affectedIds.stageId !== undefined, 'a deleted stage had its map');
  return { id: affectedIds.stageId, map_id: map.id };
}

function stageOrderResult({ map }: AffectedRecords): MutationResult {
  assert(map, 'stages have their map');
  return { map_id: map.id, version: map.version };
}

function recordingResult({ run }: AffectedRecords): MutationResult {
  assert(run, 'a recording has its run');
  const { id, map_id, number, recording_session_id, map_then } = run;
  return { map: { id: map_id, version: map_then.version }, run: { id, map_id, number }, recording_session_id };
}

function runResult({ run }: AffectedRecords): MutationResult {
  assert(run, 'the mutation is about a run');
  return { id: run.id, map_id: run.map_id, version: run.version };
}

function deletedRunResult({ run }: AffectedRecords): MutationResult {
  assert(run, 'a deleted run keeps its row');
  return { id: run.id };
}
