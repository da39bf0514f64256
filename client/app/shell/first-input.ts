import { BehaviorSubject } from 'rxjs';

/** True until the first tap or key press on this page. */
export const hasNoInput$ = new BehaviorSubject(true);

/** Listens from the start, since input may come before the engine is open. */
export function watchFirstInput(): void {
  for (const input of ['pointerdown', 'keydown']) {
    addEventListener(input, () => hasNoInput$.next(false), { once: true });
  }
}
