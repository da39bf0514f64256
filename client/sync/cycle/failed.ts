/** Decides what the sync does after a failed push or pull. Pure. */
import { problemOf, type Problem } from '../../../shared/protocol/problem.ts';
import { backoffMs, blockedMsMax, blockedMsMin, doubled, retryAfterMsMax } from './backoff.ts';
import { isContentSuspect, type Failure } from './failure.ts';
import { push, waiting } from './steps.ts';
import type { SyncEffect, Step, SyncEvent, SyncState } from './sync-state.ts';

export function failed(state: SyncState, { failure, random }: Extract<SyncEvent, { type: 'failed' }>): Step {
  const { afterPull } = state;
  const after = {
    ...state,
    failures: afterPull ? state.failures : state.failures + 1,
    // If the pull after a failed push fails, too, the content of the push was not the cause.
    suspects: afterPull ? 0 : state.suspects,
    again: false,
    asked: false,
    unreachable: false,
    afterPull: null,
  };
  const backoff = afterPull?.waitMs ?? backoffMs(state.failures, random);
  const triesAgain = state.asked && (failure.kind === 'unreachable' || failure.kind === 'blocked');
  if (state.phase === 'pushing' && !triesAgain) {
    if (isContentSuspect(failure)) return suspected(after, failure, backoff);
    const needsPull = failure.kind === 'busy' && (failure.isProbed || failure.problem.code === 'acknowledge_first');
    if (needsPull) return probed(after, failure, backoff);
  }
  switch (failure.kind) {
    case 'unreachable':
      if (state.asked) return push(after);
      return waiting({ ...after, error: null, unreachable: true }, backoff);
    case 'busy':
      return waiting({ ...after, error: failure.problem }, Math.max(retryAfterMsOf(failure), backoff));
    case 'blocked':
      if (state.asked) return push(after);
      return {
        state: { ...after, phase: 'blocked', error: failure.problem, blocks: state.blocks + 1 },
        effects: [{ do: 'wait', ms: doubled(state.blocks, { min: blockedMsMin, max: blockedMsMax, random }) }],
      };
    case 'gap':
    case 'reused':
    case 'too_large':
      if (state.repairs >= repairsMax) return waiting({ ...after, repairs: 0, error: failure.problem }, backoff);
      return repaired({ ...after, repairs: state.repairs + 1 }, failure);
  }
}

/** After this many failed pushes in a row, while pulls succeed, the content of the push may be the cause. */
const suspectsMin = 3;

function suspected(before: SyncState, failure: Failure, backoff: number): Step {
  const state = { ...before, suspects: before.suspects + 1 };
  if (state.suspects < suspectsMin) return probed(state, failure, backoff);
  const error = suspectProblem(failure);
  if (state.repairs >= repairsMax) return pullThenWait({ ...state, repairs: 0 }, { error, waitMs: backoff });
  const effects: SyncEffect[] = [{ do: 'push', first: 'isolate' }];
  return { state: { ...state, phase: 'pushing', repairs: state.repairs + 1 }, effects };
}

/** Pulls after a failed push, unless the server asked the device to wait. */
function probed(state: SyncState, failure: Failure, backoff: number): Step {
  const error = suspectProblem(failure);
  const retryAfterMs = retryAfterMsOf(failure);
  if (retryAfterMs > 0) return waiting({ ...state, error }, Math.max(retryAfterMs, backoff));
  return pullThenWait(state, { error, waitMs: backoff });
}

/** Pulls, then waits. The pull shows whether only pushes fail or the server cannot be used at all. */
const pullThenWait = (state: SyncState, afterPull: SyncState['afterPull']): Step => ({
  state: { ...state, phase: 'pulling', afterPull },
  effects: [{ do: 'pull' }],
});

const retryAfterMsOf = (failure: Failure): number =>
  failure.kind === 'busy' ? Math.min(failure.retryAfterMs ?? 0, retryAfterMsMax) : 0;

function suspectProblem(failure: Failure): Problem {
  if (failure.kind !== 'unreachable') return failure.problem;
  const { detail, status = 0 } = failure;
  const isRefusal = status >= 400;
  return isRefusal
    ? problemOf({ code: 'unavailable', detail }, status)
    : problemOf({ code: 'unavailable', detail: `Pushes fail while pulls pass: ${detail}` });
}

/** Starts the repair of a failure that needs no person. */
function repaired(state: SyncState, { kind, problem }: Failure & { kind: keyof typeof repairOf }): Step {
  if (kind === 'gap' && state.gap !== 'looked into') {
    // A server that misses numbers was restored. Changes that it stored since may lie before this device's cursor.
    const pull: SyncEffect = problem.code === 'sequence_gap' ? { do: 'pull', afresh: true } : { do: 'pull' };
    return { state: { ...state, phase: 'pulling', again: true, gap: 'met' }, effects: [pull] };
  }
  const gap = kind === 'gap' ? 'none' : state.gap;
  return { state: { ...state, phase: 'pushing', gap }, effects: [{ do: 'push', first: repairOf[kind] }] };
}

const repairOf = { gap: 'resendAll', reused: 'forkSequence', too_large: 'splitBatch' } as const;

/** How many repairs may follow each other without a taken batch; enough to halve a batch down to one mutation. */
const repairsMax = 30;
