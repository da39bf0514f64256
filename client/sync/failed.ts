/** What follows on an exchange that failed. Pure. */
import { problemOf, type Problem } from '../../shared/protocol/problem.ts';
import { backoffMs, blockedMsMax, blockedMsMin, doubled, retryAfterMsMax } from './backoff.ts';
import { isContentSuspect, type Failure } from './failure.ts';
import { push, waiting } from './steps.ts';
import type { Effect, Step, SyncEvent, SyncState } from './sync-state.ts';

export function failed(state: SyncState, { failure, random }: Extract<SyncEvent, { type: 'failed' }>): Step {
  const after = {
    ...state,
    failures: state.failures + 1,
    again: false,
    asked: false,
    unreachable: false,
    waitMs: null,
  };
  const backoff = backoffMs(state.failures, random);
  if (state.phase === 'pushing' && !(state.asked && failure.kind === 'unreachable')) {
    if (isContentSuspect(failure)) return suspected(after, failure, backoff);
    if (failure.kind === 'busy' && failure.isProbed) return pullThenWait({ ...after, error: failure.problem }, backoff);
  }
  switch (failure.kind) {
    case 'unreachable':
      if (state.asked) return push(after);
      return waiting({ ...after, error: null, unreachable: true }, backoff);
    case 'busy': {
      const retryAfterMs = Math.min(failure.retryAfterMs ?? 0, retryAfterMsMax);
      return waiting({ ...after, error: failure.problem }, Math.max(retryAfterMs, backoff));
    }
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
      return repaired({ ...after, repairs: state.repairs + 1 }, failure.kind);
  }
}

/** A page of a firewall, or a failure of the server, that comes so often may be of the content of what is pushed. */
const suspectsMin = 3;

function suspected(before: SyncState, failure: Failure, backoff: number): Step {
  const error = suspectProblem(failure);
  const state = { ...before, suspects: before.suspects + 1 };
  if (state.suspects < suspectsMin) return pullThenWait({ ...state, error }, backoff);
  if (state.repairs >= repairsMax) return waiting({ ...state, repairs: 0, error }, backoff);
  const effects: Effect[] = [{ do: 'push', first: 'isolate' }];
  return { state: { ...state, phase: 'pushing', repairs: state.repairs + 1, error }, effects };
}

/** What others did is brought meanwhile; a pull that fails, too, tells that it is not the push. */
const pullThenWait = (state: SyncState, waitMs: number): Step => ({
  state: { ...state, phase: 'pulling', waitMs },
  effects: [{ do: 'pull' }],
});

const suspectProblem = (failure: Failure): Problem =>
  failure.kind === 'unreachable'
    ? {
        ...problemOf({ code: 'unavailable', detail: failure.detail }),
        ...(failure.status ? { status: failure.status } : {}),
      }
    : failure.problem;

/** What the engine can mend by itself. */
function repaired(state: SyncState, kind: keyof typeof repairOf): Step {
  if (kind === 'gap' && state.gap !== 'looked into') {
    return { state: { ...state, phase: 'pulling', again: true, gap: 'met' }, effects: [{ do: 'pull' }] };
  }
  const gap = kind === 'gap' ? 'none' : state.gap;
  return { state: { ...state, phase: 'pushing', gap }, effects: [{ do: 'push', first: repairOf[kind] }] };
}

const repairOf = { gap: 'offerAgain', reused: 'forkSequence', too_large: 'splitBatch' } as const;

/** Enough to halve a batch down to one mutation. */
const repairsMax = 30;
