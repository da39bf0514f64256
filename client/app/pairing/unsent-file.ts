import type { Gemba } from '../../client.ts';
import { saveFile } from './save-file.ts';

/** Saves the unsent work of this device as a file. Returns false, and saves no file, if there is no unsent work. */
export async function saveUnsentFile(gemba: Pick<Gemba, 'exportUnsent'>): Promise<boolean> {
  const file = await gemba.exportUnsent();
  if (file.mutations.length === 0 && file.draft.length === 0) return false;
  saveFile(new Blob([JSON.stringify(file)], { type: 'application/json' }), fileNameFor(new Date()));
  return true;
}

const fileNameFor = (now: Date): string => `gemba-unsent-${now.toISOString().slice(0, 10)}.json`;
