/** The states, events and effects of the sync state machine; machine.ts has the transitions. */
import type { Problem } from '../../../shared/protocol/problem.ts';
import type { SequenceConflict } from '../../outbox/model/sequence/numbering.ts';
import type { SyncFailure } from './failure/sync-failure.ts';

export type SyncPhase = 'offline' | 'idle' | 'pushing' | 'pulling' | 'waiting' | 'blocked';

export interface SyncState {
  phase: SyncPhase;
  /** Counts pushes or pulls that failed in a row; the wait grows with this number. */
  failures: number;
  /**
   * Counts attempts in a row that failed with a problem which only a person can solve. The wait grows with this number.
   */
  blockedTries: number;
  /** Whether another round follows at once, because of an event during this round. */
  anotherRound: boolean;
  /** Whether `sync()` was called during this round. If the round fails, another round begins at once. */
  wasAsked: boolean;
  /**
   * Counts attempts to recover from a failed push, since a push last succeeded. After too many attempts, the sync
   * waits.
   */
  recoveries: number;
  /**
   * All mutations are sent again after the server lacked earlier numbers, or gave the client id to another owner:
   * `found`. A pull must be completed first: `pulled`. Tabs of other builds know these words.
   */
  resend: 'none' | 'found' | 'pulled';
  /** Counts pushes in a row that failed, possibly because of their content. */
  suspectPushes: number;
  /**
   * Set while a pull checks what arrived of a failed push. After the pull, the status shows `error`, and the next push
   * waits for `waitMs`.
   */
  afterPull: { error: Problem; waitMs: number } | null;
  /** Counts stalled rounds since a round was last completed. */
  stalls: number;
  /** Why the sync waits, is blocked or restarted; null if the cause is only that the server cannot be reached. */
  error: Problem | null;
  unreachable: boolean;
  /** Whether the sync waits because another tab pulled, or the server was restored, during this tab's pull. */
  overtaken: boolean;
}

export type SyncEvent =
  /** The device is online. `retryAfterMs` is the rest of a wait that the server asked for. */
  | { type: 'online'; retryAfterMs?: number }
  | { type: 'offline' }
  /** Another round is due: a mutation was made, perhaps in another tab, or this round leaves something to do. */
  | { type: 'roundDue' }
  /** A pull may bring changes, because the event stream announced some, or broke and may have missed some. */
  | { type: 'pullDue' }
  | { type: 'asked' }
  | { type: 'timer' }
  /**
   * A push succeeded, or nothing was left to push. `more`: another push comes before the pull. Without it, mutations
   * may be left: the pull first writes the verified effects if they are many. `wasAnswered`: the server answered a
   * push.
   */
  | { type: 'pushed'; more: boolean; wasAnswered: boolean }
  | { type: 'pulled' }
  | { type: 'stalled' }
  /** A push or pull failed. `random`, from 0 to 1, spreads the retries of different devices over time. */
  | { type: 'failed'; failure: SyncFailure; random: number };

/**
 * An effect that the loop carries out. `all`: the pull brings all records, not only those that changed after the
 * cursor.
 */
export type SyncEffect =
  | { do: 'push'; first?: PushRecovery }
  | { do: 'pull'; all?: true }
  | { do: 'wait'; ms: number }
  | { do: 'abort' };

/** A recovery that the loop carries out before the next push, to remove the cause of a failed push. */
export type PushRecovery =
  /** Sends all mutations under new numbers, unless the device has left `clientId` already. */
  | { kind: 'resendAll'; clientId: string }
  /** Renumbers only mutations whose numbers the server has used for other mutations. */
  | { kind: 'forkSequence'; conflict: SequenceConflict }
  | { kind: 'splitBatch' }
  /** Finds the mutation whose content makes pushes fail; `failure` is the failure of the last push. */
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
