/** The keys of what mutations touch, so that a whole group of them loads at once. */
import type { Mutation } from '../../shared/schema/mutation.ts';
import type { Wants } from '../store/store.ts';

export function wantsOf(mutations: Mutation[]): Wants {
  const wants = noWants();
  for (const mutation of mutations) addMutation(wants, mutation);
  return wants;
}

export function noWants(): Wants {
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

/** Each key once. */
export function mergedWants(all: Wants[]): Wants {
  const each = <Key>(keysOf: (wants: Wants) => Key[]): Key[] => [...new Set(all.flatMap(keysOf))];
  return {
    mapIds: each((wants) => wants.mapIds),
    runIds: each((wants) => wants.runIds),
    deletedRunIds: each((wants) => wants.deletedRunIds),
    recordingSessionIds: each((wants) => wants.recordingSessionIds),
    stageIds: all.flatMap((wants) => wants.stageIds),
    clientIds: each((wants) => wants.clientIds),
    idempotencyKeys: each((wants) => wants.idempotencyKeys),
    tokenHashes: each((wants) => wants.tokenHashes),
  };
}

export function keyCount(wants: Wants): number {
  return Object.values(wants).reduce((count, keys: unknown[]) => count + keys.length, 0);
}

function addMutation(wants: Wants, { name, args }: Mutation): void {
  switch (name) {
    case 'delete_run':
      wants.deletedRunIds.push(args.run_id);
      return;
    case 'upload_recording':
    case 'record_new_map':
      wants.mapIds.push(args.map_id);
      wants.recordingSessionIds.push(args.recording_session_id);
      if (args.run_id !== undefined) wants.runIds.push(args.run_id);
      for (const id of args.stage_ids ?? []) wants.stageIds.push({ map_id: args.map_id, id });
      return;
    case 'add_stage':
      wants.mapIds.push(args.map_id);
      if (args.stage_id !== undefined) wants.stageIds.push({ map_id: args.map_id, id: args.stage_id });
      return;
    default:
      wants.mapIds.push(args.map_id);
  }
}
