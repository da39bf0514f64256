/**
 * The mutations: the only way to change an account's records, on a device and on the server. `args` are the body and
 * path parameters of the REST endpoint, and may contain the device's own ids for new records.
 */
import { Type, type Static } from 'typebox';
import { DeviceMadeId, Closed, Described, IntegerId, Uuid, type SchemaWords } from './fields.ts';
import { MapPatch, NewMap } from './map.ts';
import { newMapRecordingFields, recordingFields, RunCorrection } from './recording.ts';
import { RunPatch } from './run.ts';
import { NewStage, StageOrder, StagePatch, StageReplacements } from './stage.ts';
import { stagesPerMapMax, stepsPerRecordingMax } from './limits.ts';

const { id: _restId, ...newMapFields } = NewMap.properties;

const OptionalMapId = Described(Type.Optional(Uuid), 'Your own id for the map, final. Left out, the server makes one.');
const MapId = Described(Uuid, 'The map.');
const RunId = Described(IntegerId, 'The run.');
const StageId = Described(IntegerId, 'The stage.');

const recordingIdFields = {
  run_id: Described(Type.Optional(DeviceMadeId), 'Your own id for the run, final. Left out, the server makes one.'),
  stage_ids: Described(
    Type.Optional(Type.Array(DeviceMadeId, { maxItems: stepsPerRecordingMax, uniqueItems: true })),
    'Your own ids for the stages, one a step, final. Left out, the server makes them.',
  ),
};

const describeBodyAndPathIds = (title: string, endpoint: string): SchemaWords => {
  return { title, description: `The body of \`${endpoint}\` and the ids in its path.` };
};
const describePathIds = (title: string): SchemaWords => ({
  title,
  description: 'The ids in the path of the endpoint.',
});

const MapIdArgs = Closed({ map_id: MapId }, describePathIds('MapIdArgs'));

export const mutationArgs = {
  create_map: Closed(
    { map_id: OptionalMapId, ...newMapFields },
    describeBodyAndPathIds('CreateMapArgs', 'POST /api/v1/maps'),
  ),
  update_map: Closed(
    { map_id: MapId, ...MapPatch.properties },
    describeBodyAndPathIds('UpdateMapArgs', 'PATCH /api/v1/maps/{id}'),
  ),
  delete_map: MapIdArgs,
  restore_map: MapIdArgs,
  add_stage: Closed(
    {
      map_id: MapId,
      stage_id: Described(
        Type.Optional(DeviceMadeId),
        'Your own id for the stage, final. Left out, the server makes one.',
      ),
      ...NewStage.properties,
    },
    describeBodyAndPathIds('AddStageArgs', 'POST /api/v1/maps/{id}/stages'),
  ),
  update_stage: Closed(
    { map_id: MapId, stage_id: StageId, ...StagePatch.properties },
    describeBodyAndPathIds('UpdateStageArgs', 'PATCH /api/v1/maps/{id}/stages/{stage_id}'),
  ),
  delete_stage: Closed({ map_id: MapId, stage_id: StageId }, describePathIds('DeleteStageArgs')),
  reorder_stages: Closed(
    { map_id: MapId, ...StageOrder.properties },
    describeBodyAndPathIds('ReorderStagesArgs', 'POST /api/v1/maps/{id}/stages/reorder'),
  ),
  replace_stages: Closed(
    {
      map_id: MapId,
      ...StageReplacements.properties,
      stage_ids: Described(
        Type.Optional(Type.Array(DeviceMadeId, { maxItems: stagesPerMapMax, uniqueItems: true })),
        'Your own ids for new stages, one a stage, final; that of a kept stage is not used. Left out, the server makes them.',
      ),
    },
    describeBodyAndPathIds('ReplaceStagesArgs', 'POST /api/v1/maps/{id}/stages/replace'),
  ),
  upload_recording: Closed(
    { map_id: MapId, ...recordingFields, ...recordingIdFields },
    describeBodyAndPathIds('UploadRecordingArgs', 'POST /api/v1/maps/{id}/recording'),
  ),
  record_new_map: Closed(
    { map_id: OptionalMapId, ...newMapRecordingFields, ...recordingIdFields },
    describeBodyAndPathIds('RecordNewMapArgs', 'POST /api/v1/recording/new'),
  ),
  update_run: Closed(
    { run_id: RunId, ...RunPatch.properties },
    describeBodyAndPathIds('UpdateRunArgs', 'PATCH /api/v1/runs/{run_id}'),
  ),
  correct_run: Closed(
    { run_id: RunId, ...RunCorrection.properties },
    describeBodyAndPathIds('CorrectRunArgs', 'POST /api/v1/runs/{run_id}/correct'),
  ),
  delete_run: Closed({ run_id: RunId }, describePathIds('DeleteRunArgs')),
};

export type MutationName = keyof typeof mutationArgs;
export const mutationNames = Object.keys(mutationArgs) as MutationName[];

/** The `args` of each mutation as a sender gives them. */
export type MutationArgs = { [Name in MutationName]: Static<(typeof mutationArgs)[Name]> };

type WithMapId<Args> = Omit<Args, 'map_id'> & { map_id: string };
type WithRecordingSession<Args> = Omit<Args, 'recording_session_id'> & { recording_session_id: string };

/**
 * The `args` that `apply` takes, after the parser has added the UUIDs that a sender left out. Ids of stages and runs
 * may still be absent; `apply` takes missing ids from the account's counter.
 */
export interface CompleteArgs extends Omit<MutationArgs, 'create_map' | 'upload_recording' | 'record_new_map'> {
  create_map: WithMapId<MutationArgs['create_map']>;
  upload_recording: WithRecordingSession<MutationArgs['upload_recording']>;
  record_new_map: WithMapId<WithRecordingSession<MutationArgs['record_new_map']>>;
}

/** A mutation whose args are valid and complete. */
export type Mutation<Name extends MutationName = MutationName> = {
  [N in Name]: { name: N; args: CompleteArgs[N] };
}[Name];
