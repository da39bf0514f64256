/** Makes the folder of the embedded database, and keeps it durable and private. */
import { chmodSync, closeSync, existsSync, fsyncSync, mkdirSync, openSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

export const databaseName = 'gemba.db';

/** Makes the folder and its missing parents. An fsync of each parent makes the new folder survive a power cut. */
export function makeDataFolder(folder: string): void {
  const firstMade = mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (firstMade === undefined || process.platform === 'win32') return;
  const top = dirname(resolve(firstMade));
  for (let made = resolve(folder); made !== top; made = dirname(made)) syncToDisk(dirname(made));
}

/** Calls fsync, so that the content of a file, or the entries of a folder, survive a power cut. */
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
/** This bit marks a shared folder such as /tmp, whose permissions must not change. */
const stickyBit = 0o1000;

/** Removes other users' permissions from a database and its folder. SQLite makes its log files with the database's mode. */
export function restrictAccess(file: string): void {
  if (process.platform === 'win32') return;
  // Do not open an existing file here, since closing it would drop all locks that this process has on the file
  // (POSIX).
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

function ignoreErrors(work: () => void): void {
  try {
    work();
  } catch {
    // The permissions cannot be set if another user owns the file. If SQLite cannot use the file, SQLite reports that.
  }
}
