/** Stores the rows of carried messages in an SQLite file. A write resolves when its rows are on the disk. */
import { Subject } from 'rxjs';
import type { CarriedRows } from '../client/relay/carried-index.ts';
import type { CarriedBody, Row } from '../client/storage/rows.ts';
import { openDatabase, type Database } from '../server/store/sqlite/database.ts';
import { StoreUnavailable } from '../server/store/store.ts';

export interface SqliteRows extends CarriedRows {
  /** Identifies this carrier, and stays the same after a restart. */
  readonly deviceId: string;
  close(): void;
}

/** How long to wait for a lock that another process holds, such as a process that is just ending. */
const busyMsMax = 5_000;

/**
 * Rejects if another process has the file open. A process reads the rows into its memory only once, so it would not see
 * the rows that another process writes.
 */
export async function openSqliteRows(file: string): Promise<SqliteRows> {
  const lock = await lockFile(file);
  const database = await openDatabase(file, { busyMsMax, synchronous: 'FULL' });
  database.exec('CREATE TABLE IF NOT EXISTS rows (id TEXT PRIMARY KEY, body TEXT NOT NULL) WITHOUT ROWID');
  database.exec('CREATE TABLE IF NOT EXISTS carrier (id TEXT PRIMARY KEY)');
  database.run('INSERT INTO carrier SELECT ? WHERE NOT EXISTS (SELECT 1 FROM carrier)', crypto.randomUUID());
  const { id: deviceId } = database.one<{ id: string }>('SELECT id FROM carrier');
  const stored = database.all<{ id: string; body: string }>('SELECT id, body FROM rows ORDER BY id');
  const rows = new Map(stored.map(({ id, body }) => [id, JSON.parse(body) as CarriedBody]));
  const written = new Subject<Parameters<Parameters<CarriedRows['onWrite']>[1]>[0]>();

  const store = (put: Row<CarriedBody>[], removedIds: string[]) => {
    database.exec('BEGIN IMMEDIATE');
    try {
      for (const { id, body } of put) {
        database.run('INSERT OR REPLACE INTO rows (id, body) VALUES (?, ?)', id, JSON.stringify(body));
      }
      for (const id of removedIds) database.run('DELETE FROM rows WHERE id = ?', id);
      database.exec('COMMIT');
    } catch (error) {
      database.rollback();
      throw error;
    }
  };

  return {
    deviceId,
    get: (id) => rows.get(id),
    entries: () => rows.entries(),
    async write(put, removedIds = []) {
      store(put, removedIds);
      for (const { id, body } of put) rows.set(id, body);
      for (const id of removedIds) rows.delete(id);
      written.next([...put, ...removedIds.map((id) => ({ id, body: undefined }))]);
    },
    // There is nothing to purge, since `write` deletes removed rows from the file.
    purge: async () => undefined,
    onWrite: (_stage, listener) => written.subscribe(listener),
    close: () => {
      database.close();
      lock.close();
    },
  };
}

/**
 * Begins a transaction that locks the file, and leaves the transaction open. When the process ends, even by a crash,
 * the lock ends, too.
 */
async function lockFile(file: string): Promise<Database> {
  const lock = await openDatabase(`${file}.lock`, { busyMsMax, synchronous: 'OFF' });
  try {
    lock.exec('BEGIN IMMEDIATE');
    return lock;
  } catch (error) {
    lock.close();
    if (!(error instanceof StoreUnavailable)) throw error;
    throw new Error(`Another process carries with ${file}. Give each its own folder with --data.`, { cause: error });
  }
}
