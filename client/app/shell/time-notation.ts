/** The setting of this device: whether times are minutes and seconds or centiminutes. */
import { BehaviorSubject } from 'rxjs';
import { setTimeNotation, type TimeNotation } from '../text/format.ts';
import { readPageStorage, writePageStorage } from './page-storage.ts';

const key = 'gemba-time-notation';

const stored: TimeNotation = readPageStorage('localStorage', key) === 'centiminute' ? 'centiminute' : 'clock';
export const timeNotation$ = new BehaviorSubject(stored);

export const startTimeNotation = () => timeNotation$.subscribe(setTimeNotation);

export function chooseTimeNotation(notation: TimeNotation): void {
  writePageStorage('localStorage', key, notation);
  timeNotation$.next(notation);
}
