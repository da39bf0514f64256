import { problemOf, type Problem, type Refusal } from '../../shared/protocol/problem.ts';

const errorsMax = 5;
const textLengthMax = 300;

/** The store keeps a rejection until the client acknowledges it, and its texts may be as long as the mutation. */
export function shortenRefusal({ errors, ...refusal }: Refusal): Problem {
  const detail = refusal.detail.slice(0, textLengthMax);
  const shortErrors = errors?.slice(0, errorsMax).map(({ path, message }) => ({
    path: path.slice(0, textLengthMax),
    message: message.slice(0, textLengthMax),
  }));
  return problemOf({ ...refusal, detail, ...(shortErrors ? { errors: shortErrors } : {}) });
}
