/** Makes the folder of the embedded database, and keeps it durable and private. */
import {
  accessSync,
  chmodSync,
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  statSync,
} from 'node:fs';
import { dirname, resolve } from 'node:path';

export const databaseFileName = 'gemba.db';

/** Makes the folder and its missing parents. An fsync of each parent makes the new folder survive a power cut. */
export function makeDataFolder(folder: string): void {
  try {
    const missing = listMissingFolders(resolve(folder));
    for (const path of missing) mkdirIfMissing(path);
    // The path ends with a dot, so that the check fails if `folder` is a file.
    accessSync(`${folder}/.`, constants.W_OK);
    if (process.platform !== 'win32') for (const path of missing.toReversed()) syncToDisk(dirname(path));
  } catch (error) {
    throw new DataFolderUnusable(
      `${folder} cannot be used as a folder: ${error instanceof Error ? error.message : String(error)}`,
      {
        cause: error,
      },
    );
  }
}

/** Thrown if the folder cannot be made, is a file, or does not let this process write to it. */
export class DataFolderUnusable extends Error {
  override name = 'DataFolderUnusable';
}

/**
 * Lists the folders to be made, a parent before its child. `mkdirSync` with `recursive` would never return if an
 * existing parent takes no folders, such as /proc.
 */
function listMissingFolders(path: string): string[] {
  const missing: string[] = [];
  for (let each = path; !existsSync(each) && each !== dirname(each); each = dirname(each)) missing.unshift(each);
  return missing;
}

function mkdirIfMissing(path: string): void {
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    // Another process may have made the folder meanwhile.
    if (!existsSync(path)) throw error;
  }
}

/** Links the file. Copies it if the file system has no hard links, or if the target is on another file system. */
export function linkOrCopy(source: string, target: string): void {
  try {
    linkSync(source, target);
  } catch {
    copyFileSync(source, target);
    syncToDisk(target);
  }
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

const ownerOnlyFileMode = 0o600;
const ownerOnlyFolderMode = 0o700;
const permissionBits = 0o777;
/** This bit marks a shared folder such as /tmp, whose permissions must not change. */
const stickyBit = 0o1000;

/**
 * Removes other users' permissions from a database and its folder. SQLite makes its log files with the database's mode.
 */
export function restrictAccess(file: string): void {
  if (process.platform === 'win32') return;
  // Do not open an existing file here, since closing it would drop all locks that this process has on the file
  // (POSIX).
  if (!existsSync(file)) ignoreErrors(() => closeSync(openSync(file, 'wx', ownerOnlyFileMode)));
  for (const each of ['', '-wal', '-shm', '-journal'].map((suffix) => file + suffix)) {
    if (existsSync(each)) restrictMode(each, ownerOnlyFileMode);
  }
  restrictMode(dirname(resolve(file)), ownerOnlyFolderMode);
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
    // The permissions cannot be set if another user owns the file. If SQLite cannot use the file, SQLite reports an
    // error.
  }
}
