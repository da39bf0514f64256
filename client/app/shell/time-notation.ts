/** The setting of this device: whether times are minutes and seconds or centiminutes. */
import { BehaviorSubject } from 'rxjs';
import { setTimeNotation, type TimeNotation } from '../text/format.ts';
import { readPageStorage, writePageStorage } from './page-storage.ts';

const storageKey = 'gemba-time-notation';

const readStoredNotation = (): TimeNotation =>
  readPageStorage('localStorage', storageKey) === 'centiminute' ? 'centiminute' : 'clock';
export const timeNotation$ = new BehaviorSubject(readStoredNotation());

export function startTimeNotation(): void {
  timeNotation$.subscribe(setTimeNotation);
  // Follows a choice in another tab. A browser sends this event only to the other tabs.
  addEventListener('storage', ({ key }) => {
    if (key === storageKey) timeNotation$.next(readStoredNotation());
  });
}

export function chooseTimeNotation(notation: TimeNotation): void {
  writePageStorage('localStorage', storageKey, notation);
  timeNotation$.next(notation);
}
