/**
 * The sync state machine, pure. The loop (loop.ts) passes events to the machine, and carries out the effects that the
 * machine returns.
 *
 *           online, asked           online, roundDue, pullDue, asked, timer
 *   offline ───────────► pushing ◄─────────────────────────────────── idle
 *      ▲                  │   ▲ │pushed                                ▲
 *      │ offline          │   │ ▼                                      │ pulled, nothing new
 *      └── (any state)    │   └─ pulling ──────────────────────────────┘
 *                         │failed  │failed   asked, timer; when waiting, online too
 *                         ▼        ▼
 *                       waiting / blocked ──────────────────────────► pushing
 *
 *   pushing, pulling ── stalled ──► pushing
 *                    ── failed, if after-failure.ts can do more than wait ──► pushing (after a recovery), pulling
 *
 * The drawing shows the main transitions; the table `transitions` has all of them. A round is a push, then a pull,
 * which brings the outcome of the push. After some failures a pull comes first (after-failure.ts). An event may come too
 * late for the current round, and then sets `anotherRound`, so that another round follows at once: `roundDue` during the
 * push and the pull, `pullDue` and `asked` only during the pull. A stalled round is aborted and begins again.
 */
import type { Problem } from '../../../shared/protocol/problem.ts';
import { deviceProblemOf } from '../../core/device-problem.ts';
import { retryAfterMsMax } from '../net/backoff.ts';
import { afterFailure } from './failure/after-failure.ts';
import { waitEndsOnServerEvent, beginRound, startWait } from './common-transitions.ts';
import type { SyncPhase, Transition, SyncEvent, SyncState } from './sync-state.ts';

/**
 * A round without progress for this long is stalled. Requests time out earlier (after 80 s plus their upload), so only
 * the device's storage, or a module that does not load, can cause a stall.
 */
export const stallMsMax = 90_000;
/** An idle device starts a round this often, since it may miss an event of the server's stream. */
const pollIntervalMs = 60_000;

export function next(state: SyncState, event: SyncEvent): Transition {
  const rule = transitions[state.phase][event.type] as (state: SyncState, event: SyncEvent) => Transition;
  return rule(state, event);
}

type PhaseRules = {
  [Type in SyncEvent['type']]: (state: SyncState, event: Extract<SyncEvent, { type: Type }>) => Transition;
};

const stay = (state: SyncState): Transition => ({ state, effects: [] });
const markAnotherRound = (state: SyncState): Transition => stay({ ...state, anotherRound: true });

const goOffline = (state: SyncState): Transition => ({
  state: { ...state, phase: 'offline', anotherRound: false, wasAsked: false, afterPull: null },
  effects: [{ do: 'abort' }],
});

const afterStall = (state: SyncState): Transition => {
  const { state: anew, effects } = beginRound({
    ...state,
    stalls: state.stalls + 1,
    error: stallProblem,
    unreachable: false,
    overtaken: false,
  });
  return { state: anew, effects: [{ do: 'abort' }, ...effects] };
};

const stallProblem: Problem = {
  ...deviceProblemOf({
    code: 'internal_error',
    detail: `The sync made no progress for ${stallMsMax / 1000} seconds and was restarted. No work is lost. If this happens again, reopen the app.`,
  }),
  title: 'The sync stood still',
};

const onPullEnd = (state: SyncState): Transition => {
  const { afterPull } = state;
  if (afterPull) {
    const withError: SyncState = { ...state, error: afterPull.error, afterPull: null, anotherRound: false };
    return state.wasAsked ? beginRound(withError) : startWait(withError, afterPull.waitMs);
  }
  const resend = state.resend === 'found' ? ('pulled' as const) : state.resend;
  const recovered: SyncState = {
    ...state,
    resend,
    failures: 0,
    blockedTries: 0,
    suspectPushes: 0,
    stalls: 0,
    error: null,
    unreachable: false,
    overtaken: false,
  };
  return state.anotherRound
    ? beginRound(recovered)
    : { state: { ...recovered, phase: 'idle' }, effects: [{ do: 'wait', ms: pollIntervalMs }] };
};

const transitions: Record<SyncPhase, PhaseRules> = {
  offline: {
    online: (state, { retryAfterMs = 0 }) =>
      retryAfterMs > 0 ? startWait(state, Math.min(retryAfterMs, retryAfterMsMax)) : beginRound(state),
    offline: stay,
    roundDue: stay,
    pullDue: stay,
    asked: beginRound,
    timer: stay,
    pushed: stay,
    pulled: stay,
    stalled: stay,
    failed: stay,
  },
  idle: {
    online: beginRound,
    offline: goOffline,
    roundDue: beginRound,
    pullDue: beginRound,
    asked: beginRound,
    timer: beginRound,
    pushed: stay,
    pulled: stay,
    stalled: stay,
    failed: stay,
  },
  pushing: {
    online: stay,
    offline: goOffline,
    roundDue: markAnotherRound,
    pullDue: stay,
    asked: (state) => stay({ ...state, wasAsked: true }),
    timer: stay,
    pushed: (state, { more, wasAnswered }) => ({
      state: {
        ...state,
        phase: more ? 'pushing' : 'pulling',
        // Resets the count only if the server answered a push. If nothing was pushed, the waits must still grow while
        // the pulls do not reach the server.
        failures: wasAnswered ? 0 : state.failures,
        recoveries: 0,
        resend: 'none',
      },
      effects: [{ do: more ? 'push' : 'pull' }],
    }),
    pulled: stay,
    stalled: afterStall,
    failed: afterFailure,
  },
  pulling: {
    online: stay,
    offline: goOffline,
    roundDue: markAnotherRound,
    pullDue: markAnotherRound,
    asked: (state) => stay({ ...state, anotherRound: true, wasAsked: true }),
    timer: stay,
    pushed: stay,
    pulled: onPullEnd,
    stalled: afterStall,
    failed: afterFailure,
  },
  waiting: {
    online: beginRound,
    offline: goOffline,
    roundDue: stay,
    // `pullDue` proves that the server is reachable. It must not end a wait that the server asked for.
    pullDue: (state) => (waitEndsOnServerEvent(state) ? beginRound(state) : stay(state)),
    asked: beginRound,
    timer: beginRound,
    pushed: stay,
    pulled: stay,
    stalled: stay,
    failed: stay,
  },
  blocked: {
    online: stay,
    offline: goOffline,
    roundDue: stay,
    pullDue: stay,
    asked: beginRound,
    timer: beginRound,
    pushed: stay,
    pulled: stay,
    stalled: stay,
    failed: stay,
  },
};
