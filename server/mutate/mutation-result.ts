/** Builds the answer to an applied mutation of a push: the ids and versions of the records that it changed or made. */
import { assert } from '../../shared/domain/assert.ts';
import type { MutationResult } from '../../shared/protocol/push.ts';
import type { Mutation } from '../../shared/schema/mutation.ts';
import type { Effect } from './working-set.ts';

export function mutationResult({ name }: Mutation, { map, run, affectedIds }: Effect): MutationResult {
  switch (name) {
    case 'upload_recording':
    case 'record_new_map': {
      assert(run, 'a recording has its run');
      const { id, map_id, number, recording_session_id, map_then } = run;
      return { map: { id: map_id, version: map_then.version }, run: { id, map_id, number }, recording_session_id };
    }
    case 'delete_run':
      assert(run, 'a deleted run keeps its row');
      return { id: run.id };
    case 'add_stage':
    case 'update_stage': {
      const stage = map?.stages.find(({ id }) => id === affectedIds.stageId);
      assert(stage, 'the stage is in its map');
      return { id: stage.id, map_id: stage.map_id, order: stage.order };
    }
    case 'delete_stage':
      assert(map && affectedIds.stageId !== undefined, 'a deleted stage had its map');
      return { id: affectedIds.stageId, map_id: map.id };
    case 'reorder_stages':
      assert(map, 'stages have their map');
      return { map_id: map.id, version: map.version };
    default:
      assert(map, 'the mutation is about a map');
      return { id: map.id, version: map.version };
  }
}
