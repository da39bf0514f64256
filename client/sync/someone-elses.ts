/** What is carried under a client of another account is sent by nobody here, and waits for a person. Pure. */
import { problemOf, type Problem } from '../../shared/protocol/problem.ts';
import type { MutationBody } from '../store/rows.ts';

export const answersOfSomeoneElse = (waiting: readonly MutationBody[], client_id: string) =>
  waiting
    .filter((body) => body.state === 'carried' && body.client_id === client_id)
    .map((body) => ({ body, outcome: someoneElses }));

const someoneElses: Problem = problemOf({
  code: 'account_mismatch',
  detail: 'It may be work of another account. Send it again if it belongs to this one.',
});
