/** Defines the states, events and effects of the sync state machine. machine.ts has the transitions. */
import type { Problem } from '../../../shared/protocol/problem.ts';
import type { SequenceConflict } from '../../outbox/model/sequence/numbering.ts';
import type { SyncFailure } from './failure/sync-failure.ts';

/**
 * The state of the sync: `idle` until the next event or poll, `waiting` for the end of a wait, `blocked` until a person
 * has solved a problem.
 */
export type SyncPhase = 'offline' | 'idle' | 'pushing' | 'pulling' | 'waiting' | 'blocked';

export interface SyncState {
  phase: SyncPhase;
  /** Counts failed pushes and pulls in a row. The wait grows with this number. */
  failures: number;
  /**
   * Counts attempts in a row that failed with a problem which only a person can solve. The wait grows with this number.
   */
  blockedTries: number;
  /** Whether another round follows this one at once, because of an event during this round. */
  anotherRound: boolean;
  /**
   * Whether the app called `sync()` during this round. If the round fails, another begins at once, unless the server is
   * busy.
   */
  wasAsked: boolean;
  /** Counts attempts to recover since the last successful push. After too many attempts, the sync waits. */
  recoveries: number;
  /**
   * `found`: a push showed that the server lacks mutations, or that another owner has the client id; a pull comes next.
   * `pulled`: if the next push shows this again, all mutations are sent again. Tabs of other builds read these words.
   */
  resend: 'none' | 'found' | 'pulled';
  /** Counts failed pushes in a row whose content may be the cause. */
  suspectPushes: number;
  /**
   * Set during the pull after a failed push. Afterwards the status shows `error`, and the next push waits for `waitMs`.
   */
  afterPull: { error: Problem; waitMs: number } | null;
  /** Counts stalled rounds since the last completed round. */
  stalls: number;
  /** Why the sync waits, is blocked or restarted; null if `unreachable` or `overtaken` is the only reason. */
  error: Problem | null;
  /** Whether the sync waits because the server could not be reached. */
  unreachable: boolean;
  /** Whether the sync waits because another tab pulled, or the server was restored, during this tab's pull. */
  overtaken: boolean;
}

export type SyncEvent =
  /** The device is online. `retryAfterMs` milliseconds remain of a wait that no event of the server may end. */
  | { type: 'online'; retryAfterMs?: number }
  /** The device has lost the network. */
  | { type: 'offline' }
  /** Another round is due: a tab made a mutation, or this round leaves work. */
  | { type: 'roundDue' }
  /** A pull may bring changes: the event stream announced changes, or it broke and may have missed some. */
  | { type: 'pullDue' }
  /** The app called `sync()` in this or another tab, so a round must begin at once. */
  | { type: 'asked' }
  /** The current wait has ended: a backoff, a wait that the server asked for, or the poll of an idle device. */
  | { type: 'timer' }
  /**
   * A push succeeded, or nothing was left to push. `more`: another push comes before the pull. `more` is false even
   * with mutations left if many verified effects must be written first. `wasAnswered`: the server answered a push.
   */
  | { type: 'pushed'; more: boolean; wasAnswered: boolean }
  /** A pull succeeded, and its records are stored. */
  | { type: 'pulled' }
  /** The watchdog found that the round made no progress. */
  | { type: 'stalled' }
  /** A push or pull failed. `random`, from 0 to 1, spreads the retries of many devices over time. */
  | { type: 'failed'; failure: SyncFailure; random: number };

/** An effect that the loop carries out. `all`: the pull ignores the cursor and brings all records. */
export type SyncEffect =
  | { do: 'push'; first?: PushRecovery }
  | { do: 'pull'; all?: true }
  | { do: 'wait'; ms: number }
  | { do: 'abort' };

/** A step that the loop takes before the next push, to remove the cause of a failed push. */
export type PushRecovery =
  /** Sends all mutations under new sequence numbers, unless the device has already left `clientId`. */
  | { kind: 'resendAll'; clientId: string }
  /** Renumbers only mutations under whose sequence numbers the server has other mutations. */
  | { kind: 'forkSequence'; conflict: SequenceConflict }
  | { kind: 'splitBatch' }
  /** Searches for the mutation whose content makes pushes fail. `failure` is the failure of the last push. */
  | { kind: 'isolate'; failure: SyncFailure };

export interface Transition {
  state: SyncState;
  effects: SyncEffect[];
}

export const initialSyncState: SyncState = {
  phase: 'offline',
  failures: 0,
  blockedTries: 0,
  anotherRound: false,
  wasAsked: false,
  recoveries: 0,
  resend: 'none',
  suspectPushes: 0,
  afterPull: null,
  stalls: 0,
  error: null,
  unreachable: false,
  overtaken: false,
};
