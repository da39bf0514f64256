/** How far everything got, in terms that a person can trust. */
import type { Problem } from '../../shared/protocol/problem.ts';
import type { SyncState } from './machine.ts';

export interface Progress {
  done: number;
  /** null while a long pull does not know how much will come. */
  total: number | null;
}

export interface Status {
  phase: 'offline' | 'idle' | 'syncing' | 'waiting' | 'blocked';
  /** Mutations that are not known to be done or refused. */
  pending: number;
  /** When the oldest of them was made, by this device's clock. */
  oldest_pending_at: string | null;
  last_synced_at: string | null;
  /** Refused mutations that wait for a person. */
  attention: number;
  error: Problem | null;
  progress: Progress | null;
}

export function phaseOf({ phase, unreachable }: Pick<SyncState, 'phase' | 'unreachable'>): Status['phase'] {
  switch (phase) {
    case 'pushing':
    case 'pulling':
      return 'syncing';
    case 'waiting':
      return unreachable ? 'offline' : 'waiting';
    default:
      return phase;
  }
}
