/** Remembers the name under which this face was paired last. The engine keeps the token itself. */
import type { Face } from '../shell/engine.tsx';
import { readPageStorage, writePageStorage } from '../shell/page-storage.ts';

const keyOf = (face: Face): string => `gemba-${face}-name`;

/** Reads the device's name; null before the first pairing. */
export const pairedName = (face: Face): string | null => readPageStorage('localStorage', keyOf(face));

export const rememberPairedName = (face: Face, name: string): boolean =>
  writePageStorage('localStorage', keyOf(face), name);
