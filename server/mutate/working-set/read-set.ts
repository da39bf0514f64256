/** Collects the keys of the records that mutations use, so that one statement can load the records of a whole group. */
import type { CompleteArgs, Mutation, MutationName } from '../../../shared/schema/mutation.ts';
import type { ReadSet } from '../../store/transaction.ts';
import { deviceMadeStageIdsOf } from './stage-id-set.ts';

export function readSetOf(mutations: Mutation[]): ReadSet {
  return concatenatedReadSets(mutations.map(readSetOfMutation));
}

export function emptyReadSet(): ReadSet {
  return {
    mapIds: [],
    runIds: [],
    runIdsToDelete: [],
    runIdsToChange: [],
    recordingSessionIds: [],
    deviceMadeStageIds: [],
    clientIds: [],
    mutationDigests: [],
    idempotencyKeys: [],
    tokenHashes: [],
  };
}

/** Drops duplicate keys, except stage ids, since a `Set` cannot recognize equal objects. */
export function mergedReadSet(readSets: ReadSet[]): ReadSet {
  const all = concatenatedReadSets(readSets);
  return {
    mapIds: [...new Set(all.mapIds)],
    runIds: [...new Set(all.runIds)],
    runIdsToDelete: [...new Set(all.runIdsToDelete)],
    runIdsToChange: [...new Set(all.runIdsToChange)],
    recordingSessionIds: [...new Set(all.recordingSessionIds)],
    deviceMadeStageIds: all.deviceMadeStageIds,
    clientIds: [...new Set(all.clientIds)],
    mutationDigests: [...new Set(all.mutationDigests)],
    idempotencyKeys: [...new Set(all.idempotencyKeys)],
    tokenHashes: [...new Set(all.tokenHashes)],
  };
}

function concatenatedReadSets(readSets: PartialReadSet[]): ReadSet {
  const all = emptyReadSet();
  for (const readSet of readSets) {
    appendAll(all.mapIds, readSet.mapIds);
    appendAll(all.runIds, readSet.runIds);
    appendAll(all.runIdsToDelete, readSet.runIdsToDelete);
    appendAll(all.runIdsToChange, readSet.runIdsToChange);
    appendAll(all.recordingSessionIds, readSet.recordingSessionIds);
    appendAll(all.deviceMadeStageIds, readSet.deviceMadeStageIds);
    appendAll(all.clientIds, readSet.clientIds);
    appendAll(all.mutationDigests, readSet.mutationDigests);
    appendAll(all.idempotencyKeys, readSet.idempotencyKeys);
    appendAll(all.tokenHashes, readSet.tokenHashes);
  }
  return all;
}

/** Adds the keys one by one, since a list may have more keys than a call can have arguments. */
function appendAll<Key>(list: Key[], keys: readonly Key[] = []): void {
  for (const key of keys) list.push(key);
}

export function readSetSize(readSet: ReadSet): number {
  return Object.values(readSet).reduce((count, keys: unknown[]) => count + keys.length, 0);
}

type PartialReadSet = Partial<ReadSet>;

function readSetOfMutation<Name extends MutationName>({ name, args }: Mutation<Name>): PartialReadSet {
  return readSetByMutationName[name](args);
}

const readSetByMutationName: { [Name in MutationName]: (args: CompleteArgs[Name]) => PartialReadSet } = {
  create_map: mapReadSet,
  update_map: mapReadSet,
  delete_map: mapReadSet,
  restore_map: mapReadSet,
  add_stage: (args) => ({ ...mapReadSet(args), deviceMadeStageIds: deviceMadeStageIdsOf({ name: 'add_stage', args }) }),
  update_stage: mapReadSet,
  delete_stage: mapReadSet,
  reorder_stages: mapReadSet,
  replace_stages: (args) => ({
    ...mapReadSet(args),
    deviceMadeStageIds: deviceMadeStageIdsOf({ name: 'replace_stages', args }),
  }),
  upload_recording: (args) => ({
    ...recordingReadSet(args),
    deviceMadeStageIds: deviceMadeStageIdsOf({ name: 'upload_recording', args }),
  }),
  record_new_map: (args) => ({
    ...recordingReadSet(args),
    deviceMadeStageIds: deviceMadeStageIdsOf({ name: 'record_new_map', args }),
  }),
  update_run: editedRunReadSet,
  correct_run: editedRunReadSet,
  delete_run: ({ run_id }) => ({ runIdsToDelete: [run_id] }),
};

function mapReadSet({ map_id }: { map_id: string }): PartialReadSet {
  return { mapIds: [map_id] };
}

function editedRunReadSet({ run_id }: { run_id: number }): PartialReadSet {
  return { runIdsToChange: [run_id] };
}

function recordingReadSet(args: CompleteArgs['upload_recording' | 'record_new_map']): PartialReadSet {
  const { map_id, recording_session_id, run_id } = args;
  return {
    mapIds: [map_id],
    recordingSessionIds: [recording_session_id],
    runIds: run_id === undefined ? [] : [run_id],
  };
}
