import { StoreUnavailable } from '../store.ts';
import { openDatabase, type Database } from './database.ts';

type LockOutcome = { ok: true; database: Database | undefined } | { ok: false; problem: string };

/**
 * Locks the database for a restore or a move. The lock fails while another process has the database open, since SQLite
 * then refuses to leave WAL mode. A database that is too damaged to open needs no lock.
 */
export async function lockDatabase(live: string): Promise<LockOutcome> {
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
