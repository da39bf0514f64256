/** Makes the folder of the embedded database durable and private. */
import { chmodSync, closeSync, existsSync, fsyncSync, mkdirSync, openSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

export const databaseName = 'gemba.db';

/** Makes the folder and syncs each new entry in its parent, so that the folder survives a power cut. */
export function makeDataFolder(folder: string): void {
  const firstMade = mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (firstMade === undefined || process.platform === 'win32') return;
  const top = dirname(resolve(firstMade));
  for (let made = resolve(folder); made !== top; made = dirname(made)) syncToDisk(dirname(made));
}

/** Makes the content of a file, or the entries of a folder, survive a power cut. */
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
/** Marks shared folders such as /tmp, whose permissions must not change. */
const stickyBit = 0o1000;

/** Removes other users' permissions from a database and its folder. SQLite gives its other files the same mode. */
export function keepPrivate(file: string): void {
  if (process.platform === 'win32') return;
  // Only a missing file is opened, since closing any handle of a database file drops this process's locks on it.
  if (!existsSync(file)) ignoreErrors(() => closeSync(openSync(file, 'wx', ownFileMode)));
  for (const each of ['', '-wal', '-shm', '-journal'].map((suffix) => file + suffix)) {
    if (existsSync(each)) restrictMode(each, ownFileMode);
  }
  restrictMode(dirname(resolve(file)), ownFolderMode);
}

function restrictMode(path: string, mode: number): void {
  ignoreErrors(() => {
    const before = statSync(path).mode;
    if ((before & stickyBit) === 0 && (before & permissionBits & ~mode) !== 0) chmodSync(path, before & mode);
  });
}

/** Ignores errors: another user may own the file, and SQLite reports a file that it cannot open. */
function ignoreErrors(work: () => void): void {
  try {
    work();
  } catch {
    // The mode stays as it is.
  }
}
