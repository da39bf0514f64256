import type { Problem } from '../../../shared/protocol/problem.ts';
import { combineLatest, type Observable } from 'rxjs';
import { distinctUntilChanged, map } from 'rxjs/operators';
import type { StorageHealth, StorageProblem } from '../../storage/storage-health.ts';
import type { Journal, JournalState } from '../../storage/journal/journal.ts';
import type { View } from '../../view/view.ts';
import type { SyncState } from '../cycle/sync-state.ts';
import type { Tabs } from './tabs.ts';
import type { Progress } from './tab-channel.ts';

/** The device's status: the state of its sync, its unsent mutations and the health of its storage. */
export interface Status {
  /**
   * offline: the server is unreachable. waiting: the server asked for a wait, a round failed, or another tab pulled or
   * the server was restored during a pull. blocked: a person must solve the problem in `error`.
   */
  phase: 'offline' | 'idle' | 'syncing' | 'waiting' | 'blocked';
  /**
   * Counts unsettled mutations, recordings that are sent again because a restored server may lack them, and finished
   * recordings whose finish can still be undone.
   */
  pending: number;
  /** Counts the steps of the recordings in `pending`. The recording under way does not count. */
  pending_steps: number;
  /** When the oldest item in `pending` was made, by this device's clock; null if `pending` is 0. */
  oldest_pending_at: string | null;
  /** When a round last completed, by this device's clock; null before the first one. */
  last_synced_at: string | null;
  /** Counts the refused mutations that wait for a decision of a person. */
  attention: number;
  /** Counts the photos of finished recordings that the server lacks; absent if it lacks none. */
  photos?: number;
  /**
   * Why the sync waits, is blocked or restarted; null if nothing is wrong or only the server is unreachable. A storage
   * problem takes precedence.
   */
  error: Problem | StorageProblem | null;
  /** The progress of the current push or pull; null if neither runs. */
  progress: Progress | null;
  /** The journal of unsent work: up to date (`kept`), `behind` the database, or absent on this platform (`none`). */
  second_copy: JournalState;
}

interface StatusSources {
  sync: Tabs;
  view: View;
  storageHealth: StorageHealth;
  journal: Journal;
  recordings: DelayedFinishSource;
}

/** The recordings whose finish can still be undone. They are not in the outbox yet. */
export interface DelayedFinishSource {
  /** Emits after each change of `delayedFinishes`. */
  recording$: Observable<unknown>;
  readonly delayedFinishes: readonly { finished_at: string; step_count: number }[];
}

export function status$({ sync, view, storageHealth, journal, recordings }: StatusSources): Observable<Status> {
  const finishes$ = recordings.recording$.pipe(
    map(() => JSON.stringify(recordings.delayedFinishes)),
    distinctUntilChanged(),
  );
  return combineLatest([sync.snapshot$, storageHealth.problem$, journal.state$, view.changed$, finishes$]).pipe(
    map(([{ state, progress, lastSyncedAt }, problem, second_copy]) => {
      // Reads the finishes now. `finishes$` may emit late, when the outbox already has the upload of such a recording,
      // and the recording would count twice.
      const finishes = recordings.delayedFinishes;
      const finishTimes = finishes.map(({ finished_at }) => finished_at);
      const { waiting } = view;
      // During the first pull, which is written page by page, the cursor's time is not the end of a round.
      const { complete, synced_at = null } = view.base.cursor ?? {};
      const [oldest] = [waiting[0]?.recorded_at ?? [], finishTimes].flat().toSorted();
      return {
        phase: problem?.code === 'storage_lost' ? ('blocked' as const) : phaseOf(state),
        pending: waiting.length + finishes.length,
        pending_steps: finishes.reduce((count, { step_count }) => count + step_count, view.waitingSteps),
        oldest_pending_at: oldest ?? null,
        last_synced_at: lastSyncedAt ?? (complete ? synced_at : null),
        attention: view.refused.length,
        error: problem ?? state.error,
        progress,
        second_copy,
      };
    }),
    distinctUntilChanged((a, b) => JSON.stringify(a) === JSON.stringify(b)),
  );
}

function phaseOf({ phase, unreachable }: Pick<SyncState, 'phase' | 'unreachable'>): Status['phase'] {
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
