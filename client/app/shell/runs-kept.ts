/** The setting of this device: how many of the newest runs it keeps. The engine gets the setting when it opens. */
import { readPageStorage, writePageStorage } from './page-storage.ts';

export type RunsKept = '500' | '2000' | '10000';

const keyOf = (database: string) => `${database}-runs-kept`;
const deskKeyOf = (database: string) => `${database}-desk`;

/** Remembers that this browser has opened the desk, which shares its database with the phone's screens. */
export const rememberDesk = (database: string): boolean => writePageStorage('localStorage', deskKeyOf(database), '1');

/** Returns the chosen number. The default is 10,000 if this browser has opened the desk, otherwise 2,000. */
export function runsKept(database: string): RunsKept {
  const chosen = readPageStorage('localStorage', keyOf(database));
  if (chosen === '500' || chosen === '2000' || chosen === '10000') return chosen;
  return readPageStorage('localStorage', deskKeyOf(database)) ? '10000' : '2000';
}

let applied: RunsKept | undefined;

/** Returns the setting for the engine of this page, and remembers it. */
export function applyRunsKept(database: string): number {
  applied = runsKept(database);
  return Number(applied);
}

/** Returns the setting with which the engine of this page has opened; undefined before. */
export const appliedRunsKept = (): RunsKept | undefined => applied;

/** Stores the choice, which applies from the next opening of the app on. Returns whether it was stored. */
export const chooseRunsKept = (database: string, chosen: RunsKept): boolean =>
  writePageStorage('localStorage', keyOf(database), chosen);
