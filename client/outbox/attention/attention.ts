/** Describes refused mutations to a person, with the reason and the remedies. The device never drops one by itself. */
import type { Problem, ProblemCode } from '../../../shared/protocol/problem.ts';
import type { MutationName } from '../../../shared/schema/mutation.ts';
import { causeOf } from '../model/dependents/replacement.ts';
import { numberOf, type FailedEntry } from '../model/entry.ts';
import { isRecordingUpload } from '../model/mutation.ts';
import { messageOf } from './messages.ts';

/**
 * `discard` drops the mutation; `restoreChange` can undo that. Every other remedy sends the mutation again, changed so
 * that it can succeed, and then its dependents. `edit` sends it with new args.
 */
export type Remedy = 'send_again' | 'restore_map' | 'save_as_new_map' | 'new_id' | 'edit' | 'discard';

export interface Attention {
  seq: number;
  name: MutationName;
  args: Record<string, unknown>;
  recorded_at: string;
  error: Problem;
  /** The `seq` of the refused mutation on which this one depends. A remedy for that one sends this one again, too. */
  because_of?: number;
  /** The reason of the refusal, in a sentence for the worker. */
  message: string;
  remedies: Remedy[];
}

/** Describes one mutation. Searches `refused`, all refused mutations in their order, for the one that caused the refusal. */
export function attentionOf(entry: FailedEntry, refused: readonly FailedEntry[]): Attention {
  const { name, args, recorded_at, error } = entry;
  const cause = causeOf(entry, refused);
  return {
    seq: numberOf(entry),
    name,
    args,
    recorded_at,
    error,
    ...(cause ? { because_of: numberOf(cause) } : {}),
    message: messageOf({ name, error, cause }),
    remedies: remediesOf(name, error.code).filter((remedy) => !(cause && remedy === 'send_again')),
  };
}

function remediesOf(name: MutationName, code: ProblemCode): Remedy[] {
  const recording = isRecordingUpload({ name });
  switch (code) {
    case 'map_deleted':
      return recording ? ['restore_map', 'save_as_new_map', 'discard'] : ['restore_map', 'discard'];
    case 'map_not_found':
      // Sending again can help: the mutation that creates the map may have been refused first and sent again with
      // success.
      return recording ? ['send_again', 'save_as_new_map', 'discard'] : ['send_again', 'discard'];
    case 'id_taken':
    case 'recording_session_mismatch':
      return ['new_id', 'discard'];
    case 'validation_failed':
    case 'stage_ids_mismatch':
      return ['edit', 'discard'];
    // A firewall may have mistaken a word in the mutation for an attack, so editing can help.
    case 'unavailable':
      return ['send_again', 'edit', 'discard'];
    default:
      return ['send_again', 'discard'];
  }
}

/** Describes all the given mutations, in their order. */
export const attentionsOf = (refused: readonly FailedEntry[]): Attention[] =>
  refused.map((entry) => attentionOf(entry, refused));
