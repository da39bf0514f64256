/** Describes refused mutations to a person, with the reason and the remedies. */
import type { Problem, ProblemCode } from '../../../shared/protocol/problem.ts';
import type { MutationName } from '../../../shared/schema/mutation.ts';
import { causeOf } from '../model/dependents/replacement.ts';
import { numberOf, type RefusedOrDiscardedEntry } from '../model/entry.ts';
import { isRecordingUpload } from '../../../shared/domain/runs-read.ts';
import { returnedRunState, type FindRun } from '../model/dependents/returned-runs.ts';
import { messageOf } from './messages.ts';

/**
 * `discard` drops the mutation; `restoreChange` can bring the mutation back. Every other remedy sends the mutation and
 * its dependents again. `edit` sends the mutation with new args.
 */
export type Remedy = 'send_again' | 'restore_map' | 'save_as_new_map' | 'new_id' | 'edit' | 'discard';

export interface Attention {
  seq: number;
  name: MutationName;
  args: Record<string, unknown>;
  recorded_at: string;
  error: Problem;
  /**
   * The `seq` of another refused mutation on which this mutation depends. A remedy for the other mutation resends both,
   * unless the remedy is `discard`.
   */
  because_of?: number;
  /**
   * True if the run of this mutation has a newer change. Sending this mutation would overwrite the newer change.
   */
  is_overtaken?: true;
  /** The reason of the refusal, in a sentence for the worker. */
  message: string;
  remedies: Remedy[];
}

interface AttentionContext {
  /** All refused mutations, sorted by sequence number. One of them may be the reason why the server refused another. */
  refused: readonly RefusedOrDiscardedEntry[];
  /** undefined on a device that pulls no runs. */
  findRun: FindRun | undefined;
}

export function attentionOf(entry: RefusedOrDiscardedEntry, { refused, findRun }: AttentionContext): Attention {
  const { name, args, recorded_at, error } = entry;
  const cause = causeOf(entry, refused);
  const runState = findRun && returnedRunState(entry, findRun);
  const isOvertaken = runState === 'overtaken';
  // Offer no `send_again` for a dependent, or for a change of a run that the server lacked. The device resends such a
  // change by itself once the run is there, unless the run has a newer change.
  const hidesSendAgain = cause !== undefined || runState !== undefined;
  return {
    seq: numberOf(entry),
    name,
    args,
    recorded_at,
    error,
    ...(cause ? { because_of: numberOf(cause) } : {}),
    ...(isOvertaken ? { is_overtaken: true as const } : {}),
    message: messageOf({ name, error, cause, runState }),
    remedies: remediesOf(entry).filter((remedy) => !(hidesSendAgain && remedy === 'send_again')),
  };
}

function remediesOf({ name, args, error }: Pick<RefusedOrDiscardedEntry, 'name' | 'args' | 'error'>): Remedy[] {
  const isRecording = isRecordingUpload({ name });
  const code: ProblemCode = error.code;
  switch (code) {
    case 'map_deleted':
      return isRecording ? ['restore_map', 'save_as_new_map', 'discard'] : ['restore_map', 'discard'];
    case 'map_not_found':
      // Sending again helps if the mutation that creates the map was refused earlier and has succeeded since.
      return isRecording ? ['send_again', 'save_as_new_map', 'discard'] : ['send_again', 'discard'];
    case 'id_taken':
    case 'recording_session_mismatch':
      return ['new_id', 'discard'];
    case 'validation_failed':
      if (isNameUnknown(args, error)) return ['send_again', 'discard'];
      return hasOnlyUnknownFields(error) ? ['send_again', 'edit', 'discard'] : ['edit', 'discard'];
    case 'stage_ids_mismatch':
      return ['edit', 'discard'];
    // A firewall may have mistaken a word in the mutation for an attack, so editing can help.
    case 'unavailable':
      return ['send_again', 'edit', 'discard'];
    default:
      return ['send_again', 'discard'];
  }
}

/**
 * True if the server is older than this app and does not know the mutation. A wrong `name` in the args also has the
 * path `/name`, but only the message of an unknown mutation lists the known mutations, such as `create_map`.
 */
const isNameUnknown = (args: Record<string, unknown>, { errors = [] }: Problem): boolean =>
  errors.some(({ path, message }) => path === '/name' && (!('name' in args) || message.includes('create_map')));

/** True if the server refused only unknown fields. The server is then older than this app, which knows the fields. */
const hasOnlyUnknownFields = ({ errors = [] }: Problem): boolean =>
  errors.length > 0 && errors.every(({ message }) => message === 'unknown field');

export const attentionsOf = (refused: readonly RefusedOrDiscardedEntry[], findRun: FindRun | undefined): Attention[] =>
  refused.map((entry) => attentionOf(entry, { refused, findRun }));
