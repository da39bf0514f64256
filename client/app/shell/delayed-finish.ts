import { BehaviorSubject } from 'rxjs';

/**
 * True while a finish can still be undone. Meanwhile the status pill counts the steps of the finished recording, as it
 * does during a recording.
 */
export const isFinishDelayed$ = new BehaviorSubject(false);

let resetTimer: ReturnType<typeof setTimeout> | undefined;

/** Marks a finish as delayed for `durationMs`. With 0, ends the delay, as when a person has undone the finish. */
export function setFinishDelayMs(durationMs: number): void {
  clearTimeout(resetTimer);
  isFinishDelayed$.next(durationMs > 0);
  resetTimer = setTimeout(() => isFinishDelayed$.next(false), durationMs);
}
