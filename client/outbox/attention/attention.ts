/** Refused mutations as a person sees them: the reason, and the remedies. Nothing is dropped by itself. */
import type { Problem, ProblemCode } from '../../../shared/protocol/problem.ts';
import type { MutationName } from '../../../shared/schema/mutation.ts';
import { causeOf } from '../model/dependents/replacement.ts';
import { positionOf, type DiscardedEntry, type RefusedEntry } from '../model/entry.ts';
import { isRecording } from '../model/mutation.ts';
import { messageOf } from './messages.ts';

/**
 * `discard` gives the work up, and can be taken back. All others send it again, changed so that it can succeed, with its
 * dependents behind it; `edit` takes other args.
 */
export type Remedy = 'send_again' | 'restore_map' | 'save_as_new_map' | 'new_id' | 'edit' | 'discard';

export interface Attention {
  seq: number;
  name: MutationName;
  args: Record<string, unknown>;
  recorded_at: string;
  error: Problem;
  /** The refused mutation that this one depends on: its remedy takes this one along. */
  because_of?: number;
  /** Why, in a sentence for the worker. */
  message: string;
  remedies: Remedy[];
}

type Failed = RefusedEntry | DiscardedEntry;

/** `refused` are all that there are, in their order. */
export function attentionOf(entry: Failed, refused: readonly Failed[]): Attention {
  const { name, args, recorded_at, error } = entry;
  const cause = causeOf(entry, refused);
  return {
    seq: positionOf(entry),
    name,
    args,
    recorded_at,
    error,
    ...(cause ? { because_of: positionOf(cause) } : {}),
    message: messageOf({ name, error, cause }),
    remedies: remediesOf(name, error.code).filter((remedy) => !(cause && remedy === 'send_again')),
  };
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
    case 'recording_session_mismatch':
      return ['new_id', 'discard'];
    case 'validation_failed':
    case 'stage_ids_mismatch':
      return ['edit', 'discard'];
    // A firewall mistakes a word in it for an attack.
    case 'unavailable':
      return ['send_again', 'edit', 'discard'];
    default:
      return ['send_again', 'discard'];
  }
}

/** Attentions stand in the order in which the mutations were made. */
export const attentionsOf = (refused: readonly Failed[]): Attention[] =>
  refused.map((entry) => attentionOf(entry, refused));
