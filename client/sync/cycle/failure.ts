/** The kinds of failure of a request to the server that the state machine distinguishes. */
import type { Problem } from '../../../shared/protocol/problem.ts';

export type Failure =
  /** No response, an incomplete response, or a response that is not from Gemba, such as a captive portal's page. */
  | { kind: 'unreachable'; detail: string; timedOut?: boolean; status?: number }
  /**
   * The request can succeed later: 429, 5xx. `isForeign`: the response is not from Gemba. `isProbed`: it is already known
   * whether the content is the cause. `isLocal`: the failure happened on this device.
   */
  | {
      kind: 'busy';
      problem: Problem;
      retryAfterMs: number | null;
      isForeign?: boolean;
      isProbed?: boolean;
      isLocal?: boolean;
    }
  /** Only a person can solve the problem: 401, 403, 426. All work stays on the device. */
  | { kind: 'blocked'; problem: Problem }
  /** The server misses earlier mutations of the client id, or the client id belongs to someone else. */
  | { kind: 'gap'; problem: Problem }
  /** The server has other work under numbers of the client id, or higher numbers than this device ever sent. */
  | { kind: 'reused'; problem: Problem }
  /** The batch is larger than the server, or a proxy, accepts. */
  | { kind: 'too_large'; problem: Problem };

/** Whether the pushed content may be the cause: a firewall may refuse it or break the connection, or the server may fail. */
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

/** Statuses whose cause, if they come from Gemba, is the device, its token or the load, never a single mutation. */
const believedStatuses = new Set([401, 403, 408, 409, 413, 426, 429, 503]);

export class SyncFailure extends Error {
  override name = 'SyncFailure';
  readonly failure: Failure;

  constructor(failure: Failure) {
    super('problem' in failure ? failure.problem.detail : failure.detail);
    this.failure = failure;
  }
}

/** Statuses of problems that only a person can solve. */
const blockedStatuses = new Set([400, 401, 403, 404, 405, 415, 422, 426]);

/** Whether the client id belongs to someone else, such as the API key that the device used before it was paired. */
const isOfSomeoneElse = ({ code, client_id }: Problem): boolean => code === 'forbidden' && client_id !== undefined;

export const isOfSomeoneElsesClient = (error: unknown): boolean =>
  error instanceof SyncFailure && error.failure.kind === 'gap' && isOfSomeoneElse(error.failure.problem);

export function failureOfProblem(problem: Problem, retryAfterMs: number | null): Failure {
  if (problem.code === 'sequence_gap' || isOfSomeoneElse(problem)) return { kind: 'gap', problem };
  if (problem.code === 'sequence_reused') return { kind: 'reused', problem };
  if (problem.status === 413) return { kind: 'too_large', problem };
  if (blockedStatuses.has(problem.status)) return { kind: 'blocked', problem };
  return { kind: 'busy', problem, retryAfterMs };
}
