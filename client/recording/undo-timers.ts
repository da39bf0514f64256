/**
 * Runs a timer for each finished recording that can still be unfinished. When the timer ends, the recording is moved
 * into the outbox. Every tab runs the timers, since the tab that finished the recording may be closed.
 */
import type { Stamp, TrustedClock } from '../core/clock.ts';
import type { FinishedTap } from '../storage/rows.ts';
import type { Draft } from './draft.ts';

interface UndoTimer {
  runId: number;
  cancel(): void;
}

/**
 * Returns how much undo time a finish has left. After a reload, only the wall clock can measure. If that clock was set
 * back, the whole undo time is left.
 */
export function undoMsLeftOf({ at, undo }: Pick<FinishedTap, 'at' | 'undo'>, now: Stamp): number {
  if (!undo) return 0;
  const passedMs = at.boot_id === now.boot_id ? now.monotonic_ms - at.monotonic_ms : now.wall_ms - at.wall_ms;
  return Math.max(0, undo.ms - Math.max(0, passedMs));
}

export class UndoTimers {
  readonly #clock: Pick<TrustedClock, 'schedule' | 'stamp'>;
  readonly #onEnd: (session: string, runId: number) => void;
  /** The timers by recording session. */
  readonly #timers = new Map<string, UndoTimer>();
  readonly #openedAt: Stamp;

  constructor(clock: Pick<TrustedClock, 'schedule' | 'stamp'>, onEnd: (session: string, runId: number) => void) {
    this.#clock = clock;
    this.#onEnd = onEnd;
    this.#openedAt = clock.stamp();
  }

  /** Starts timers for new finishes, and cancels the timers of recordings that were unfinished or moved. */
  update(drafts: readonly Draft[]): void {
    const delayed = new Map(
      drafts.flatMap(({ started, finished }) =>
        finished?.undo ? [[started.recording_session_id, { at: finished.at, undo: finished.undo }] as const] : [],
      ),
    );
    // Stop the timer if the run id has changed, since each finish has its own run id.
    for (const [session, { runId }] of this.#timers) {
      if (delayed.get(session)?.undo.run_id !== runId) this.#stop(session);
    }
    for (const [session, finished] of delayed) {
      if (this.#timers.has(session)) continue;
      const ms = this.#isMadeByThisPage(finished) ? finished.undo.ms : undoMsLeftOf(finished, this.#clock.stamp());
      const { run_id: runId } = finished.undo;
      this.#timers.set(session, { runId, cancel: this.#clock.schedule(ms, () => this.#onEnd(session, runId)) });
    }
  }

  stopAll(): void {
    for (const session of this.#timers.keys()) this.#stop(session);
  }

  /**
   * Returns true if this page made the finish. The undo time then counts from now, when the finish is stored and the
   * page shows Undo, so that a slow disk does not shorten the undo time.
   */
  #isMadeByThisPage({ at }: Pick<FinishedTap, 'at'>): boolean {
    return at.boot_id === this.#openedAt.boot_id && at.monotonic_ms >= this.#openedAt.monotonic_ms;
  }

  #stop(session: string): void {
    this.#timers.get(session)?.cancel();
    this.#timers.delete(session);
  }
}
