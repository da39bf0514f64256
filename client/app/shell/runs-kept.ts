/** The setting of this device: how many runs it keeps, the newest at first. The engine takes it as it opens. */
import { readPageStorage, writePageStorage } from './page-storage.ts';

export type RunsKept = '500' | '2000' | '10000';

const keyOf = (database: string) => `${database}-runs-kept`;
const deskKeyOf = (database: string) => `${database}-desk`;

/** Remembers that the desk was opened in this browser, whose phone's screens have the same database. */
export const rememberDesk = (database: string): boolean => writePageStorage('localStorage', deskKeyOf(database), '1');

/** Returns what was chosen, otherwise 10,000 for a database of a desk and 2,000 for that of a phone. */
export function runsKept(database: string): RunsKept {
  const chosen = readPageStorage('localStorage', keyOf(database));
  if (chosen === '500' || chosen === '2000' || chosen === '10000') return chosen;
  return readPageStorage('localStorage', deskKeyOf(database)) ? '10000' : '2000';
}

let taken: RunsKept | undefined;

/** Returns the setting, and remembers that the engine of this page has it. */
export function takeRunsKept(database: string): number {
  taken = runsKept(database);
  return Number(taken);
}

/** Returns the setting that the engine of this page has; undefined before it opened. */
export const takenRunsKept = (): RunsKept | undefined => taken;

/** Returns whether the choice was stored. It holds from the next opening of the app on. */
export const chooseRunsKept = (database: string, chosen: RunsKept): boolean =>
  writePageStorage('localStorage', keyOf(database), chosen);
