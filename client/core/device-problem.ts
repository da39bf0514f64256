import { problemOfKind, type CommonProblemCode, type Problem, type Refusal } from '../../shared/protocol/problem.ts';
import type { ProblemKind } from '../../shared/protocol/problems/problem-kind.ts';

/**
 * The kinds of problems that the device itself finds. The kinds that only the server finds are not here, so that an app
 * loads less code at its start.
 */
export const deviceProblemKinds = {
  unauthorized: { status: 401, title: 'No valid token' },
  account_mismatch: { status: 403, title: 'The device holds the work of another account' },
  sequence_reused: { status: 409, title: 'The numbers of the mutations were given before' },
  payload_too_large: { status: 413, title: 'The body is too large' },
  internal_error: { status: 500, title: 'The server failed' },
  unavailable: { status: 503, title: 'The service cannot answer now' },
} satisfies Partial<Record<CommonProblemCode, ProblemKind>>;

/**
 * Builds a problem that the device found. If the server sent an HTTP status, pass it as `status`: it replaces the
 * status in `deviceProblemKinds`.
 */
export const deviceProblemOf = (
  refusal: Refusal & { code: keyof typeof deviceProblemKinds },
  status?: number,
): Problem => problemOfKind(deviceProblemKinds[refusal.code], refusal, status);
