/** Reads the outcomes of forwarded mutations from the response to their push. */
import { problemOf, type Problem } from '../../../shared/protocol/problem.ts';
import type { MutationAnswer, PushResponse } from '../../../shared/protocol/push.ts';
import type { ForwardedAnswer } from '../../outbox/model/settling/forwarded-answers.ts';
import { unsendableReason, type SendableEntry } from '../../outbox/model/entry.ts';
import type { ForwardedOutcome } from '../../storage/rows.ts';
import { SyncError } from './failure/sync-failure.ts';

/** `unsent` returns all entries to push after the push of `sent`. */
export const readForwardedAnswers = (
  sending: Promise<PushResponse>,
  sent: readonly SendableEntry[],
  unsent: () => readonly SendableEntry[],
): Promise<ForwardedAnswer[]> =>
  sending.then(
    ({ results }) => forwardedAnswersOf(sent, results),
    (error: unknown) => {
      if (!(error instanceof SyncError) || error.failure.kind !== 'other_owner') throw error;
      return otherOwnerRefusals(unsent(), sent[0]?.client_id);
    },
  );

function forwardedAnswersOf(sent: readonly SendableEntry[], results: readonly MutationAnswer[]): ForwardedAnswer[] {
  const found = new Map(results.map((answer) => [answer.seq, answer]));
  return sent.map((entry) => ({ entry, outcome: outcomeOf(entry, found.get(entry.seq)) }));
}

/**
 * Refuses all mutations forwarded under `client_id`, which belongs to another token, so that a person decides about
 * them.
 */
const otherOwnerRefusals = (toPush: readonly SendableEntry[], client_id: string | undefined): ForwardedAnswer[] =>
  toPush
    .filter((entry) => entry.state === 'forwarded' && entry.client_id === client_id)
    .map((entry) => ({ entry, outcome: otherOwnerProblem }));

function outcomeOf(entry: SendableEntry, answer: MutationAnswer | undefined): ForwardedOutcome {
  if (!answer) return 'forgotten';
  if (answer.status === 'rejected') return answer.error;
  // The server rejects a noop. `applied` means that an earlier push sent the mutation itself, or that a copied device
  // sent another mutation under this number. The run tells which, since a copy may have finished the same session.
  const runId = answer.result?.run?.id;
  const isDone = runId !== undefined && runId === entry.args['run_id'];
  return isDone ? 'done' : (unsendableReason(entry) ?? 'done');
}

const otherOwnerProblem: Problem = problemOf({
  code: 'account_mismatch',
  detail: 'It may be work of another account. Send it again if it belongs to this one.',
});
