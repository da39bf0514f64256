/** Makes the mutations that replace a refused mutation, for each remedy that a person can choose. */
import type { MutationArgs } from '../../../shared/schema/mutation.ts';
import { nameLengthMax } from '../../../shared/schema/limits.ts';
import { GembaError } from '../../core/errors.ts';
import type { IdGenerator } from '../../core/ids.ts';
import type { Remedy } from './attention.ts';
import type { RefusedEntry } from '../model/entry.ts';
import { withNewIds } from '../model/dependents/new-ids.ts';
import { newMutation, type NewMutation } from '../model/mutation.ts';

export interface RemedyContext {
  ids: IdGenerator;
  maps: MapNames;
  /** The new args for the remedy `edit`. */
  args?: Record<string, unknown> | undefined;
}

interface MapNames {
  /** Returns the name of a map, even of a map that exists only in a mutation of the outbox. */
  mapName(mapId: string): string | undefined;
  mapNames(): ReadonlySet<string>;
}

export function remedyMutations(
  refused: RefusedEntry,
  remedy: Exclude<Remedy, 'discard'>,
  context: RemedyContext,
): NewMutation[] {
  const mutation = newMutation(refused);
  switch (remedy) {
    case 'send_again':
      return [mutation];
    case 'restore_map':
      return [newMutation({ name: 'restore_map', args: { map_id: refused.args['map_id'] } }), mutation];
    case 'new_id':
      return [withNewIdsOrThrow(mutation, context.ids, refused.error.code === 'recording_session_mismatch')];
    case 'save_as_new_map':
      return [toRecordingOfNewMap(mutation, context)];
    case 'edit':
      return [newMutation({ name: refused.name, args: { ...context.args } })];
  }
}

function toRecordingOfNewMap(mutation: NewMutation, { ids, maps }: RemedyContext): NewMutation {
  if (mutation.name !== 'upload_recording') {
    throw new GembaError({ code: 'remedy_unfit', detail: 'Only a recording can be saved as a new map.' });
  }
  const { map_id, started_at } = mutation.args;
  const name = freeName(maps.mapName(map_id) ?? `Recording ${started_at?.slice(0, 10) ?? ''}`.trim(), maps.mapNames());
  const args: MutationArgs['record_new_map'] = { ...mutation.args, map_id: ids.mapId(), name };
  return withNewIdsOrThrow({ name: 'record_new_map', args }, ids);
}

/** Returns the first of `name`, `name (2)`, `name (3)` and so on that no other map has. */
function freeName(name: string, takenNames: ReadonlySet<string>): string {
  for (let number = 1; ; number++) {
    const suffix = number === 1 ? '' : ` (${number})`;
    const free = [...name].slice(0, nameLengthMax - suffix.length).join('') + suffix;
    if (!takenNames.has(free)) return free;
  }
}

function withNewIdsOrThrow(mutation: NewMutation, ids: IdGenerator, newSession = false): NewMutation {
  const changed = withNewIds(mutation, ids, newSession);
  if (changed) return changed;
  const detail = `${mutation.name} makes nothing that could have a new id.`;
  throw new GembaError({ code: 'remedy_unfit', detail });
}
