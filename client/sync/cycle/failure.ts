/** The ways in which an exchange with the server fails, as the state machine tells them apart. */
import type { Problem } from '../../../shared/protocol/problem.ts';

export type Failure =
  /** No answer, half an answer, or one that is not from Gemba (a captive portal's page). */
  | { kind: 'unreachable'; detail: string; timedOut?: boolean; status?: number }
  /**
   * The server asks to come back: 429, 5xx. `isForeign`: the answer is not from Gemba. `isProbed`: the content was looked
   * into already, and is not suspected again.
   */
  | {
      kind: 'busy';
      problem: Problem;
      retryAfterMs: number | null;
      isForeign?: boolean;
      isProbed?: boolean;
      isLocal?: boolean;
    }
  /** Only a person can mend it: 401, 403, 426. Everything stays on the device. */
  | { kind: 'blocked'; problem: Problem }
  /** The server misses earlier mutations of the client, or the client belongs to someone else. */
  | { kind: 'gap'; problem: Problem }
  /** The server has other work under numbers of the client, or more of them than this device ever sent. */
  | { kind: 'reused'; problem: Problem }
  /** The batch is larger than the server takes. */
  | { kind: 'too_large'; problem: Problem };

/** Whether the content may be the cause: a firewall answers or cuts it, or the server fails on it. */
export function isContentSuspect(failure: Failure): boolean {
  switch (failure.kind) {
    case 'unreachable':
      return !failure.timedOut;
    case 'busy':
      return (
        !failure.isProbed &&
        !failure.isLocal &&
        (failure.isForeign === true || !believedStatuses.has(failure.problem.status))
      );
    case 'blocked':
      return !believedStatuses.has(failure.problem.status);
    default:
      return false;
  }
}

/** Gemba's own answers that speak of the device, its token or the load, never of one mutation. */
const believedStatuses = new Set([401, 403, 408, 409, 413, 426, 429, 503]);

export class SyncFailure extends Error {
  override name = 'SyncFailure';
  readonly failure: Failure;

  constructor(failure: Failure) {
    super('problem' in failure ? failure.problem.detail : failure.detail);
    this.failure = failure;
  }
}

/** Statuses of failures that only a person can mend. */
const blockedStatuses = new Set([400, 401, 403, 404, 405, 415, 422, 426]);

/** The client belongs to someone else, such as the API key that the device used before it was paired. */
const isOfSomeoneElse = ({ code, client_id }: Problem): boolean => code === 'forbidden' && client_id !== undefined;

export const tellsOfSomeoneElse = (error: unknown): boolean =>
  error instanceof SyncFailure && error.failure.kind === 'gap' && isOfSomeoneElse(error.failure.problem);

export function failureOfProblem(problem: Problem, retryAfterMs: number | null): Failure {
  if (problem.code === 'sequence_gap' || isOfSomeoneElse(problem)) return { kind: 'gap', problem };
  if (problem.code === 'sequence_reused') return { kind: 'reused', problem };
  if (problem.status === 413) return { kind: 'too_large', problem };
  if (blockedStatuses.has(problem.status)) return { kind: 'blocked', problem };
  return { kind: 'busy', problem, retryAfterMs };
}
