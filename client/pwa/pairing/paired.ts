/** Whether this face was ever paired: a note beside the engine, which keeps the token itself. */
import type { Face } from '../engine.tsx';

const noteOf = (face: Face): string => `gemba-${face}-paired`;

export const wasPaired = (face: Face): boolean => localStorage.getItem(noteOf(face)) !== null;

export const rememberPaired = (face: Face): void => localStorage.setItem(noteOf(face), 'yes');
