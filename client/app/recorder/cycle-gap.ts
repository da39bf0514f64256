/** The setting of this device: whether the time between two cycles is a step of its own. */
import { BehaviorSubject } from 'rxjs';
import { readPageStorage, writePageStorage } from '../shell/page-storage.ts';

const storageKey = 'gemba-cycle-gap';

export const isGapRecorded$ = new BehaviorSubject(readPageStorage('localStorage', storageKey) === 'step');

export function setGapRecorded(isRecorded: boolean): void {
  writePageStorage('localStorage', storageKey, isRecorded ? 'step' : 'none');
  isGapRecorded$.next(isRecorded);
}
