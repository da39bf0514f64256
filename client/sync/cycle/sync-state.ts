/** The states, events and effects of the sync; machine.ts has the transitions. */
import type { Problem } from '../../../shared/protocol/problem.ts';
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
  /** Repairs since the server last took a batch; bounded, so that repairs that do not help make it wait. */
  repairs: number;
  /** A gap may mean a restored server: a whole pull after it was met tells whether it does. */
  gap: 'none' | 'met' | 'looked into';
  /** Pushes in a row that may have failed for their content. */
  suspects: number;
  /** Set while a pull follows a failed push: the error to show and the time to wait once that pull ends. */
  afterPull: { error: Problem; waitMs: number } | null;
  /** How often nothing moved since a round last came to its end. */
  stalls: number;
  /** Why it waits, is blocked or began anew; `unreachable` when there was no answer. */
  error: Problem | null;
  unreachable: boolean;
}

export type SyncEvent =
  /** The device has, or has lost, its network. `retryAfterMs` is what is left of a wait that the leader before was asked for. */
  | { type: 'online'; retryAfterMs?: number }
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
  /** The pull came to its end. */
  | { type: 'pulled' }
  /** Nothing moved in a round for `stallMsMax`. */
  | { type: 'stalled' }
  /** `random` is from 0 to 1 and spreads the devices. */
  | { type: 'failed'; failure: Failure; random: number };

/** `afresh`: the pull begins at the start. */
export type SyncEffect =
  { do: 'push'; first?: Repair } | { do: 'pull'; afresh?: true } | { do: 'wait'; ms: number } | { do: 'abort' };

/**
 * resendAll: everything is numbered anew. forkSequence: only work whose numbers stand for other work on the server is.
 * splitBatch: fewer mutations go at once. isolate: the mutation whose content makes pushes fail is looked for.
 */
export type Repair = 'resendAll' | 'forkSequence' | 'splitBatch' | 'isolate';

export interface Step {
  state: SyncState;
  effects: SyncEffect[];
}

export const initialSyncState: SyncState = {
  phase: 'offline',
  failures: 0,
  blocks: 0,
  again: false,
  asked: false,
  repairs: 0,
  gap: 'none',
  suspects: 0,
  afterPull: null,
  stalls: 0,
  error: null,
  unreachable: false,
};
