/**
 * The sync state machine, pure. The loop feeds it events and carries out its effects.
 *
 *           online, asked           online, mutated, poked, asked, timer
 *   offline ───────────► pushing ◄────────────────────────────────── idle
 *      ▲                  │   ▲ │pushed                               ▲
 *      │ offline          │   │ ▼                                     │ pulled, nothing new
 *      └── (any state)    │   └─ pulling ─────────────────────────────┘
 *                         │failed  │failed   asked, timer; when waiting, online too
 *                         ▼        ▼
 *                       waiting / blocked ──────────────────────────► pushing
 *
 *   pushing, pulling ── stalled ──► pushing
 *
 * A round is always push, then pull: the pull brings the outcome of what was pushed. `again` remembers what happened
 * during a round, so that nothing waits for the next occasion. A round in which nothing moves is given up and begun anew.
 */
import { problemOf, type Problem } from '../../shared/protocol/problem.ts';
import type { Failure } from './failure.ts';

export type Phase = 'offline' | 'idle' | 'pushing' | 'pulling' | 'waiting' | 'blocked';

export interface SyncState {
  phase: Phase;
  /** Failures in a row, which set how long to wait. */
  failures: number;
  /** Refusals in a row that only a person can mend, which set when to look again. */
  blocks: number;
  /** Something came up during the round: another follows at once. */
  again: boolean;
  /** A person asked during the round: should it fail, it is tried again at once. */
  asked: boolean;
  /** What was mended since the server last took a batch; bounded, so that mending that does not help makes it wait. */
  repairs: number;
  /** A gap may come of a restored server: a pull that came to its end since it was met tells whether it does. */
  gap: 'none' | 'met' | 'looked into';
  /** How often nothing moved since a round last came to its end. */
  stalls: number;
  /** Why it waits, is blocked or began anew; `unreachable` when there was no answer. */
  error: Problem | null;
  unreachable: boolean;
}

export type SyncEvent =
  /** The device has, or has lost, its network. `restMs` is what is left of a wait that the leader before was asked for. */
  | { type: 'online'; restMs?: number }
  | { type: 'offline' }
  /** The outbox has something to push. */
  | { type: 'mutated' }
  /** The server has news. */
  | { type: 'poked' }
  /** A person wants it now. */
  | { type: 'asked' }
  | { type: 'timer' }
  /** A batch was taken; `more` is left to push. */
  | { type: 'pushed'; more: boolean }
  /** The walk came to its end. */
  | { type: 'pulled' }
  /** Nothing moved in a round for `stallMsMax`. */
  | { type: 'stalled' }
  /** `random` is from 0 to 1 and spreads the devices. */
  | { type: 'failed'; failure: Failure; random: number };

export type Effect = { do: 'push'; first?: Repair } | { do: 'pull' } | { do: 'wait'; ms: number } | { do: 'abort' };

/**
 * offerAgain: everything held is numbered anew. numberApart: what was never sent is. splitBatch: fewer mutations go at once.
 */
export type Repair = 'offerAgain' | 'numberApart' | 'splitBatch';

interface Step {
  state: SyncState;
  effects: Effect[];
}

export const initialSyncState: SyncState = {
  phase: 'offline',
  failures: 0,
  blocks: 0,
  again: false,
  asked: false,
  repairs: 0,
  gap: 'none',
  stalls: 0,
  error: null,
  unreachable: false,
};

/** An answer takes 80 s at most, and what is sent its own time besides: what is silent for longer hangs on this device. */
export const stallMsMax = 90_000;
export const backoffMsMin = 1_000;
export const backoffMsMax = 60_000;
/** A quiet device looks for news this often, in case a poke was lost. */
const pollMs = 60_000;
/** Being blocked may end without us being told, and a stray refusal of something on the way ends soon. */
export const blockedMsMin = 20_000;
export const blockedMsMax = 15 * 60_000;
/** However long the server asks to be left alone, it is looked at again after this. */
const retryAfterMsMax = 60 * 60_000;

export function next(state: SyncState, event: SyncEvent): Step {
  const rule = table[state.phase][event.type] as (state: SyncState, event: SyncEvent) => Step;
  return rule(state, event);
}

type Rules = { [Type in SyncEvent['type']]: (state: SyncState, event: Extract<SyncEvent, { type: Type }>) => Step };

const stay = (state: SyncState): Step => ({ state, effects: [] });
const remember = (state: SyncState): Step => stay({ ...state, again: true });

const push = (state: SyncState): Step => ({
  state: { ...state, phase: 'pushing', again: false, asked: false },
  effects: [{ do: 'push' }],
});

