import { databaseNameOf, type Face } from '../shell/engine.tsx';
import { readPageStorage, writePageStorage } from '../shell/page-storage.ts';

const storageKeyOf = (face: Face): string => `${databaseNameOf(face)}-name`;

/** Returns the name that a person last gave to this device; null before the first pairing. */
export const readPairedDeviceName = (face: Face): string | null => readPageStorage('localStorage', storageKeyOf(face));

export const storePairedDeviceName = (face: Face, name: string): boolean =>
  writePageStorage('localStorage', storageKeyOf(face), name);
