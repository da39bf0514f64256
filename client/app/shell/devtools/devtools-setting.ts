/** The setting of this device: whether the app offers the devtools panel and traces the rounds of the sync. */
import { readPageStorage, writePageStorage } from '../page-storage.ts';

const devtoolsKey = 'gemba-devtools';

export const hasDevtools = (): boolean => readPageStorage('localStorage', devtoolsKey) === '1';

/** Stores the choice. Returns whether it was stored. */
export const storeDevtoolsChoice = (isOn: boolean): boolean =>
  writePageStorage('localStorage', devtoolsKey, isOn ? '1' : '0');
