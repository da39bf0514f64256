/**
 * The kinds of failure of a push or pull, with all that the state machine needs to recover from each.
 *
 *   response ─ failureOfProblem ─► RequestFailure ─ failureOfPush ─────────► SyncFailure ─ afterFailure ─► Transition
 *              (net/failure.ts)                     failureOfOtherRequest                  (after-failure.ts)
 *                                                   (sequence-check.ts)
 *
 * For a push, `busyFailureIfBatchIsSmall` (batch.ts) may change the `RequestFailure` first.
 *
 * `RequestError` wraps a `RequestFailure`, and `SyncError` wraps a `SyncFailure`.
 */
import type { Problem } from '../../../../shared/protocol/problem.ts';
import type { SequenceConflict } from '../../../outbox/model/sequence/numbering.ts';
import type { RequestFailure } from '../../net/failure.ts';

export type SyncFailure =
  | Extract<RequestFailure, { kind: 'unreachable' | 'blocked' | 'too_large' }>
  /**
   * `isContentCleared`: the failure needs no further search for a failing mutation. `isLocal`: the error happened on
   * this device.
   */
  | (Extract<RequestFailure, { kind: 'busy' }> & { isContentCleared?: boolean; isLocal?: boolean })
  /** `clientId` is the device's client id at the time of the push. */
  | { kind: 'gap' | 'other_owner'; problem: Problem; clientId: string }
  | { kind: 'reused'; problem: Problem; conflict: SequenceConflict }
  /** During this tab's pull, another tab pulled or the server was restored. The next pull can succeed. */
  | { kind: 'overtaken'; detail: string };

export class SyncError extends Error {
  override name = 'SyncError';
  readonly failure: SyncFailure;

  constructor(failure: SyncFailure) {
    super('problem' in failure ? failure.problem.detail : failure.detail);
    this.failure = failure;
  }
}

/** True if the pushed content may be the cause: a firewall may reject it, or it may make the server fail. */
export function isContentSuspect(failure: SyncFailure): boolean {
  switch (failure.kind) {
    case 'unreachable':
      return !failure.timedOut;
    case 'busy': {
      const { isContentCleared, isLocal, isNotGemba, problem } = failure;
      return !isContentCleared && !isLocal && (isNotGemba === true || !contentIndependentStatuses.has(problem.status));
    }
    case 'blocked':
      return !contentIndependentStatuses.has(failure.problem.status);
    case 'gap':
    case 'other_owner':
    case 'reused':
    case 'too_large':
    case 'overtaken':
      return false;
  }
}

/**
 * Gemba sends these statuses because of the device, its token or the load, and never because of a mutation's content.
 */
const contentIndependentStatuses = new Set([401, 403, 408, 409, 413, 426, 429, 503]);
