/** Finds the outcome of each forwarded mutation in the response to its push. Pure. */
import { problemOf, type Problem } from '../../../shared/protocol/problem.ts';
import type { MutationAnswer } from '../../../shared/protocol/push.ts';
import type { ForwardedAnswer } from '../../outbox/client-sequence.ts';
import { unsendableReason, type SendableEntry } from '../../outbox/model/entry.ts';
import type { ForwardedOutcome } from '../../storage/rows.ts';

export function answersTo(sent: readonly SendableEntry[], results: readonly MutationAnswer[]): ForwardedAnswer[] {
  const found = new Map(results.map((answer) => [answer.seq, answer]));
  return sent.map((entry) => ({ entry, outcome: outcomeOf(entry, found.get(entry.seq)) }));
}

/**
 * The outcomes if the server says that `client_id` belongs to someone else: all work forwarded under that client id is
 * refused, and a person decides about it.
 */
export const answersOfSomeoneElse = (waiting: readonly SendableEntry[], client_id: string): ForwardedAnswer[] =>
  waiting
    .filter((entry) => entry.state === 'forwarded' && entry.client_id === client_id)
    .map((entry) => ({ entry, outcome: someoneElses }));

function outcomeOf(entry: SendableEntry, answer: MutationAnswer | undefined): ForwardedOutcome {
  if (!answer) return 'forgotten';
  if (answer.status === 'rejected') return answer.error;
  // "applied" may be the answer to a noop; only if the answer names the recording's session does the server have it.
  const session = answer.result?.recording_session_id;
  const isDone = session !== undefined && session === entry.args['recording_session_id'];
  return isDone ? 'done' : (unsendableReason(entry) ?? 'done');
}

const someoneElses: Problem = problemOf({
  code: 'account_mismatch',
  detail: 'It may be work of another account. Send it again if it belongs to this one.',
});
