/** Makes the mutations that replace a refused one, according to the remedy that a person chose. */
import type { MutationArgs } from '../../../shared/schema/mutation.ts';
import { nameLengthMax } from '../../../shared/schema/limits.ts';
import { GembaError } from '../../core/errors.ts';
import type { IdGenerator } from '../../core/ids.ts';
import { validate } from '../../core/validate.ts';
import type { Remedy } from './attention.ts';
import type { RefusedEntry } from '../model/entry.ts';
import { newMutation, type NewMutation } from '../model/mutation.ts';

export interface RemedyContext {
  ids: IdGenerator;
  maps: MapNames;
  /** For the remedy `edit`: the args to send instead. */
  args?: Record<string, unknown> | undefined;
}

interface MapNames {
  /** The name of a map that the device has, or that an unsettled mutation of this device makes. */
  mapName(mapId: string): string | undefined;
  /** The names of the maps that a person sees. */
  mapNames(): ReadonlySet<string>;
}

export function remedyMutations(
  refused: RefusedEntry,
  remedy: Exclude<Remedy, 'discard'>,
  context: RemedyContext,
): NewMutation[] {
  const again = newMutation(refused);
  switch (remedy) {
    case 'send_again':
      return [again];
    case 'restore_map':
      return [newMutation({ name: 'restore_map', args: { map_id: refused.args['map_id'] } }), again];
    case 'new_id':
      return [withNewIds(again, context.ids, refused.error.code === 'recording_session_mismatch')];
    case 'save_as_new_map':
      return [asNewMap(again, context)];
    case 'edit':
      validate(refused.name, context.args);
      return [newMutation({ name: refused.name, args: { ...context.args } })];
  }
}

function asNewMap(mutation: NewMutation, { ids, maps }: RemedyContext): NewMutation {
  if (mutation.name !== 'upload_recording') {
    throw new GembaError({ code: 'remedy_unfit', detail: 'Only a recording can be saved as a new map.' });
  }
  const { map_id, started_at } = mutation.args;
  const name = freeName(maps.mapName(map_id) ?? `Recording ${started_at?.slice(0, 10) ?? ''}`.trim(), maps.mapNames());
  const args: MutationArgs['record_new_map'] = { ...mutation.args, map_id: ids.mapId(), name };
  return withNewIds({ name: 'record_new_map', args }, ids);
}

/** The name itself if no other map has it; otherwise the first free one of "name (2)", "name (3)" and so on. */
function freeName(name: string, taken: ReadonlySet<string>): string {
  for (let number = 1; ; number++) {
    const suffix = number === 1 ? '' : ` (${number})`;
    const free = [...name].slice(0, nameLengthMax - suffix.length).join('') + suffix;
    if (!taken.has(free)) return free;
  }
}

/** Gives new ids to the records that the mutation makes. The old ids are named only by mutations that failed with it. */
export function withNewIds(mutation: NewMutation, ids: IdGenerator, newSession = false): NewMutation {
  const session = newSession ? { recording_session_id: ids.uuid() } : {};
  switch (mutation.name) {
    case 'create_map':
      return { ...mutation, args: { ...mutation.args, map_id: ids.mapId() } };
    case 'add_stage':
      return { ...mutation, args: { ...mutation.args, stage_id: ids.integer() } };
    case 'upload_recording':
      return { ...mutation, args: { ...mutation.args, ...newRecordingIds(mutation.args, ids), ...session } };
    case 'record_new_map': {
      const map_id = ids.mapId();
      return { ...mutation, args: { ...mutation.args, map_id, ...newRecordingIds(mutation.args, ids), ...session } };
    }
    default:
      throw new GembaError({
        code: 'remedy_unfit',
        detail: `${mutation.name} makes nothing that could have a new id.`,
      });
  }
}

const newRecordingIds = ({ steps }: { steps: unknown[] }, ids: IdGenerator) => ({
  run_id: ids.integer(),
  stage_ids: steps.map(() => ids.integer()),
});
