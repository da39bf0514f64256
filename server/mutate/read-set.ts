/** Collects the keys of the records that mutations use, so that one statement can load the records of a whole group. */
import type { Mutation } from '../../shared/schema/mutation.ts';
import type { ReadSet } from '../store/transaction.ts';

export function readSetOf(mutations: Mutation[]): ReadSet {
  const readSet = emptyReadSet();
  for (const mutation of mutations) addMutation(readSet, mutation);
  return readSet;
}

export function emptyReadSet(): ReadSet {
  return {
    mapIds: [],
    runIds: [],
    deletedRunIds: [],
    recordingSessionIds: [],
    stageIds: [],
    clientIds: [],
    idempotencyKeys: [],
    tokenHashes: [],
  };
}

/** Merges read sets; duplicate keys are dropped. */
export function mergedReadSet(all: ReadSet[]): ReadSet {
  const each = <Key>(keysOf: (readSet: ReadSet) => Key[]): Key[] => [...new Set(all.flatMap(keysOf))];
  return {
    mapIds: each((readSet) => readSet.mapIds),
    runIds: each((readSet) => readSet.runIds),
    deletedRunIds: each((readSet) => readSet.deletedRunIds),
    recordingSessionIds: each((readSet) => readSet.recordingSessionIds),
    stageIds: all.flatMap((readSet) => readSet.stageIds),
    clientIds: each((readSet) => readSet.clientIds),
    idempotencyKeys: each((readSet) => readSet.idempotencyKeys),
    tokenHashes: each((readSet) => readSet.tokenHashes),
  };
}

export function readCount(readSet: ReadSet): number {
  return Object.values(readSet).reduce((count, keys: unknown[]) => count + keys.length, 0);
}

function addMutation(readSet: ReadSet, { name, args }: Mutation): void {
  switch (name) {
    case 'delete_run':
      readSet.deletedRunIds.push(args.run_id);
      return;
    case 'upload_recording':
    case 'record_new_map':
      readSet.mapIds.push(args.map_id);
      readSet.recordingSessionIds.push(args.recording_session_id);
      if (args.run_id !== undefined) readSet.runIds.push(args.run_id);
      for (const id of args.stage_ids ?? []) readSet.stageIds.push({ map_id: args.map_id, id });
      return;
    case 'add_stage':
      readSet.mapIds.push(args.map_id);
      if (args.stage_id !== undefined) readSet.stageIds.push({ map_id: args.map_id, id: args.stage_id });
      return;
    default:
      readSet.mapIds.push(args.map_id);
  }
}
