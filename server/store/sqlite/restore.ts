/**
 * A backup takes the place of the embedded database. What it replaces is kept beside, and the epoch changes, so that devices
 * offer again what the backup does not have.
 *
 *   copy, check, new epoch ─► nobody has the database open ─► keep the old one ─► rename over it
 */
import { randomUUID } from 'node:crypto';
import { copyFileSync, existsSync, linkSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { StoreUnavailable } from '../store.ts';
import { writeEpoch } from './accounts.ts';
import { inspectDatabase, type Inspection } from './backup.ts';
import { databaseName, makeDataFolder, syncToDisk } from './data-folder.ts';
import { openDatabase, type Database } from './database.ts';
import { schemaNumber } from './migrate.ts';
import { readRevocations, writeRevocations } from './revocations.ts';

/** `kept`: the folder with what was there before. */
type RestoreOutcome = { ok: true; kept: string | undefined; accounts: number } | { ok: false; problem: string };

export async function restore(given: { from: string; dataDir: string; now: Date }): Promise<RestoreOutcome> {
  const { from, dataDir, now } = given;
  const backup = join(from, databaseName);
  if (!existsSync(backup)) return { ok: false, problem: `there is no backup in ${from}` };
  makeDataFolder(dataDir);
  const incoming = join(dataDir, `${databaseName}.restoring`);
  try {
    const prepared = await prepare(backup, incoming);
    if (!prepared.ok) return prepared;
    const taken = await takePlace({ dataDir, incoming, now });
    return taken.ok ? { ok: true, kept: taken.kept, accounts: prepared.accounts } : taken;
  } finally {
    for (const suffix of suffixes) rmSync(incoming + suffix, { force: true });
  }
}

/** SQLite's files of a database. */
const suffixes = ['', '-wal', '-shm', '-journal'];

async function prepare(backup: string, incoming: string): Promise<Inspection> {
  for (const suffix of suffixes) rmSync(incoming + suffix, { force: true });
  copyFileSync(backup, incoming);
  // Of a folder that was copied whole.
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
  writeEpoch(database, randomUUID());
  database.exec('PRAGMA journal_mode = DELETE');
  database.close();
  syncToDisk(incoming);
  return found;
}

type Taken = { ok: true; kept: string | undefined } | { ok: false; problem: string };

async function takePlace(given: { dataDir: string; incoming: string; now: Date }): Promise<Taken> {
  const { dataDir, incoming, now } = given;
  const live = join(dataDir, databaseName);
  if (!existsSync(live)) {
    renameSync(incoming, live);
    syncToDisk(dataDir);
    return { ok: true, kept: undefined };
  }
  const held = await hold(live);
  if (!held.ok) return held;
  if (held.database) await carryRevocations(held.database, incoming);
  const kept = join(dataDir, `replaced-${now.toISOString().replaceAll(':', '-')}`);
  try {
    mkdirSync(kept, { mode: 0o700 });
    for (const suffix of suffixes) if (existsSync(live + suffix)) keep(live + suffix, kept);
    // At each instant there is a whole database under the name.
    renameSync(incoming, live);
    for (const suffix of suffixes.slice(1)) rmSync(live + suffix, { force: true });
  } finally {
    held.database?.close();
  }
  syncToDisk(kept);
  syncToDisk(dataDir);
  return { ok: true, kept };
}

/** A token that was revoked after the backup stays revoked; a database that cannot be read any more has none to tell. */
async function carryRevocations(replaced: Database, incoming: string): Promise<void> {
  const revocations = readRevocations(replaced);
  const database = await openDatabase(incoming, { busyMsMax: 0, synchronous: 'FULL' });
  writeRevocations(database, revocations);
  database.exec('PRAGMA journal_mode = DELETE');
  database.close();
  syncToDisk(incoming);
}

function keep(file: string, folder: string): void {
  const to = join(folder, basename(file));
  try {
    linkSync(file, to);
  } catch {
    // Not every file system has links.
    copyFileSync(file, to);
    syncToDisk(to);
  }
}

type Held = { ok: true; database: Database | undefined } | { ok: false; problem: string };

/**
 * Whoever has a database open in WAL mode holds a shared lock on it, so that only who is alone can leave that mode. The
 * lock is then kept until the file is replaced. What is too damaged to be opened is open nowhere.
 */
async function hold(live: string): Promise<Held> {
  let database: Database | undefined;
  try {
    database = await openDatabase(live, { busyMsMax: 0, synchronous: 'FULL' });
    database.exec('PRAGMA journal_mode = DELETE; PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
    return { ok: true, database };
  } catch (error) {
    database?.close();
    if (!(error instanceof StoreUnavailable)) return { ok: true, database: undefined };
    return { ok: false, problem: `a server has ${live} open (${error.message}); stop it first` };
  }
}
