/**
 * Replaces the embedded database by a backup, and keeps the replaced database in a folder beside it. The restored
 * database gets a new epoch, so that devices push again the work that is missing from the backup. The restore adds
 * photos and removes none. If a photo is neither in the backup nor in the data folder, the server waits until a device
 * uploads it again.
 *
 *   copy the backup, check and migrate it, set the epoch ─► lock the database ─► copy its revocations and next ids
 *     ─► add photos ─► link the replaced files elsewhere ─► rename the copy
 */
import { copyFileSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { systemWorld, type World } from '../core/world.ts';
import { raiseNextIds, readNextIds, beginNewHistory } from '../store/sqlite/accounts.ts';
import { restartUpload, listStoredPhotos } from '../store/photos/sqlite-photos.ts';
import { inspectDatabase, leaveWalMode, type InspectionOutcome } from './backup.ts';
import { copyPhotos, type PhotoCopyResult, type PhotosOutcome } from './copy-photos.ts';
import { lockDatabase } from '../store/sqlite/lock-database.ts';
import { databaseFileName, linkOrCopy, makeDataFolder, syncToDisk } from '../store/sqlite/data-folder.ts';
import { openDatabase, type Database } from '../store/sqlite/database.ts';
import { migrate, schemaNumber } from '../store/sqlite/migrate.ts';
import { readRevocations, writeRevocations } from '../store/sqlite/revocations.ts';

interface RestoreOptions {
  from: string;
  dataDir: string;
  now: Date;
  /** True if the photos are in a bucket. The restore then adds no photos, and waits for none. */
  hasPhotoBucket?: boolean;
  /** Gives the new epoch its random id, and gives the time from which the restored database's new versions are made. */
  world?: World;
}

/** `replacedFolder` is the folder of the replaced database; undefined if there was no database. */
type RestoreOutcome =
  | { ok: true; replacedFolder: string | undefined; accounts: number; photos: PhotosOutcome }
  | { ok: false; problem: string };

export async function restoreDatabase(options: RestoreOptions): Promise<RestoreOutcome> {
  const { from, dataDir, now, hasPhotoBucket = false, world = systemWorld } = options;
  const backup = join(from, databaseFileName);
  if (!existsSync(backup)) return { ok: false, problem: `there is no backup in ${from}` };
  makeDataFolder(dataDir);
  const incoming = join(dataDir, `${databaseFileName}.restoring`);
  try {
    const prepared = await prepareBackupCopy({ backup, incoming, world });
    if (!prepared.ok) return prepared;
    const live = join(dataDir, databaseFileName);
    const locked = existsSync(live) ? await lockDatabase(live) : ({ ok: true, database: undefined } as const);
    if (!locked.ok) return locked;
    try {
      if (locked.database) await copyRevocationsAndNextIds(locked.database, incoming);
      const photos = hasPhotoBucket
        ? { inBucket: prepared.storedPhotos }
        : await addPhotos({ from, dataDir, incoming, now });
      const replacedFolder = replaceDatabase({ dataDir, incoming, now });
      return { ok: true, replacedFolder, accounts: prepared.accounts, photos };
    } finally {
      locked.database?.close();
    }
  } finally {
    for (const suffix of fileSuffixes) rmSync(incoming + suffix, { force: true });
  }
}

/** The suffixes of the files that make up one SQLite database. */
const fileSuffixes = ['', '-wal', '-shm', '-journal'];

async function prepareBackupCopy(options: {
  backup: string;
  incoming: string;
  world: World;
}): Promise<InspectionOutcome> {
  const { backup, incoming, world } = options;
  for (const suffix of fileSuffixes) rmSync(incoming + suffix, { force: true });
  copyFileSync(backup, incoming);
  // A backup that was copied from the whole data folder also has a log file.
  if (existsSync(`${backup}-wal`)) copyFileSync(`${backup}-wal`, `${incoming}-wal`);
  const found = await inspectDatabase(incoming);
  if (!found.ok) return { ok: false, problem: found.problem.replace(incoming, backup) };
  if (found.schema > schemaNumber) {
    return {
      ok: false,
      problem: `the backup was made by a newer Gemba (schema ${found.schema}); update this one first`,
    };
  }
  const database = await openDatabase(incoming, { busyMsMax: 0, synchronous: 'FULL' });
  // Migrate first, since `beginNewHistory` writes to tables that an older backup lacks.
  migrate(database, world);
  beginNewHistory(database, world);
  leaveWalMode(database);
  database.close();
  syncToDisk(incoming);
  return found;
}

/** Adds the photos of the restored database that the data folder lacks. */
async function addPhotos(options: {
  from: string;
  dataDir: string;
  incoming: string;
  now: Date;
}): Promise<PhotoCopyResult> {
  const { from, dataDir, incoming, now } = options;
  const database = await openDatabase(incoming, { busyMsMax: 0, synchronous: 'FULL' });
  try {
    const copied = copyPhotos({ photos: listStoredPhotos(database), from, to: dataDir });
    for (const { account_id, id, stored_at } of copied.missing)
      restartUpload(database, account_id, id, { storedAt: stored_at, now: now.toISOString() });
    leaveWalMode(database);
    return copied;
  } finally {
    database.close();
  }
}

/** Returns the folder of the replaced database; undefined if there was none. */
function replaceDatabase(options: { dataDir: string; incoming: string; now: Date }): string | undefined {
  const { dataDir, incoming, now } = options;
  const live = join(dataDir, databaseFileName);
  const replacedFolder = existsSync(live)
    ? join(dataDir, `replaced-${now.toISOString().replaceAll(':', '-')}`)
    : undefined;
  if (replacedFolder !== undefined) {
    mkdirSync(replacedFolder, { mode: 0o700 });
    for (const suffix of fileSuffixes)
      if (existsSync(live + suffix)) linkOrCopy(live + suffix, join(replacedFolder, databaseFileName + suffix));
  }
  // A rename is atomic, so `live` is a complete database at every instant.
  renameSync(incoming, live);
  for (const suffix of fileSuffixes.slice(1)) rmSync(live + suffix, { force: true });
  if (replacedFolder !== undefined) syncToDisk(replacedFolder);
  syncToDisk(dataDir);
  return replacedFolder;
}

/**
 * Copies two things from the replaced database, since a restore must not undo them: the revocations, and the next id of
 * each account.
 */
async function copyRevocationsAndNextIds(replaced: Database, incoming: string): Promise<void> {
  const revocations = readRevocations(replaced);
  const nextIds = readNextIds(replaced);
  const database = await openDatabase(incoming, { busyMsMax: 0, synchronous: 'FULL' });
  writeRevocations(database, revocations);
  raiseNextIds(database, nextIds);
  leaveWalMode(database);
  database.close();
  syncToDisk(incoming);
}
