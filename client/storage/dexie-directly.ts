/**
 * Ways around RxDB's Dexie storage, to the same rows in the same tables: it walks a cursor to read all rows, reads each row
 * before it writes it, and writes the rows beside those that conflict
 * (docs/decisions/0020-rxdb-without-its-collections.md has the measurements).
 */
import { randomToken } from 'rxdb';
import type { Subject } from 'rxjs';
import {
  conflictsOf,
  expectedBy,
  type AtomicWrite,
  type Conflict,
  type Fence,
  type Purge,
  type RowWrite,
  type Stored,
} from './atomic-write.ts';

/** Lets the instance read all rows that were not removed, whatever is asked of it. */
export function readDirectly(instance: DexieInstance): void {
  instance.query = () => allAtOnce(instance);
}

/** Writes rows that are all new without looking for them first. */
export function writeDirectly<Body>(instance: DexieInstance): AtomicWrite<Body> {
  return async (writes, fences) => {
    const areNew = !fences?.length && writes.every(({ over }) => over === undefined);
    if (areNew && (await insertAll(instance, writes))) return [];
    return writeAll(instance, writes, fences);
  };
}

/** Frees the room of removed rows along the index; RxDB reads all rows for that. */
export function purgeDirectly({ internals }: DexieInstance): Purge {
  return async (rowsMax) => {
    const { dexieDb } = await internals;
    const { transaction, docs } = writing(dexieDb);
    const ids = await resultOf(docs.index('[_deleted+id]').getAllKeys(allThatAre(storedAs.removed), rowsMax));
    for (const id of ids) docs.delete(id);
    await ended(transaction);
  };
}

/**
 * RxDB's form of a row differs from the stored one in `_deleted`, which is no boolean there, since that cannot be indexed;
 * and in keys that begin with a bar, of which we have none: looking for them in every row took as long as reading them.
 */
const storedAs = { standing: '0', removed: '1' };

/** In one request: a cursor goes to the browser's storage and back for every few rows. */
async function allAtOnce({ internals }: DexieInstance): Promise<{ documents: unknown[] }> {
  const { dexieDb } = await internals;
  const docs = openOf(dexieDb).transaction('docs').objectStore('docs');
  const index = docs.index('[_deleted+id]');
  const documents = await resultOf<{ _deleted: unknown }[]>(index.getAll(allThatAre(storedAs.standing)));
  for (const document of documents) document._deleted = false;
  return { documents };
}

const allThatAre = (stored: string): IDBKeyRange => IDBKeyRange.bound([stored, ''], [stored, '\uffff']);

function resultOf<Result>(request: IDBRequest<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    request.addEventListener('success', () => resolve(request.result));
    request.addEventListener('error', () => reject(request.error as DOMException));
  });
}

/** Such as a tap, in a transaction that reads nothing first; false, with nothing written, when one of them is there already. */
async function insertAll<Body>({ internals, changes$ }: DexieInstance, writes: RowWrite<Body>[]): Promise<boolean> {
  const { dexieDb } = await internals;
  const { transaction, docs } = writing(dexieDb);
  for (const { document } of writes) docs.add(toStored(document));
  const areWritten = await ended(transaction);
  if (areWritten) changes$.next(eventsOf(writes));
  return areWritten;
}

/** Looks and writes in one transaction, so that no other tab comes in between. */
async function writeAll<Body>(
  { internals, changes$ }: DexieInstance,
  writes: RowWrite<Body>[],
  fences?: Fence[],
): Promise<Conflict<Body>[]> {
  const { dexieDb } = await internals;
  const { transaction, docs } = writing(dexieDb);
  const expected = expectedBy(writes, fences);
  const asked = expected.map(({ id }) => resultOf<StoredRow<Body> | undefined>(docs.get(id)));
  const found = new Map((await Promise.all(asked)).flatMap((it) => (it ? [[it.id, fromStored(it)] as const] : [])));
  const conflicts = conflictsOf(expected, (id) => found.get(id));
  if (conflicts.length === 0) for (const { document } of writes) docs.put(toStored(document));
  await ended(transaction);
  if (conflicts.length === 0) changes$.next(eventsOf(writes));
  return conflicts;
}

function writing(dexieDb: Database): { transaction: IDBTransaction; docs: IDBObjectStore } {
  const transaction = openOf(dexieDb).transaction('docs', 'readwrite', { durability: 'strict' });
  return { transaction, docs: transaction.objectStore('docs') };
}

type StoredRow<Body> = Omit<Stored<Body>, '_deleted'> & { _deleted: string };

const toStored = <Body>(document: Stored<Body>): StoredRow<Body> => ({
  ...document,
  _deleted: document._deleted ? storedAs.removed : storedAs.standing,
});

const fromStored = <Body>(document: StoredRow<Body>): Stored<Body> => ({
  ...document,
  _deleted: document._deleted === storedAs.removed,
});

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
function eventsOf<Body>(writes: RowWrite<Body>[]): object {
  const events = writes.map(({ document, over }) => ({
    operation: document._deleted ? 'DELETE' : over === undefined ? 'INSERT' : 'UPDATE',
    documentId: document.id,
    documentData: document,
  }));
  return { id: randomToken(10), events, checkpoint: {}, context: 'gemba' };
}

/** What is used of RxDB's instance for Dexie. */
export interface DexieInstance {
  internals: Promise<{ dexieDb: Database }>;
  changes$: Subject<object>;
  query(): Promise<{ documents: unknown[] }>;
}

interface Database {
  /** The browser's own; null while it is closed. */
  backendDB(): IDBDatabase | null;
}
