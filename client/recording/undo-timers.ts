/**
 * Runs a timer for each finished recording that can still be unfinished. At the end of the timer, the recording is
 * uploaded. Every tab runs the timers.
 */
import type { Clock } from '../core/clock.ts';
import type { Draft } from './draft.ts';

interface UndoTimer {
  runId: number;
  cancel(): void;
}

export class UndoTimers {
  readonly #schedule: Clock['schedule'];
  readonly #onEnd: (session: string) => void;
  /** The timers by recording session. */
  readonly #timers = new Map<string, UndoTimer>();

  constructor(schedule: Clock['schedule'], onEnd: (session: string) => void) {
    this.#schedule = schedule;
    this.#onEnd = onEnd;
  }

  /** Starts timers for new finishes, and cancels the timers of recordings that were unfinished or uploaded. */
  update(drafts: readonly Draft[]): void {
    const undoable = new Map(
      drafts.flatMap(({ started, finished }) =>
        finished?.undo ? [[started.recording_session_id, finished.undo] as const] : [],
      ),
    );
    // Each finish has its own run id, so another run id means a new finish with a new timer.
    for (const [session, { runId }] of this.#timers) {
      if (undoable.get(session)?.run_id !== runId) this.#stop(session);
    }
    for (const [session, { ms, run_id: runId }] of undoable) {
      if (this.#timers.has(session)) continue;
      this.#timers.set(session, { runId, cancel: this.#schedule(ms, () => this.#onEnd(session)) });
    }
  }

  stopAll(): void {
    for (const session of this.#timers.keys()) this.#stop(session);
  }

  #stop(session: string): void {
    this.#timers.get(session)?.cancel();
    this.#timers.delete(session);
  }
}
