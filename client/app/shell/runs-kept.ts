/** The setting of this device: how many of the newest runs it keeps. The engine gets the setting when it opens. */
import { readPageStorage, writePageStorage } from './page-storage.ts';

export type RunsKept = '500' | '2000' | '10000';

const runsKeptKeyOf = (database: string) => `${database}-runs-kept`;
const deskKeyOf = (database: string) => `${database}-desk`;

/** Remembers that this browser has opened the desk, which shares its database with the phone's screens. */
export const rememberDesk = (database: string): boolean => writePageStorage('localStorage', deskKeyOf(database), '1');

/** Returns the stored choice. The default is 10,000 if this browser has opened the desk, otherwise 2,000. */
export function readRunsKept(database: string): RunsKept {
  const chosen = readPageStorage('localStorage', runsKeptKeyOf(database));
  if (chosen === '500' || chosen === '2000' || chosen === '10000') return chosen;
  return readPageStorage('localStorage', deskKeyOf(database)) ? '10000' : '2000';
}

let applied: RunsKept | undefined;

/** Returns the setting with which the engine of this page opens. `appliedRunsKept` returns the same value later. */
export function takeRunsKept(database: string): number {
  applied = readRunsKept(database);
  return Number(applied);
}

/** Returns the setting with which the engine of this page has opened; undefined while no engine has opened. */
export const appliedRunsKept = (): RunsKept | undefined => applied;

/** Stores the choice, which applies when the app next opens. Returns whether the choice was stored. */
export const chooseRunsKept = (database: string, chosen: RunsKept): boolean =>
  writePageStorage('localStorage', runsKeptKeyOf(database), chosen);
