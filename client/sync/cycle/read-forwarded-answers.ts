/** Reads the outcomes of forwarded mutations from the response to their push. */
import { problemOf, type Problem } from '../../../shared/protocol/problem.ts';
import { noopName } from '../../../shared/protocol/noop.ts';
import type { MutationAnswer, PushedMutation, PushResponse } from '../../../shared/protocol/push.ts';
import { digestOf } from '../../outbox/model/chain.ts';
import type { ForwardedAnswer } from '../../outbox/model/settling/forwarded-answers.ts';
import { mutationPayload, unsendableReason, type SendableEntry } from '../../outbox/model/entry.ts';
import type { ForwardedOutcome } from '../../storage/rows.ts';
import { RequestError } from '../net/failure.ts';
import { SyncError } from './failure/sync-failure.ts';

/** Pushes more mutations under the client id of the others. */
export type Ask = (mutations: PushedMutation[]) => Promise<Pick<PushResponse, 'results'>>;

/** `unsent` returns all entries to push after the push of `sent`. Without `ask`, an answer that may be another's counts as one. */
export const readForwardedAnswers = (
  sending: Promise<PushResponse>,
  sent: readonly SendableEntry[],
  unsent: () => readonly SendableEntry[],
  ask?: Ask,
): Promise<ForwardedAnswer[]> =>
  sending.then(
    ({ results }) => forwardedAnswersOf(sent, results, ask),
    (error: unknown) => {
      if (!(error instanceof SyncError) || error.failure.kind !== 'other_owner') throw error;
      return otherOwnerRefusals(unsent(), sent[0]?.client_id);
    },
  );

function forwardedAnswersOf(
  sent: readonly SendableEntry[],
  results: readonly MutationAnswer[],
  ask?: Ask,
): Promise<ForwardedAnswer[]> {
  const found = new Map(results.map((answer) => [answer.seq, answer]));
  return Promise.all(
    sent.map(async (entry) => ({ entry, outcome: await outcomeOf(entry, found.get(entry.seq), ask) })),
  );
}

/**
 * Refuses all mutations forwarded under `client_id`, which belongs to another token, so that a person decides about
 * them.
 */
const otherOwnerRefusals = (toPush: readonly SendableEntry[], client_id: string | undefined): ForwardedAnswer[] =>
  toPush
    .filter((entry) => entry.state === 'forwarded' && entry.client_id === client_id)
    .map((entry) => ({ entry, outcome: otherOwnerProblem }));

async function outcomeOf(
  entry: SendableEntry,
  answer: MutationAnswer | undefined,
  ask: Ask | undefined,
): Promise<ForwardedOutcome> {
  if (!answer) return 'forgotten';
  if (answer.status === 'rejected') return answer.error;
  const reason = unsendableReason(entry);
  // The server rejects a noop. `applied` means that an earlier push sent the mutation itself, or that a copied device
  // sent another mutation under this number. The run tells which, since a copy may have finished the same session.
  const runId = answer.result?.run?.id;
  if (!reason || (runId !== undefined && runId === entry.args['run_id'])) return 'done';
  return ask && (await isOwnWork(entry, ask)) ? 'done' : reason;
}

/**
 * Asks whether the server has applied the entry's own mutation, by a noop with the digest of the mutation. Its args are not
 * empty, so the server compares the digests, and refuses another one as `sequence_reused`.
 */
async function isOwnWork(entry: SendableEntry, ask: Ask): Promise<boolean> {
  const { seq, recorded_at } = entry;
  const digest = await digestOf({ ...entry, payload: mutationPayload });
  for (let tries = 0; tries < questionsMax; tries++) {
    try {
      const { results } = await ask([{ seq, name: noopName, args: { is_repeated: true }, recorded_at, digest }]);
      return results[0]?.status === 'applied';
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      if (error.failure.kind === 'reused') return false;
    }
  }
  return false;
}

/** A question that keeps failing must not hold up the work behind it, so a person decides. */
const questionsMax = 3;

const otherOwnerProblem: Problem = problemOf({
  code: 'account_mismatch',
  detail: 'It may be work of another account. Send it again if it belongs to this one.',
});
