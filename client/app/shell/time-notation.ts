/** The setting of this device: whether times are minutes and seconds or centiminutes. */
import { BehaviorSubject } from 'rxjs';
import { setTimeNotation, type TimeNotation } from '../text/format.ts';
import { readPageStorage, writePageStorage } from './page-storage.ts';

const storageKey = 'gemba-time-notation';

const storedNotation: TimeNotation =
  readPageStorage('localStorage', storageKey) === 'centiminute' ? 'centiminute' : 'clock';
export const timeNotation$ = new BehaviorSubject(storedNotation);

export const startTimeNotation = () => timeNotation$.subscribe(setTimeNotation);

export function chooseTimeNotation(notation: TimeNotation): void {
  writePageStorage('localStorage', storageKey, notation);
  timeNotation$.next(notation);
}
