/** As what this face was paired last: a note beside the engine, which keeps the token itself. */
import type { Face } from '../shell/engine.tsx';
import { note, noted } from '../shell/notes.ts';

const noteOf = (face: Face): string => `gemba-${face}-name`;

/** null before the first time. */
export const pairedAs = (face: Face): string | null => noted('localStorage', noteOf(face));

export const rememberPaired = (face: Face, name: string): boolean => note('localStorage', noteOf(face), name);
