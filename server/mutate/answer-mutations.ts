/** Applies the new mutations of a push in order, and answers each with its result or a refusal. */
import type { Refusal } from '../../shared/protocol/problem.ts';
import type { MutationAnswer } from '../../shared/protocol/push.ts';
import type { Mutation } from '../../shared/schema/mutation.ts';
import type { ChangedRecords } from './changed-records.ts';
import { mutationResult } from './mutation-result.ts';
import { shortenRefusal } from './shorten-refusal.ts';
import type { MutationOrigin, WorkingSet } from './working-set/working-set.ts';

/**
 * Limits the computing time of one transaction; the next transaction applies the rest of the push. The limit allows 80
 * moves of a stage in a map of 5,000 stages, more than any device sends at once.
 */
const stagesAndStepsVisitedMax = 400_000;

interface NewMutation {
  seq: number;
  mutation: Mutation | Refusal;
  fingerprint: string;
  timedDigest: string | undefined;
}

interface MutationSender extends Omit<MutationOrigin, 'fingerprint'> {
  clientId: string;
}

interface AnswerOptions {
  sender: MutationSender;
  /** Collects the records that the mutations change. */
  changed: ChangedRecords;
}

/** Returns fewer answers than mutations if the rest would take too long in this transaction. */
export function answerMutations(
  set: WorkingSet,
  newMutations: NewMutation[],
  options: AnswerOptions,
): MutationAnswer[] {
  const answers: MutationAnswer[] = [];
  for (const mutation of newMutations) {
    if (answers.length > 0 && set.stagesAndStepsVisited > stagesAndStepsVisitedMax) break;
    answers.push(answerTo(set, mutation, options));
  }
  return answers;
}

function answerTo(
  set: WorkingSet,
  { seq, mutation, fingerprint, timedDigest }: NewMutation,
  { sender: { clientId, ...origin }, changed }: AnswerOptions,
): MutationAnswer {
  if (isRefusal(mutation)) return { seq, status: 'rejected', error: shortenRefusal(mutation) };
  const key = timedDigest === undefined ? undefined : { digest: timedDigest, client_id: clientId };
  const known = key && set.appliedMutations.findOfOtherClient(key);
  if (known) {
    changed.isIncomplete = true;
    return { seq, status: 'applied', result: known.result };
  }
  const affected = set.applyMutation(mutation, { ...origin, fingerprint });
  if (!affected.ok) return { seq, status: 'rejected', error: shortenRefusal(affected.error) };
  changed.add(affected);
  const result = mutationResult(mutation.name, affected);
  if (key) set.appliedMutations.add({ ...key, version: set.accountVersion(), result });
  return { seq, status: 'applied', result };
}

export const isRefusal = (mutation: Mutation | Refusal): mutation is Refusal => 'code' in mutation;
