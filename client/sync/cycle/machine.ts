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
 * A round is always a push, then a pull, which brings the outcome of the push. `again` remembers events during a round, so
 * that another round follows at once. A round that makes no progress is aborted and started again.
 */
import { problemOf, type Problem } from '../../../shared/protocol/problem.ts';
import { retryAfterMsMax } from '../net/backoff.ts';
import { afterFailure } from './after-failure.ts';
import { isShortWait, push, waiting } from './steps.ts';
import type { Phase, Step, SyncEvent, SyncState } from './sync-state.ts';

/** How long a round may make no progress. A response takes at most 80 s, and uploads add their time: a stall is local. */
export const stallMsMax = 90_000;
/** How often an idle device starts a round, in case an event of the server's stream was lost. */
const pollMs = 60_000;
export function next(state: SyncState, event: SyncEvent): Step {
  const rule = table[state.phase][event.type] as (state: SyncState, event: SyncEvent) => Step;
  return rule(state, event);
}

type Rules = { [Type in SyncEvent['type']]: (state: SyncState, event: Extract<SyncEvent, { type: Type }>) => Step };

const stay = (state: SyncState): Step => ({ state, effects: [] });
const remember = (state: SyncState): Step => stay({ ...state, again: true });

const goOffline = (state: SyncState): Step => ({
  state: { ...state, phase: 'offline', again: false, asked: false, afterPull: null },
  effects: [{ do: 'abort' }],
});

const afterStall = (state: SyncState): Step => {
  const { state: anew, effects } = push({
    ...state,
    stalls: state.stalls + 1,
    error: stallProblem,
    unreachable: false,
    overtaken: false,
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

const afterPullEnd = (state: SyncState): Step => {
  const { afterPull } = state;
  if (afterPull) {
    const shown = { ...state, error: afterPull.error, afterPull: null, again: false };
    return state.asked ? push(shown) : waiting(shown, afterPull.waitMs);
  }
  const gap = state.gap === 'met' ? ('looked into' as const) : state.gap;
  const calm = {
    ...state,
    gap,
    failures: 0,
    blocks: 0,
    suspects: 0,
    stalls: 0,
    error: null,
    unreachable: false,
    overtaken: false,
  };
  return state.again ? push(calm) : { state: { ...calm, phase: 'idle' }, effects: [{ do: 'wait', ms: pollMs }] };
};

const table: Record<Phase, Rules> = {
  offline: {
    online: (state, { retryAfterMs = 0 }) =>
      retryAfterMs > 0 ? waiting(state, Math.min(retryAfterMs, retryAfterMsMax)) : push(state),
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
    stalled: afterStall,
    failed: afterFailure,
  },
  pulling: {
    online: stay,
    offline: goOffline,
    mutated: remember,
    poked: remember,
    asked: (state) => stay({ ...state, again: true, asked: true }),
    timer: stay,
    pushed: stay,
    pulled: afterPullEnd,
    stalled: afterStall,
    failed: afterFailure,
  },
  waiting: {
    online: push,
    offline: goOffline,
    mutated: stay,
    // An event proves that the server can be reached, but a wait that the server asked for is not cut short.
    poked: (state) => (isShortWait(state) ? push(state) : stay(state)),
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
