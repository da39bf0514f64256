/** Decides what the sync does after a failed push or pull. Pure. */
import type { Problem } from '../../../../shared/protocol/problem.ts';
import { deviceProblemOf } from '../../../core/device-problem.ts';
import {
  backoffMsAfter,
  blockedRetryMsMax,
  blockedRetryMsMin,
  exponentialBackoffMs,
  retryAfterMsMax,
} from '../../net/backoff.ts';
import { isContentSuspect, type SyncFailure } from './sync-failure.ts';
import { beginRound, startWait } from '../common-transitions.ts';
import type { PushRecovery, Transition, SyncEffect, SyncEvent, SyncState } from '../sync-state.ts';

export function afterFailure(
  state: SyncState,
  { failure, random }: Extract<SyncEvent, { type: 'failed' }>,
): Transition {
  const after = countFailure(state);
  const backoff = state.afterPull?.waitMs ?? backoffMsAfter(state.failures, random);
  if (state.wasAsked && (failure.kind === 'unreachable' || failure.kind === 'blocked')) return beginRound(after);
  if (state.phase === 'pushing' && isContentSuspect(failure))
    return afterPushWithSuspectContent(after, failure, backoff);
  if (state.phase === 'pushing' && mustPullFirst(failure)) return pullFirst(after, failure, backoff);
  switch (failure.kind) {
    case 'unreachable':
      return startWait({ ...after, error: null, unreachable: true }, backoff);
    case 'overtaken':
      if (state.wasAsked) return beginRound(after);
      return startWait({ ...after, error: null, overtaken: true }, backoff);
    case 'busy':
      return startWait({ ...after, error: failure.problem }, Math.max(retryAfterMsOf(failure), backoff));
    case 'blocked':
      return {
        state: { ...after, phase: 'blocked', error: failure.problem, blockedTries: state.blockedTries + 1 },
        effects: [
          {
            do: 'wait',
            ms: exponentialBackoffMs(state.blockedTries, { min: blockedRetryMsMin, max: blockedRetryMsMax, random }),
          },
        ],
      };
    case 'gap':
    case 'other_owner':
    case 'reused':
    case 'too_large':
      return startRecovery(after, failure, backoff);
  }
}

const countFailure = ({ afterPull, ...state }: SyncState): SyncState => ({
  ...state,
  failures: afterPull ? state.failures : state.failures + 1,
  // If the pull after a failed push fails, too, the content of the push was not the cause.
  suspectPushes: afterPull ? 0 : state.suspectPushes,
  anotherRound: false,
  wasAsked: false,
  unreachable: false,
  overtaken: false,
  afterPull: null,
});

const mustPullFirst = (failure: SyncFailure): boolean =>
  failure.kind === 'busy' && (failure.isContentCleared || failure.problem.code === 'acknowledge_first');

/** If this many pushes in a row fail while pulls succeed, the sync searches for the mutation that makes them fail. */
const suspectPushesMin = 3;

function afterPushWithSuspectContent(before: SyncState, failure: SyncFailure, backoff: number): Transition {
  const state: SyncState = { ...before, suspectPushes: before.suspectPushes + 1 };
  if (state.suspectPushes < suspectPushesMin) return pullFirst(state, failure, backoff);
  const error = problemOfFailedPush(failure);
  if (state.recoveries >= recoveriesMax) return pullThenWait({ ...state, recoveries: 0 }, { error, waitMs: backoff });
  const effects: SyncEffect[] = [{ do: 'push', first: { kind: 'isolate', failure } }];
  return { state: { ...state, phase: 'pushing', recoveries: state.recoveries + 1 }, effects };
}

/** Pulls before the next push. If the server asked the device to wait, waits without a pull. */
function pullFirst(state: SyncState, failure: SyncFailure, backoff: number): Transition {
  const error = problemOfFailedPush(failure);
  const retryAfterMs = retryAfterMsOf(failure);
  if (retryAfterMs > 0) return startWait({ ...state, error }, Math.max(retryAfterMs, backoff));
  return pullThenWait(state, { error, waitMs: backoff });
}

/** Pulls, then waits. The pull shows whether every request fails, or only pushes do. */
const pullThenWait = (state: SyncState, afterPull: SyncState['afterPull']): Transition => ({
  state: { ...state, phase: 'pulling', afterPull },
  effects: [{ do: 'pull' }],
});

const retryAfterMsOf = (failure: SyncFailure): number =>
  failure.kind === 'busy' ? Math.min(failure.retryAfterMs ?? 0, retryAfterMsMax) : 0;

function problemOfFailedPush(failure: SyncFailure): Problem {
  if ('problem' in failure) return failure.problem;
  const { detail } = failure;
  const status = failure.kind === 'unreachable' ? failure.status : undefined;
  return status !== undefined && status >= 400
    ? deviceProblemOf({ code: 'unavailable', detail }, status)
    : deviceProblemOf({ code: 'unavailable', detail: `Pushes fail while pulls pass: ${detail}` });
}

type RecoverableFailure = Extract<SyncFailure, { kind: 'gap' | 'other_owner' | 'reused' | 'too_large' }>;

function startRecovery(before: SyncState, failure: RecoverableFailure, backoff: number): Transition {
  if (before.recoveries >= recoveriesMax)
    return startWait({ ...before, recoveries: 0, error: failure.problem }, backoff);
  const state: SyncState = { ...before, recoveries: before.recoveries + 1 };
  const needsResend = failure.kind === 'gap' || failure.kind === 'other_owner';
  if (needsResend && state.resend !== 'pulled') {
    // A gap means that the server was restored from a backup. New changes may then get versions that the cursor has
    // passed already, so the pull ignores the cursor.
    const pull: SyncEffect = failure.kind === 'gap' ? { do: 'pull', all: true } : { do: 'pull' };
    return { state: { ...state, phase: 'pulling', anotherRound: true, resend: 'found' }, effects: [pull] };
  }
  const resend = needsResend ? 'none' : state.resend;
  return { state: { ...state, phase: 'pushing', resend }, effects: [{ do: 'push', first: pushRecoveryOf(failure) }] };
}

function pushRecoveryOf(failure: RecoverableFailure): PushRecovery {
  switch (failure.kind) {
    case 'gap':
    case 'other_owner':
      return { kind: 'resendAll', clientId: failure.clientId };
    case 'reused':
      return { kind: 'forkSequence', conflict: failure.conflict };
    case 'too_large':
      return { kind: 'splitBatch' };
  }
}

/** Limits the recoveries in a row before the sync waits. This many halvings reduce a full batch to one mutation. */
const recoveriesMax = 30;
