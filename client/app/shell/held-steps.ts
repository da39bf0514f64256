/** Counts the steps of a finished recording that this device alone has while its finish can be undone. */
import { BehaviorSubject } from 'rxjs';

export const heldSteps$ = new BehaviorSubject(0);

let timer: ReturnType<typeof setTimeout> | undefined;

export function holdSteps(steps: number, ms: number): void {
  clearTimeout(timer);
  heldSteps$.next(steps);
  timer = setTimeout(() => heldSteps$.next(0), ms);
}
