/**
 * Stores rows in the databases of RxDB's Dexie storage. RxDB creates the databases and reads single rows. This driver
 * does the rest directly in IndexedDB, since RxDB is slow with many rows and writes part of a conflicting batch
 * (docs/decisions/0032-a-row-store-of-our-own.md has the measurements).
 */
import type { Dexie } from 'dexie';
import type { RxDocumentData } from 'rxdb';
import { getRxStorageDexie } from 'rxdb/plugins/storage-dexie';
import { Subject } from 'rxjs';
import { assert } from '../../shared/domain/assert.ts';
import type { StorageHealth } from './storage-health.ts';
import {
  conflictsOf,
  expectedRevisionsOf,
  type Collection,
  type RowConflict,
  type ExpectedRevision,
  type PurgeLimits,
  type RowChange,
  type RowStoreFactory,
  type RowStore,
  type StoredRow,
} from './row-store.ts';
import { documentOf, storedRowOf, toRxCollection, type RxRow } from './rx-collection.ts';

interface DexieRowStorageOptions {
  databaseName: string;
  health: StorageHealth;
  /** An implementation of IndexedDB for Node, which has none. */
  dependencies?: { indexedDB: IDBFactory; IDBKeyRange: typeof IDBKeyRange };
}

export function dexieRowStores({ databaseName, health, dependencies }: DexieRowStorageOptions): RowStoreFactory {
  return { open: (collection) => openRowStore({ databaseName, collection, health, dependencies }) };
}

/** The Dexie databases that RxDB passed to `onCreate`, by database and collection. */
const openDatabases = new Map<string, Dexie>();

interface OpenOptions {
  databaseName: string;
  collection: Collection;
  health: StorageHealth;
  dependencies: DexieRowStorageOptions['dependencies'];
}

async function openRowStore<Body>({
  databaseName,
  collection,
  health,
  dependencies,
}: OpenOptions): Promise<RowStore<Body>> {
  const key = ['gemba', databaseName, collection.name, collection.version].join('|');
  const storage = getRxStorageDexie({
    ...dependencies,
    chromeTransactionDurability: 'strict',
    onCreate: (database) => {
      openDatabases.set(key, database);
      reportClosing(database, health);
    },
  });
  // `isShared: false` turns off RxDB's messages to other tabs. RxDB does not see this driver's writes, so `channel`
  // announces them.
  const instance = await storage.createStorageInstance(
    toRxCollection(databaseName, { ...collection, isShared: false }),
  );
  // RxDB opens the database in the background; a read waits until the database is open.
  await instance.findDocumentsById([], true);
  const database = openDatabases.get(key);
  assert(database, 'RxDB has opened the database');
  const rows = new IndexedDbRows<Body>(database, dependencies?.IDBKeyRange ?? IDBKeyRange);
  const changes = new Subject<StoredRow<Body>[]>();
  const channel = collection.isShared ? new BroadcastChannel(key) : undefined;
  channel?.addEventListener('message', ({ data }: MessageEvent<StoredRow<Body>[]>) => changes.next(data));
  const close = (work: () => Promise<void>) => {
    changes.complete();
    channel?.close();
    return work();
  };
  return {
    name: collection.name,
    changes$: changes.asObservable(),
    readAll: () => rows.readAll(),
    read: async (ids) => (await instance.findDocumentsById(ids, true)).map((document) => storedRowOf<Body>(document)),
    write: async (writes, fences = []) => {
      const conflicts = await rows.write(writes, fences);
      if (conflicts.length === 0) channel?.postMessage(writes.map(({ row }) => row));
      return conflicts;
    },
    purge: (limits) => rows.purge(limits),
    drop: () => close(() => instance.remove()),
    close: () => close(() => instance.close()),
  };
}

/**
 * Reports to `health` if the browser closes the database. Dexie would reopen the database, empty, and accept writes.
 */
function reportClosing(database: Dexie, health: StorageHealth): void {
  let openings = 0;
  database.on('close', () => health.reportClosed());
  const onReady = () => {
    if (++openings > 1) health.reportClosed();
    health.throwIfLost();
  };
  const eachTime = true;
  database.on('ready', onReady, eachTime);
}

/** RxDB's document as Dexie stores it. `_deleted` is text, since IndexedDB cannot index a boolean. */
type DexieDocument = Omit<RxDocumentData<RxRow>, '_deleted'> & { _deleted: '0' | '1' };

class IndexedDbRows<Body> {
  readonly #database: Dexie;
  readonly #keyRange: typeof IDBKeyRange;

