/** The setting of this device: how many runs it keeps, the newest at first. The engine reads it as it opens. */
import { readPageStorage, writePageStorage } from './page-storage.ts';

export type RunsKept = '500' | '2000' | '10000';

const keyOf = (database: string) => `${database}-runs-kept`;

/**
 * Returns what was chosen, otherwise 10,000 for a desk and 2,000 for a phone. A browser in which the desk was opened keeps
 * as many for the phone's screens, since both use one database.
 */
export function runsKept(database: string, isDesk: boolean): RunsKept {
  const deskKey = `${database}-desk`;
  if (isDesk) writePageStorage('localStorage', deskKey, '1');
  const chosen = readPageStorage('localStorage', keyOf(database));
  if (chosen === '500' || chosen === '2000' || chosen === '10000') return chosen;
  return isDesk || readPageStorage('localStorage', deskKey) ? '10000' : '2000';
}

/** Returns whether the choice was stored. It holds from the next opening of the app on. */
export const chooseRunsKept = (database: string, chosen: RunsKept): boolean =>
  writePageStorage('localStorage', keyOf(database), chosen);
