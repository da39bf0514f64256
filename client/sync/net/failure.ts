/** The kinds of failure of a request to the server. */
import type { Problem } from '../../../shared/protocol/problem.ts';

export type RequestFailure =
  /** No response, an incomplete response, or a response that is not from Gemba, such as a captive portal's page. */
  | { kind: 'unreachable'; detail: string; timedOut?: boolean; status?: number }
  /** The request can succeed later: 429, 5xx. `isNotGemba`: a proxy or firewall sent the response, not Gemba. */
  | { kind: 'busy'; problem: Problem; retryAfterMs: number | null; isNotGemba?: boolean }
  /** Only a person can solve the problem (`blockedStatuses`). The mutations stay in the outbox. */
  | { kind: 'blocked'; problem: Problem }
  /** The server does not have all earlier mutations of the client id. */
  | { kind: 'gap'; problem: Problem }
  /** Another owner has the client id: often an earlier token of this device, which was paired again. */
  | { kind: 'other_owner'; problem: Problem }
  /** The server has other mutations under the client id's sequence numbers, or higher ones than this device sent. */
  | { kind: 'reused'; problem: Problem }
  /** The batch is larger than the server, or a proxy, accepts. */
  | { kind: 'too_large'; problem: Problem };

export class RequestError extends Error {
  override name = 'RequestError';
  readonly failure: RequestFailure;

  constructor(failure: RequestFailure) {
    super('problem' in failure ? failure.problem.detail : failure.detail);
    this.failure = failure;
  }
}

const blockedStatuses = new Set([400, 401, 403, 404, 405, 415, 422, 426]);

export function failureOfProblem(problem: Problem, retryAfterMs: number | null): RequestFailure {
  if (problem.code === 'sequence_gap') return { kind: 'gap', problem };
  if (problem.code === 'forbidden' && problem['client_id'] !== undefined) return { kind: 'other_owner', problem };
  if (problem.code === 'sequence_reused') return { kind: 'reused', problem };
  if (problem.status === 413) return { kind: 'too_large', problem };
  if (blockedStatuses.has(problem.status)) return { kind: 'blocked', problem };
  return { kind: 'busy', problem, retryAfterMs };
}
