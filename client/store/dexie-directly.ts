/**
 * Two ways around RxDB's Dexie storage, to the same rows in the same tables: it walks a cursor to read all rows, and reads
 * each row before it writes it (docs/decisions/0020-rxdb-without-its-collections.md has the measurements).
 */
import { randomToken } from 'rxdb';
import type { Subject } from 'rxjs';

/** Lets the instance take both of them. Whatever is asked of it is all rows that were not removed. */
export function directly(instance: DexieInstance): void {
  instance.query = () => allAtOnce(instance);
  const bulkWrite = instance.bulkWrite.bind(instance);
  instance.bulkWrite = async (rows, context) => {
    const areNew = rows.every(({ previous }) => !previous);
    if (areNew && (await insertAll(instance, rows))) return { error: [] };
    return bulkWrite(rows, context);
  };
}

/**
 * RxDB's form of a row differs from the stored one in `_deleted`, which is no boolean there, since that cannot be indexed;
 * and in keys that begin with a bar, of which we have none: looking for them in every row took as long as reading them.
 */
const storedAs = { standing: '0' };

/** In one request: a cursor goes to the browser's storage and back for every few rows. */
async function allAtOnce({ internals }: DexieInstance): Promise<{ documents: unknown[] }> {
  const { dexieDb } = await internals;
  const docs = openOf(dexieDb).transaction('docs').objectStore('docs');
  const standing = IDBKeyRange.bound([storedAs.standing, ''], [storedAs.standing, '\uffff']);
  const documents = await resultOf<{ _deleted: unknown }[]>(docs.index('[_deleted+id]').getAll(standing));
  for (const document of documents) document._deleted = false;
  return { documents };
}

function resultOf<Result>(request: IDBRequest<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    request.addEventListener('success', () => resolve(request.result));
    request.addEventListener('error', () => reject(request.error as DOMException));
  });
}

/** Such as a tap, in a transaction that reads nothing first; false, with nothing written, when one of them is there already. */
async function insertAll({ internals, changes$ }: DexieInstance, rows: WriteRow[]): Promise<boolean> {
  const { dexieDb } = await internals;
  const transaction = openOf(dexieDb).transaction('docs', 'readwrite', { durability: 'strict' });
  const store = transaction.objectStore('docs');
  for (const { document } of rows) store.add({ ...document, _deleted: storedAs.standing });
  const areWritten = await ended(transaction);
  if (areWritten) changes$.next(insertsOf(rows));
  return areWritten;
}

function openOf(dexieDb: Database): IDBDatabase {
  const database = dexieDb.backendDB();
  if (!database) throw new DOMException('The database is closed.', 'InvalidStateError');
  return database;
}

/** Whether it was written; what was there already makes it fail as a whole. */
function ended(transaction: IDBTransaction): Promise<boolean> {
  return new Promise((resolve, reject) => {
    transaction.addEventListener('complete', () => resolve(true));
    transaction.addEventListener('abort', () => {
      if (transaction.error?.name === 'ConstraintError') resolve(false);
      else reject(transaction.error ?? new DOMException('The browser gave the transaction up.', 'AbortError'));
    });
    transaction.commit();
  });
}

/** What RxDB tells of a write. */
function insertsOf(rows: WriteRow[]): object {
  const events = rows.map(({ document }) => ({ operation: 'INSERT', documentId: document.id, documentData: document }));
  return { id: randomToken(10), events, checkpoint: {}, context: 'gemba' };
}

interface WriteRow {
  previous?: unknown;
  document: { id: string };
}

/** What is used of RxDB's instance for Dexie. */
export interface DexieInstance {
  internals: Promise<{ dexieDb: Database }>;
  changes$: Subject<object>;
  query(): Promise<{ documents: unknown[] }>;
  bulkWrite(rows: WriteRow[], context: string): Promise<{ error: unknown[] }>;
}

interface Database {
  /** The browser's own; null while it is closed. */
  backendDB(): IDBDatabase | null;
}
