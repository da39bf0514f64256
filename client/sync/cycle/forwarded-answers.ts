/** The answer to a push decides the outcome of each carried mutation. Pure. */
import { problemOf, type Problem } from '../../../shared/protocol/problem.ts';
import type { MutationAnswer } from '../../../shared/protocol/push.ts';
import type { CarriedOutcome, MutationBody } from '../../storage/rows.ts';

interface CarriedAnswer {
  body: MutationBody;
  outcome: CarriedOutcome;
}

export function answersTo(sent: readonly MutationBody[], results: readonly MutationAnswer[]): CarriedAnswer[] {
  const found = new Map(results.map((answer) => [answer.seq, answer]));
  return sent.map((body) => ({ body, outcome: outcomeOf(body, found.get(body.seq)) }));
}

/** The server refuses the client as another account's: a person decides about all that is carried under it. */
export const answersOfSomeoneElse = (waiting: readonly MutationBody[], client_id: string): CarriedAnswer[] =>
  waiting
    .filter((body) => body.state === 'carried' && body.client_id === client_id)
    .map((body) => ({ body, outcome: someoneElses }));

function outcomeOf({ args, withdrawn }: MutationBody, answer: MutationAnswer | undefined): CarriedOutcome {
  if (!answer) return 'forgotten';
  if (answer.status === 'rejected') return answer.error;
  // A number that went without its content proves nothing, unless the answer names the recording's session.
  const session = answer.result?.recording_session_id;
  return withdrawn && (session === undefined || session !== args['recording_session_id']) ? withdrawn : 'done';
}

const someoneElses: Problem = problemOf({
  code: 'account_mismatch',
  detail: 'It may be work of another account. Send it again if it belongs to this one.',
});
