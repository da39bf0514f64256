/** Where the embedded database lies, and how it gets onto the disk. */
import { closeSync, fsyncSync, mkdirSync, openSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

export const databaseName = 'gemba.db';

/** Makes the folder such that a power cut right after does not take it away: each new entry is synced in its parent. */
export function makeDataFolder(folder: string): void {
  const firstMade = mkdirSync(folder, { recursive: true });
  if (firstMade === undefined || process.platform === 'win32') return;
  const top = dirname(resolve(firstMade));
  for (let made = resolve(folder); made !== top; made = dirname(made)) syncToDisk(dirname(made));
}

/** What a file holds, or which entries a folder has, survives a power cut from here on. */
export function syncToDisk(path: string): void {
  if (process.platform === 'win32') return;
  const handle = openSync(path, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
