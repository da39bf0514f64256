/** Collects the keys of the records that mutations use, so that one statement can load the records of a whole group. */
import type { CompleteArgs, Mutation, MutationName } from '../../shared/schema/mutation.ts';
import type { ReadSet } from '../store/transaction.ts';
import { stageIdsMade } from './stage-id-set.ts';

export function readSetOf(mutations: Mutation[]): ReadSet {
  return concatenated(mutations.map(keysRead));
}

export function emptyReadSet(): ReadSet {
  return {
    mapIds: [],
    runIds: [],
    deletedRunIds: [],
    editedRunIds: [],
    recordingSessionIds: [],
    stageIds: [],
    clientIds: [],
    idempotencyKeys: [],
    tokenHashes: [],
  };
}

/** Drops duplicate keys, except stage ids: a `Set` cannot recognize equal objects. */
export function mergedReadSet(readSets: ReadSet[]): ReadSet {
  const all = concatenated(readSets);
  return {
    mapIds: [...new Set(all.mapIds)],
    runIds: [...new Set(all.runIds)],
    deletedRunIds: [...new Set(all.deletedRunIds)],
    editedRunIds: [...new Set(all.editedRunIds)],
    recordingSessionIds: [...new Set(all.recordingSessionIds)],
    stageIds: all.stageIds,
    clientIds: [...new Set(all.clientIds)],
    idempotencyKeys: [...new Set(all.idempotencyKeys)],
    tokenHashes: [...new Set(all.tokenHashes)],
  };
}

function concatenated(readSets: Keys[]): ReadSet {
  return {
    mapIds: readSets.flatMap(({ mapIds = [] }) => mapIds),
    runIds: readSets.flatMap(({ runIds = [] }) => runIds),
    deletedRunIds: readSets.flatMap(({ deletedRunIds = [] }) => deletedRunIds),
    editedRunIds: readSets.flatMap(({ editedRunIds = [] }) => editedRunIds),
    recordingSessionIds: readSets.flatMap(({ recordingSessionIds = [] }) => recordingSessionIds),
    stageIds: readSets.flatMap(({ stageIds = [] }) => stageIds),
    clientIds: readSets.flatMap(({ clientIds = [] }) => clientIds),
    idempotencyKeys: readSets.flatMap(({ idempotencyKeys = [] }) => idempotencyKeys),
    tokenHashes: readSets.flatMap(({ tokenHashes = [] }) => tokenHashes),
  };
}

export function readCount(readSet: ReadSet): number {
  return Object.values(readSet).reduce((count, keys: unknown[]) => count + keys.length, 0);
}

type Keys = Partial<ReadSet>;

function keysRead<Name extends MutationName>({ name, args }: Mutation<Name>): Keys {
  return keysReadBy[name](args);
}

const keysReadBy: { [Name in MutationName]: (args: CompleteArgs[Name]) => Keys } = {
  create_map: mapKey,
  update_map: mapKey,
  delete_map: mapKey,
  restore_map: mapKey,
  add_stage: (args) => ({ ...mapKey(args), stageIds: stageIdsMade({ name: 'add_stage', args }) }),
  update_stage: mapKey,
  delete_stage: mapKey,
  reorder_stages: mapKey,
  upload_recording: (args) => ({
    ...recordingKeys(args),
    stageIds: stageIdsMade({ name: 'upload_recording', args }),
  }),
  record_new_map: (args) => ({ ...recordingKeys(args), stageIds: stageIdsMade({ name: 'record_new_map', args }) }),
  update_run: editedRunKey,
  correct_run: editedRunKey,
  delete_run: ({ run_id }) => ({ deletedRunIds: [run_id] }),
};

function mapKey({ map_id }: { map_id: string }): Keys {
  return { mapIds: [map_id] };
}

function editedRunKey({ run_id }: { run_id: number }): Keys {
  return { editedRunIds: [run_id] };
}

function recordingKeys(args: CompleteArgs['upload_recording' | 'record_new_map']): Keys {
  const { map_id, recording_session_id, run_id } = args;
  return {
    mapIds: [map_id],
    recordingSessionIds: [recording_session_id],
    runIds: run_id === undefined ? [] : [run_id],
  };
}
