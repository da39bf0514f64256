import { BehaviorSubject } from 'rxjs';

/** The steps in a finished recording while Undo is possible; 0 afterwards. Only this device has these steps. */
export const undoableStepCount$ = new BehaviorSubject(0);

let resetTimer: ReturnType<typeof setTimeout> | undefined;

export function setUndoableStepCount(stepCount: number, durationMs: number): void {
  clearTimeout(resetTimer);
  undoableStepCount$.next(stepCount);
  resetTimer = setTimeout(() => undoableStepCount$.next(0), durationMs);
}
