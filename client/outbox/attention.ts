/** What the server refused, kept with the reason, and what a person can do about it. Nothing is dropped by itself. */
import type { Problem, ProblemCode } from '../../shared/protocol/problem.ts';
import type { MutationArgs, MutationName } from '../../shared/schema/mutation.ts';
import { GembaError } from '../errors.ts';
import type { Ids } from '../ids.ts';
import type { MutationBody } from '../store/rows.ts';
import type { NewMutation } from './outbox.ts';
import { isRecording } from './settlement.ts';

/** discard gives the work up; all others send it again, changed so that it can succeed. */
export type Remedy = 'send_again' | 'restore_map' | 'save_as_new_map' | 'new_id' | 'discard';

export interface Attention {
  seq: number;
  name: MutationName;
  args: Record<string, unknown>;
  recorded_at: string;
  error: Problem;
  remedies: Remedy[];
}

export function attentionOf({ seq, name, args, recorded_at }: MutationBody, error: Problem): Attention {
  return { seq, name, args, recorded_at, error, remedies: remediesOf(name, error.code) };
}

function remediesOf(name: MutationName, code: ProblemCode): Remedy[] {
  const recording = isRecording({ name });
  switch (code) {
    case 'map_deleted':
      return recording ? ['restore_map', 'save_as_new_map', 'discard'] : ['restore_map', 'discard'];
    case 'map_not_found':
      // A map that was refused itself may be there by now.
      return recording ? ['send_again', 'save_as_new_map', 'discard'] : ['send_again', 'discard'];
    case 'id_taken':
      return ['new_id', 'discard'];
    default:
      return ['send_again', 'discard'];
  }
}

/** The mutations that a remedy makes in place of the refused one. */
export function remedied(refused: MutationBody, remedy: Remedy, ids: Ids): NewMutation[] {
  const again = { name: refused.name, args: refused.args } as unknown as NewMutation;
  switch (remedy) {
    case 'discard':
      return [];
    case 'send_again':
      return [again];
    case 'restore_map':
      return [{ name: 'restore_map', args: { map_id: refused.args['map_id'] as string } }, again];
    case 'new_id':
      return [withNewIds(again, ids)];
    case 'save_as_new_map':
      return [asNewMap(again, ids)];
  }
}

function asNewMap(mutation: NewMutation, ids: Ids): NewMutation {
  if (mutation.name !== 'upload_recording') {
    throw new GembaError({ code: 'remedy_unfit', detail: 'Only a recording can be saved as a new map.' });
  }
  const args: MutationArgs['record_new_map'] = {
    ...mutation.args,
    map_id: ids.mapId(),
    name: mutation.args.steps[0]?.stage_name ?? 'Recording',
  };
  return withNewIds({ name: 'record_new_map', args }, ids);
}

/** The same with ids that no other record has. What it creates is not referred to by anything that succeeded. */
function withNewIds(mutation: NewMutation, ids: Ids): NewMutation {
  switch (mutation.name) {
    case 'create_map':
      return { ...mutation, args: { ...mutation.args, map_id: ids.mapId() } };
    case 'add_stage':
      return { ...mutation, args: { ...mutation.args, stage_id: ids.integer() } };
    case 'upload_recording':
      return { ...mutation, args: { ...mutation.args, ...recordingIds(mutation.args, ids) } };
    case 'record_new_map':
      return { ...mutation, args: { ...mutation.args, map_id: ids.mapId(), ...recordingIds(mutation.args, ids) } };
    default:
      throw new GembaError({
        code: 'remedy_unfit',
        detail: `${mutation.name} makes nothing that could have a new id.`,
      });
  }
}

const recordingIds = ({ steps }: { steps: unknown[] }, ids: Ids) => ({
  run_id: ids.integer(),
  stage_ids: steps.map(() => ids.integer()),
});
