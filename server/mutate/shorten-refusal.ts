import type { Problem, Refusal } from '../../shared/protocol/problem.ts';
import { problemOfAnyCode } from '../../shared/protocol/problems/all-problems.ts';

const errorsMax = 5;
const textLengthMax = 300;

/**
 * Shortens the texts of a refusal, which may be as long as the mutation. The store keeps these texts until the client
 * acknowledges the rejection.
 */
export function shortenRefusal({ errors, ...refusal }: Refusal): Problem {
  const detail = refusal.detail.slice(0, textLengthMax);
  const shortErrors = errors?.slice(0, errorsMax).map(({ path, message }) => ({
    path: path.slice(0, textLengthMax),
    message: message.slice(0, textLengthMax),
  }));
  return problemOfAnyCode({ ...refusal, detail, ...(shortErrors ? { errors: shortErrors } : {}) });
}
