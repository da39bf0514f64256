import { BehaviorSubject } from 'rxjs';

/** Whether a finish can still be undone, so that the status still counts the steps of its recording. */
export const isFinishDelayed$ = new BehaviorSubject(false);

let resetTimer: ReturnType<typeof setTimeout> | undefined;

/** Call this with 0 when the finish was undone. */
export function setFinishDelayed(durationMs: number): void {
  clearTimeout(resetTimer);
  isFinishDelayed$.next(durationMs > 0);
  resetTimer = setTimeout(() => isFinishDelayed$.next(false), durationMs);
}
