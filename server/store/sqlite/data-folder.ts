/** Where the embedded database lies, and how it gets onto the disk. */
import { chmodSync, closeSync, existsSync, fsyncSync, mkdirSync, openSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

export const databaseName = 'gemba.db';

/** Makes the folder such that a power cut right after does not take it away: each new entry is synced in its parent. */
export function makeDataFolder(folder: string): void {
  const firstMade = mkdirSync(folder, { recursive: true, mode: 0o700 });
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

const ownFileMode = 0o600;
const ownFolderMode = 0o700;
const permissionBits = 0o777;
/** A folder that everybody writes to, such as /tmp, is not ours to close. */
const stickyBit = 0o1000;

/** Takes a database from the other users of the machine; SQLite gives the files beside it the mode of the first. */
export function keepPrivate(file: string): void {
  if (process.platform === 'win32') return;
  // Only a file that is not there: to close one of a database drops the locks that this process has on it.
  if (!existsSync(file)) tryTo(() => closeSync(openSync(file, 'wx', ownFileMode)));
  for (const each of ['', '-wal', '-shm', '-journal'].map((suffix) => file + suffix)) {
    if (existsSync(each)) tighten(each, ownFileMode);
  }
  tighten(dirname(resolve(file)), ownFolderMode);
}

function tighten(path: string, mode: number): void {
  tryTo(() => {
    const before = statSync(path).mode;
    if ((before & stickyBit) === 0 && (before & permissionBits & ~mode) !== 0) chmodSync(path, before & mode);
  });
}

/** Who owns the file decides; a file that cannot be opened is told by SQLite. */
function tryTo(work: () => void): void {
  try {
    work();
  } catch {
    // As it was.
  }
}
