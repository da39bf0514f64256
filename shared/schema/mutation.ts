/**
 * The eleven mutations: everything that changes an account's records, on a device and on the server.
 * `args` are the REST endpoint's body plus its path parameters; what a mutation creates may carry the device's own id.
 */
import { Type, type Static } from 'typebox';
import { ClientIntegerId, Closed, GivenName, IntegerId, Uuid } from './fields.ts';
import { MapPatch, NewMap } from './map.ts';
import { recordingFields } from './recording.ts';
import { NewStage, StageOrder, StagePatch } from './stage.ts';
import { stepsPerRecordingMax } from './limits.ts';

const { id: _restId, ...newMapFields } = NewMap.properties;

const recordingIds = {
  run_id: Type.Optional(ClientIntegerId),
  /** One a step: the id at index i is that of the stage that `steps[i]` becomes. */
  stage_ids: Type.Optional(Type.Array(ClientIntegerId, { maxItems: stepsPerRecordingMax, uniqueItems: true })),
};

export const mutationArgs = {
  create_map: Closed({ map_id: Type.Optional(Uuid), ...newMapFields }),
  update_map: Closed({ map_id: Uuid, ...MapPatch.properties }),
  delete_map: Closed({ map_id: Uuid }),
  restore_map: Closed({ map_id: Uuid }),
  add_stage: Closed({ map_id: Uuid, stage_id: Type.Optional(ClientIntegerId), ...NewStage.properties }),
  update_stage: Closed({ map_id: Uuid, stage_id: IntegerId, ...StagePatch.properties }),
  delete_stage: Closed({ map_id: Uuid, stage_id: IntegerId }),
  reorder_stages: Closed({ map_id: Uuid, ...StageOrder.properties }),
  upload_recording: Closed({ map_id: Uuid, ...recordingFields, ...recordingIds }),
  record_new_map: Closed({ map_id: Type.Optional(Uuid), name: GivenName, ...recordingFields, ...recordingIds }),
  delete_run: Closed({ run_id: IntegerId }),
};

export type MutationName = keyof typeof mutationArgs;
export const mutationNames = Object.keys(mutationArgs) as MutationName[];

/** What a mutation's `args` are as sent. */
export type MutationArgs = { [Name in MutationName]: Static<(typeof mutationArgs)[Name]> };

type WithMapId<Args> = Omit<Args, 'map_id'> & { map_id: string };
type WithSession<Args> = Omit<Args, 'recording_session_id'> & { recording_session_id: string };

/** What `apply` takes: the UUIDs that a sender left out were made at the edge. Ids of stages and runs come from the account's counter. */
export interface CompleteArgs extends Omit<MutationArgs, 'create_map' | 'upload_recording' | 'record_new_map'> {
  create_map: WithMapId<MutationArgs['create_map']>;
  upload_recording: WithSession<MutationArgs['upload_recording']>;
  record_new_map: WithMapId<WithSession<MutationArgs['record_new_map']>>;
}

/** A mutation whose args are valid and complete. */
export type Mutation<Name extends MutationName = MutationName> = {
  [N in Name]: { name: N; args: CompleteArgs[N] };
}[Name];
