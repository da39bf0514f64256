/** The steps of a finished recording while Undo is possible. Only this device has these steps. */
import { BehaviorSubject } from 'rxjs';

export const heldSteps$ = new BehaviorSubject(0);

let timer: ReturnType<typeof setTimeout> | undefined;

export function holdSteps(steps: number, ms: number): void {
  clearTimeout(timer);
  heldSteps$.next(steps);
  timer = setTimeout(() => heldSteps$.next(0), ms);
}
