import { BehaviorSubject } from 'rxjs';

/** How many steps a recording has whose finish can still be undone; 0 afterwards. Only this device has these steps. */
export const delayedFinishStepCount$ = new BehaviorSubject(0);

let resetTimer: ReturnType<typeof setTimeout> | undefined;

export function setDelayedFinishStepCount(stepCount: number, durationMs: number): void {
  clearTimeout(resetTimer);
  delayedFinishStepCount$.next(stepCount);
  resetTimer = setTimeout(() => delayedFinishStepCount$.next(0), durationMs);
}
