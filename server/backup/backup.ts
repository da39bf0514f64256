/** Backs up a snapshot of the embedded database with its stored photos. Servers may write during the backup. */
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { databaseFileName, makeDataFolder, syncToDisk } from '../store/sqlite/data-folder.ts';
import { countStoredPhotos, listStoredPhotos } from '../store/photos/sqlite-photos.ts';
import { copyPhotos, type PhotoCopyResult, type PhotosOutcome } from './copy-photos.ts';
import { openDatabase, type Database } from '../store/sqlite/database.ts';

/** `bytes` is the size of the database without the photos. */
type BackupOutcome =
  | { ok: true; bytes: number; accounts: number; photos: PhotosOutcome }
  | { ok: false; problem: string };

const busyMsMax = 5_000;

interface BackupOptions {
  /** True if the photos are in a bucket. The backup then has none. */
  hasPhotoBucket?: boolean;
}

/**
 * Writes a complete backup to the folder `to`, or nothing if the backup fails. The folder must be empty or must not
 * exist.
 */
export async function backUpDatabase(
  dataDir: string,
  to: string,
  { hasPhotoBucket = false }: BackupOptions = {},
): Promise<BackupOutcome> {
  const from = join(dataDir, databaseFileName);
  if (!existsSync(from)) return { ok: false, problem: `there is no database in ${dataDir}` };
  if (existsSync(to) && readdirSync(to).length > 0) return { ok: false, problem: `${to} is not empty` };
  const partial = `${resolve(to)}.partial`;
  if (existsSync(partial)) {
    return { ok: false, problem: `${partial} is there: another backup is under way, or was broken off; remove it` };
  }
  makeDataFolder(dirname(partial));
  mkdirSync(partial, { mode: 0o700 });
  try {
    const file = join(partial, databaseFileName);
    await copyDatabase(from, file);
    const found = await inspectDatabase(file);
    if (!found.ok) return found;
    const photos = hasPhotoBucket
      ? { inBucket: found.storedPhotos }
      : await copyPhotosOf(file, { from: dataDir, to: partial });
    syncToDisk(file);
    syncToDisk(partial);
    if (existsSync(to)) rmSync(to, { recursive: true });
    renameSync(partial, to);
    syncToDisk(dirname(resolve(to)));
    return { ok: true, bytes: statSync(join(to, databaseFileName)).size, accounts: found.accounts, photos };
  } finally {
    rmSync(partial, { recursive: true, force: true });
  }
}

/** VACUUM INTO reads one snapshot of the database and does not block writers. */
async function copyDatabase(from: string, to: string): Promise<void> {
  const database = await openDatabase(from, { busyMsMax, synchronous: 'FULL' });
  try {
    database.run('VACUUM INTO ?', to);
  } finally {
    database.close();
  }
}

/** Copies the photos that the backup's database `file` lists as stored. */
async function copyPhotosOf(file: string, { from, to }: { from: string; to: string }): Promise<PhotoCopyResult> {
  const database = await openDatabase(file, { busyMsMax, synchronous: 'FULL' });
  try {
    const copied = copyPhotos({ photos: listStoredPhotos(database), from, to });
    leaveWalMode(database);
    return copied;
  } finally {
    database.close();
  }
}

export type InspectionOutcome =
  | { ok: true; accounts: number; schema: number; storedPhotos: number }
  | { ok: false; problem: string };

/** Takes a database that no server has open out of WAL mode, so that it is one file without a log beside it. */
export const leaveWalMode = (database: Database): void => database.exec('PRAGMA journal_mode = DELETE');

/** Checks that the file is an undamaged Gemba database, and takes it out of WAL mode. */
export async function inspectDatabase(file: string): Promise<InspectionOutcome> {
  let database: Database | undefined;
  try {
    database = await openDatabase(file, { busyMsMax, synchronous: 'FULL' });
    const [first] = database.all<{ integrity_check: string }>('PRAGMA integrity_check(1)');
    if (first?.integrity_check !== 'ok') return { ok: false, problem: `${file} is damaged: ${first?.integrity_check}` };
    const accounts = database.one<{ count: number }>('SELECT count(*) AS count FROM accounts').count;
    const schema = database.one<{ user_version: number }>('PRAGMA user_version').user_version;
    leaveWalMode(database);
    return { ok: true, accounts, schema, storedPhotos: countStoredPhotos(database) };
  } catch (error) {
    return { ok: false, problem: `${file} is no database of Gemba: ${error instanceof Error ? error.message : error}` };
  } finally {
    database?.close();
  }
}
