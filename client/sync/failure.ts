/** How an exchange with the server can fail, as the state machine sees it. */
import type { Problem } from '../../shared/protocol/problem.ts';

export type Failure =
  /** No answer, half an answer, or one that is not from Gemba (a captive portal's page). */
  | { kind: 'unreachable'; detail: string; timedOut?: boolean; status?: number }
  /** The server asks to come back: 429, 5xx. `isProbed`: a probe was made, and nothing is to be done about the content. */
  | { kind: 'busy'; problem: Problem; retryAfterMs: number | null; isProbed?: boolean }
  /** Nothing helps but a person: 401, 403, 426. Everything stays on the device. */
  | { kind: 'blocked'; problem: Problem }
  /** The server misses mutations before those that were sent, or has them from the owner of an earlier token. */
  | { kind: 'gap'; problem: Problem }
  /** The server has other work under numbers of the client, or more of them than this device ever sent. */
  | { kind: 'reused'; problem: Problem }
  /** The batch is larger than the server takes. */
  | { kind: 'too_large'; problem: Problem };

/** Whether what was sent may have brought it about: a firewall's page, or a server that fails on it. */
export const isContentSuspect = (failure: Failure): boolean =>
  failure.kind === 'unreachable'
    ? failure.status !== undefined && failure.status >= 400
    : failure.kind === 'busy' && failure.problem.status === 500 && !failure.isProbed;

export class SyncFailure extends Error {
  override name = 'SyncFailure';
  readonly failure: Failure;

  constructor(failure: Failure) {
    super('problem' in failure ? failure.problem.detail : failure.detail);
    this.failure = failure;
  }
}

/** Statuses that a retry without a person cannot mend. */
const blockedStatuses = new Set([400, 401, 403, 404, 405, 415, 422, 426]);

/** The client of this device is that of another owner of the account, such as the API key that it had before it was paired. */
const isOfEarlierToken = ({ code, client_id }: Problem): boolean => code === 'forbidden' && client_id !== undefined;

export function failureOfProblem(problem: Problem, retryAfterMs: number | null): Failure {
  if (problem.code === 'sequence_gap' || isOfEarlierToken(problem)) return { kind: 'gap', problem };
  if (problem.code === 'sequence_reused') return { kind: 'reused', problem };
  if (problem.status === 413) return { kind: 'too_large', problem };
  if (blockedStatuses.has(problem.status)) return { kind: 'blocked', problem };
  return { kind: 'busy', problem, retryAfterMs };
}
