/** Describes refused mutations to a person, with reason and remedies. A refused mutation is never dropped by itself. */
import type { Problem, ProblemCode } from '../../../shared/protocol/problem.ts';
import type { MutationName } from '../../../shared/schema/mutation.ts';
import { causeOf } from '../model/dependents/replacement.ts';
import { numberOf, type DiscardedEntry, type RefusedEntry } from '../model/entry.ts';
import { isRecordingUpload } from '../model/mutation.ts';
import { messageOf } from './messages.ts';

/**
 * `discard` gives the mutation up, which can be undone. Every other remedy sends the mutation again, changed so that it can
 * succeed, followed by its dependents; `edit` sends it with other args.
 */
export type Remedy = 'send_again' | 'restore_map' | 'save_as_new_map' | 'new_id' | 'edit' | 'discard';

export interface Attention {
  seq: number;
  name: MutationName;
  args: Record<string, unknown>;
  recorded_at: string;
  error: Problem;
  /** The `seq` of the refused mutation that this one depends on: a remedy for that mutation also sends this one again. */
  because_of?: number;
  /** The reason of the refusal, in a sentence for the worker. */
  message: string;
  remedies: Remedy[];
}

type Failed = RefusedEntry | DiscardedEntry;

/** `refused` holds all refused mutations in their order, so that the cause of `entry` can be found among them. */
export function attentionOf(entry: Failed, refused: readonly Failed[]): Attention {
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
      // The map may exist by now, if it was refused at first and then sent again.
      return recording ? ['send_again', 'save_as_new_map', 'discard'] : ['send_again', 'discard'];
    case 'id_taken':
    case 'recording_session_mismatch':
      return ['new_id', 'discard'];
    case 'validation_failed':
    case 'stage_ids_mismatch':
      return ['edit', 'discard'];
    // A firewall may mistake a word in the mutation for an attack, so editing can help.
    case 'unavailable':
      return ['send_again', 'edit', 'discard'];
    default:
      return ['send_again', 'discard'];
  }
}

/** Describes all refused mutations, in their order. */
export const attentionsOf = (refused: readonly Failed[]): Attention[] =>
  refused.map((entry) => attentionOf(entry, refused));
