/** What the server's answers say of mutations that were carried to it. Pure. */
import type { MutationAnswer } from '../../shared/protocol/push.ts';
import type { CarriedOutcome, MutationBody } from '../store/rows.ts';

export interface CarriedAnswer {
  body: MutationBody;
  outcome: CarriedOutcome;
}

export function answersTo(sent: readonly MutationBody[], results: readonly MutationAnswer[]): CarriedAnswer[] {
  const found = new Map(results.map((answer) => [answer.seq, answer]));
  return sent.map((body) => ({ body, outcome: outcomeOf(body, found.get(body.seq)) }));
}

function outcomeOf({ args, withdrawn }: MutationBody, answer: MutationAnswer | undefined): CarriedOutcome {
  if (!answer) return 'forgotten';
  if (answer.status === 'rejected') return answer.error;
  // A number that went without its content proves nothing. Of a recording the session in the answer does.
  const session = answer.result?.recording_session_id;
  return withdrawn && (session === undefined || session !== args['recording_session_id']) ? withdrawn : 'done';
}