  constructor(database: Dexie, keyRange: typeof IDBKeyRange) {
    this.#database = database;
    this.#keyRange = keyRange;
  }

  /** Reads all rows in one request. A cursor would make a request for every few rows. */
  async readAll(): Promise<StoredRow<Body>[]> {
    const docs = this.#requireOpenDatabase().transaction('docs').objectStore('docs');
    const documents = await resultOf<DexieDocument[]>(docs.index('[_deleted+id]').getAll(this.#indexRange('0')));
    return documents.map((document) => fromDexieDocument<Body>(document));
  }

  async write(changes: RowChange<Body>[], fences: ExpectedRevision[]): Promise<RowConflict<Body>[]> {
    const areNew = fences.length === 0 && changes.every(({ replacedRevision }) => replacedRevision === undefined);
    if (areNew && (await this.#insert(changes))) return [];
    return this.#checkAndWrite(changes, fences);
  }

  /** Deletes tombstones. Uses an index to find the tombstones, since RxDB would read all rows. */
  async purge({ rowsMax, keptMax = 0 }: PurgeLimits): Promise<void> {
    const { transaction, docs } = this.#beginWrite();
    const [removed, index] = [this.#indexRange('1'), docs.index('[_deleted+id]')];
    const isWanted = (await resultOf(index.count(removed))) > keptMax;
    const ids = isWanted ? await resultOf(index.getAllKeys(removed, rowsMax)) : [];
    for (const id of ids) docs.delete(id);
    await commit(transaction);
  }

  /**
   * Writes rows that should be new, such as a tap, without reading first. If one exists, writes nothing and returns
   * false.
   */
  async #insert(changes: RowChange<Body>[]): Promise<boolean> {
    const { transaction, docs } = this.#beginWrite();
    for (const { row } of changes) docs.add(toDexieDocument(row));
    return commit(transaction);
  }

  /** Checks the revisions and writes in one transaction, so that no other tab writes in between. */
  async #checkAndWrite(changes: RowChange<Body>[], fences: ExpectedRevision[]): Promise<RowConflict<Body>[]> {
    const { transaction, docs } = this.#beginWrite();
    const expected = expectedRevisionsOf(changes, fences);
    const found = await Promise.all(expected.map(({ id }) => resultOf<DexieDocument | undefined>(docs.get(id))));
    const conflicts = conflictsOf(
      expected,
      found.flatMap((document) => (document ? [fromDexieDocument<Body>(document)] : [])),
    );
    if (conflicts.length === 0) for (const { row } of changes) docs.put(toDexieDocument(row));
    await commit(transaction);
    return conflicts;
  }

  #beginWrite(): { transaction: IDBTransaction; docs: IDBObjectStore } {
    const transaction = this.#requireOpenDatabase().transaction('docs', 'readwrite', { durability: 'strict' });
    return { transaction, docs: transaction.objectStore('docs') };
  }

  #requireOpenDatabase(): IDBDatabase {
    // Dexie returns null for a closed database, although its types exclude null.
    const database: IDBDatabase | null = this.#database.backendDB();
    if (!database) throw new DOMException('The database is closed.', 'InvalidStateError');
    return database;
  }

  #indexRange(deleted: DexieDocument['_deleted']): IDBKeyRange {
    return this.#keyRange.bound([deleted, ''], [deleted, '\uffff']);
  }
}

const toDexieDocument = <Body>(row: StoredRow<Body>): DexieDocument => ({
  ...documentOf(row),
  _deleted: row.body === null ? '1' : '0',
});

const fromDexieDocument = <Body>(document: DexieDocument): StoredRow<Body> =>
  storedRowOf({ ...document, _deleted: document._deleted === '1' });

function resultOf<Result>(request: IDBRequest<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    request.addEventListener('success', () => resolve(request.result));
    request.addEventListener('error', () =>
      reject(request.error ?? new DOMException('The request failed.', 'UnknownError')),
    );
  });
}

/** Commits the transaction. Resolves to false, with nothing written, if a row to add exists already. */
function commit(transaction: IDBTransaction): Promise<boolean> {
  return new Promise((resolve, reject) => {
    transaction.addEventListener('complete', () => resolve(true));
    transaction.addEventListener('abort', () => {
      if (transaction.error?.name === 'ConstraintError') resolve(false);
      else reject(transaction.error ?? new DOMException('The browser gave the transaction up.', 'AbortError'));
    });
    transaction.commit();
  });
}