const goOffline = (state: SyncState): Step => ({
  state: { ...state, phase: 'offline', again: false, asked: false },
  effects: [{ do: 'abort' }],
});

const stalled = (state: SyncState): Step => {
  const { state: anew, effects } = push({
    ...state,
    stalls: state.stalls + 1,
    error: stallProblem,
    unreachable: false,
  });
  return { state: anew, effects: [{ do: 'abort' }, ...effects] };
};

const stallProblem: Problem = {
  ...problemOf({
    code: 'internal_error',
    detail: `Nothing moved on this device for ${stallMsMax / 1000} seconds, so the sync was begun anew. Everything is kept. Should this come again, close the app and open it again.`,
  }),
  title: 'The sync stood still',
};

export const backoffMs = (failures: number, random: number): number =>
  doubled(failures, { min: backoffMsMin, max: backoffMsMax, random });

/** Half of the delay is fixed and half random ("equal jitter": Brooker, *Exponential Backoff And Jitter*, 2015). */
function doubled(times: number, { min, max, random }: { min: number; max: number; random: number }): number {
  const ceiling = Math.min(max, min * 2 ** Math.min(times, 16));
  return ceiling / 2 + (ceiling / 2) * random;
}

function failed(state: SyncState, { failure, random }: Extract<SyncEvent, { type: 'failed' }>): Step {
  const after = { ...state, failures: state.failures + 1, again: false, asked: false, unreachable: false };
  const backoff = backoffMs(state.failures, random);
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

const waiting = (state: SyncState, ms: number): Step => ({
  state: { ...state, phase: 'waiting' },
  effects: [{ do: 'wait', ms }],
});

/** What the engine can mend by itself. */
function repaired(state: SyncState, kind: keyof typeof repairOf): Step {
  if (kind === 'gap' && state.gap !== 'looked into') {
    return { state: { ...state, phase: 'pulling', again: true, gap: 'met' }, effects: [{ do: 'pull' }] };
  }
  const gap = kind === 'gap' ? 'none' : state.gap;
  return { state: { ...state, phase: 'pushing', gap }, effects: [{ do: 'push', first: repairOf[kind] }] };
}

const repairOf = { gap: 'offerAgain', reused: 'numberApart', too_large: 'splitBatch' } as const;

/** Enough to halve a batch down to one mutation. */
const repairsMax = 30;

const pulled = (state: SyncState): Step => {
  const gap = state.gap === 'met' ? ('looked into' as const) : state.gap;
  const calm = { ...state, gap, failures: 0, blocks: 0, stalls: 0, error: null, unreachable: false };
  return state.again ? push(calm) : { state: { ...calm, phase: 'idle' }, effects: [{ do: 'wait', ms: pollMs }] };
};

const table: Record<Phase, Rules> = {
  offline: {
    online: (state, { restMs = 0 }) => (restMs > 0 ? waiting(state, Math.min(restMs, retryAfterMsMax)) : push(state)),
    offline: stay,
    mutated: stay,
    poked: stay,
    asked: push,
    timer: stay,
    pushed: stay,
    pulled: stay,
    stalled: stay,
    failed: stay,
  },
  idle: {
    online: push,
    offline: goOffline,
    mutated: push,
    poked: push,
    asked: push,
    timer: push,
    pushed: stay,
    pulled: stay,
    stalled: stay,
    failed: stay,
  },
  pushing: {
    online: stay,
    offline: goOffline,
    mutated: remember,
    poked: stay,
    asked: (state) => stay({ ...state, asked: true }),
    timer: stay,
    pushed: (state, { more }) => ({
      state: { ...state, phase: more ? 'pushing' : 'pulling', failures: 0, repairs: 0, gap: 'none' },
      effects: [{ do: more ? 'push' : 'pull' }],
    }),
    pulled: stay,
    stalled,
    failed,
  },
  pulling: {
    online: stay,
    offline: goOffline,
    mutated: remember,
    poked: remember,
    asked: (state) => stay({ ...state, again: true, asked: true }),
    timer: stay,
    pushed: stay,
    pulled,
    stalled,
    failed,
  },
  waiting: {
    online: push,
    offline: goOffline,
    mutated: stay,
    // A poke proves that the server is there; one that asked to be left alone is left alone.
    poked: (state) => (state.unreachable ? push(state) : stay(state)),
    asked: push,
    timer: push,
    pushed: stay,
    pulled: stay,
    stalled: stay,
    failed: stay,
  },
  blocked: {
    online: stay,
    offline: goOffline,
    mutated: stay,
    poked: stay,
    asked: push,
    timer: push,
    pushed: stay,
    pulled: stay,
    stalled: stay,
    failed: stay,
  },
};
