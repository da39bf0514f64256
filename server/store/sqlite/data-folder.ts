import { closeSync, fsyncSync, mkdirSync, openSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/** Makes the folder such that a power cut right after does not take it away: each new entry is synced in its parent. */
export function makeDataFolder(folder: string): void {
  const firstMade = mkdirSync(folder, { recursive: true });
  if (firstMade === undefined || process.platform === 'win32') return;
  const top = dirname(resolve(firstMade));
  for (let made = resolve(folder); made !== top; made = dirname(made)) syncFolder(dirname(made));
}

function syncFolder(folder: string): void {
  const handle = openSync(folder, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
