/** The states, events and effects of the sync; machine.ts has the transitions. */
import type { Problem } from '../../../shared/protocol/problem.ts';
import type { SequenceConflict } from '../../outbox/model/sequence/numbering.ts';
import type { Failure } from './failure.ts';

export type Phase = 'offline' | 'idle' | 'pushing' | 'pulling' | 'waiting' | 'blocked';

export interface SyncState {
  phase: Phase;
  /** How many failures came in a row; sets how long the sync waits. */
  failures: number;
  /** How many refusals came in a row that only a person can solve; sets when a blocked sync tries again. */
  blocks: number;
  /** Whether something happened during the round that makes another round follow at once. */
  again: boolean;
  /** Whether a person asked for a sync during the round: if the round fails, it is tried again at once. */
  asked: boolean;
  /** How many repairs were tried since the server last took a batch; after too many, the sync waits. */
  repairs: number;
  /** A gap: the server misses numbers, perhaps after a restore. A pull then comes before everything is sent again. */
  gap: 'none' | 'met' | 'looked into';
  /** How many pushes in a row may have failed because of their content. */
  suspects: number;
  /** Set while a pull follows a failed push: the error to show and the time to wait once that pull ends. */
  afterPull: { error: Problem; waitMs: number } | null;
  /** How often a round stalled since the last completed round. */
  stalls: number;
  /** Why the sync waits, is blocked or restarted; null if the server was not reached. */
  error: Problem | null;
  /** Whether the sync waits because the server was not reached. */
  unreachable: boolean;
  /** Whether the sync waits because another tab, or a restore of the server, overtook its pull. */
  overtaken: boolean;
}

export type SyncEvent =
  /** The device is online again. `retryAfterMs`: how much remains of a wait that the server asked for. */
  | { type: 'online'; retryAfterMs?: number }
  | { type: 'offline' }
  /** A mutation was made, so the outbox has something to push. */
  | { type: 'mutated' }
  /** The server has new changes, or the event stream broke. */
  | { type: 'poked' }
  /** A person asked for a sync now. */
  | { type: 'asked' }
  | { type: 'timer' }
  /** The server took a batch; `more` says whether more is left to push. */
  | { type: 'pushed'; more: boolean }
  /** The pull is complete. */
  | { type: 'pulled' }
  /** A round made no progress for `stallMsMax`. */
  | { type: 'stalled' }
  /** A push or pull failed. `random`, from 0 to 1, spreads the retries of different devices over time. */
  | { type: 'failed'; failure: Failure; random: number };

/** The acts that the loop carries out. `afresh`: the pull brings all records, not only changes after the cursor. */
export type SyncEffect =
  { do: 'push'; first?: Repair } | { do: 'pull'; afresh?: true } | { do: 'wait'; ms: number } | { do: 'abort' };

/** An act of the loop before it pushes again. */
export type Repair =
  /** Gives all work new numbers, unless the device has left `clientId` meanwhile. */
  | { kind: 'resendAll'; clientId: string }
  /** Renumbers only the work whose numbers the server has used for other work. */
  | { kind: 'forkSequence'; conflict: SequenceConflict }
  /** Sends fewer mutations at once. */
  | { kind: 'splitBatch' }
  /** Finds the mutation because of whose content pushes fail; `failure` is the last failure. */
  | { kind: 'isolate'; failure: Failure };

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
  overtaken: false,
};
