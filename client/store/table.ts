/**
 * One collection as the engine uses it: all rows in memory, fed by the storage's event stream, and one verb that writes
 * many rows in one transaction. It speaks to RxDB's storage layer and not to its collections: their `bulkUpsert` makes
 * several writes of one call, and what they are for, queries and documents, is not needed
 * (docs/decisions/0020-rxdb-without-its-collections.md).
 */
import { Subject, type Observable } from 'rxjs';
import { now, type RxDocumentData, type RxStorageInstance } from 'rxdb';
import type { StorageHealth } from './health.ts';
import { allRows } from './row-schema.ts';
import type { Row } from './rows.ts';

type Stored<Body> = RxDocumentData<Row<Body>>;
export type RowStorage<Body> = RxStorageInstance<Row<Body>, unknown, unknown>;

/** What one write changed, of this tab or of another; `body` is undefined where a row was removed. */
export type Written<Body> = { id: string; body: Body | undefined }[];

/** Brings a write to where a second copy is kept; never rejects. */
export type Copy<Body> = (rows: Row<Body>[], removedIds: string[]) => Promise<void>;

/** Another tab wrote one of the rows meanwhile. The rows in memory are those of the other tab then. */
export class WriteConflict extends Error {
  override name = 'WriteConflict';
}

export class Table<Body> {
  readonly #storage: RowStorage<Body>;
  readonly #stored = new Map<string, Stored<Body>>();
  readonly #written = new Subject<Written<Body>>();
  readonly #health: StorageHealth;
  #copy: Copy<Body> = () => Promise.resolve();

  private constructor(storage: RowStorage<Body>, health: StorageHealth) {
    this.#storage = storage;
    this.#health = health;
  }

  /** With no row in memory yet: listening starts before `refreshAll` reads, so that no write of another tab falls in between. */
  static unread<Body>(storage: RowStorage<Body>, health: StorageHealth): Table<Body> {
    const table = new Table(storage, health);
    storage
      .changeStream()
      .subscribe(({ events }) => table.#take(events.map((event) => event.documentData as Stored<Body>)));
    return table;
  }

  /** Each write, after the rows in memory have it. */
  get written$(): Observable<Written<Body>> {
    return this.#written.asObservable();
  }

  get(id: string): Body | undefined {
    const stored = this.#stored.get(id);
    return stored?._deleted ? undefined : stored?.body;
  }

  *entries(): IterableIterator<[id: string, body: Body]> {
    for (const [id, stored] of this.#stored) if (!stored._deleted) yield [id, stored.body];
  }

  /** From now on a write resolves when its copy is made too. */
  copyTo(copy: Copy<Body>): void {
    this.#copy = copy;
  }

  /**
   * Puts and removes rows in one transaction; resolves when it, and its copy, is durable. Throws `WriteConflict`, writing
   * other rows or not.
   */
  async write(rows: Row<Body>[], removedIds: string[] = []): Promise<void> {
    const removed = removedIds.filter((id) => this.get(id) !== undefined);
    if (rows.length + removed.length === 0) return;
    // At the same time, since each waits for the disk; what takes longer first.
    const stored = this.#store(rows, removed);
    const copied = this.#copy(rows, removed);
    try {
      await stored;
    } catch (error) {
      await copied;
      await this.#copyWhatStands([...rows.map(({ id }) => id), ...removed]);
      throw error;
    }
    await copied;
  }

  async #store(rows: Row<Body>[], removed: string[]): Promise<void> {
    const writes = [
      ...rows.map((row) => this.#writeRow(row, false)),
      ...removed.map((id) => this.#writeRow({ id, body: this.get(id)! }, true)),
    ];
    const { error } = await this.#health.guard(() => this.#storage.bulkWrite(writes, 'gemba'));
    this.#health.wrote();
    if (error.length === 0) return;
    const conflicts = error.flatMap((it) => (it.status === 409 && it.documentInDb ? [it.documentInDb] : []));
    this.#take(conflicts as Stored<Body>[]);
    // A row that was removed before this opening was not read; it can be put again.
    const again = rows.filter(({ id }) => conflicts.some((it) => it.id === id && it._deleted));
    if (again.length === error.length) return this.#store(again, []);
    const other = error.find(({ status }) => status !== 409);
    if (other)
      throw new Error(`${this.#storage.collectionName} does not take the row ${other.documentId} (${other.status})`);
    throw new WriteConflict(`${error.length} rows of ${this.#storage.collectionName} were written elsewhere`);
  }

  /** A write that failed may have left rows in the copy that the storage does not have. */
  async #copyWhatStands(ids: string[]): Promise<void> {
    const standing = ids.flatMap((id) => {
      const body = this.get(id);
      return body === undefined ? [] : [{ id, body }];
    });
    const missing = ids.filter((id) => this.get(id) === undefined);
    await this.#copy(standing, missing);
  }

  /** Reads a row from the storage: what other tabs wrote may not have reached this one's memory yet. */
  async refresh(id: string): Promise<Body | undefined> {
    this.#take(await this.#health.guard(() => this.#storage.findDocumentsById([id], true)));
    return this.get(id);
  }

  /** The same for all rows, also those that another tab removed. */
  async refreshAll(): Promise<void> {
    const standing = new Set((await this.readAll()).map(([id]) => id));
    const gone = [...this.entries()].flatMap(([id]) => (standing.has(id) ? [] : [id]));
    if (gone.length === 0) return;
    this.#take(await this.#health.guard(() => this.#storage.findDocumentsById(gone, true)));
  }

  /** The same, with what the storage has and nothing else. */
  async readAll(): Promise<[id: string, body: Body][]> {
    const { documents } = await this.#health.guard(() => this.#storage.query(allRows(this.#storage.schema)));
    this.#take(documents);
    return documents.flatMap(({ id, body, _deleted }) => (_deleted ? [] : [[id, body]]));
  }

  /** Those of the rows that were removed, and not lost: they stand as such until they are purged. */
  async removedOf(ids: string[]): Promise<Set<string>> {
    const documents = await this.#health.guard(() => this.#storage.findDocumentsById(ids, true));
    return new Set(documents.flatMap(({ id, _deleted }) => (_deleted ? [id] : [])));
  }

  /** Frees the room that removed rows still take in the storage. */
  async purge(): Promise<void> {
    let done = false;
    for (let rounds = 0; !done && rounds < purgeRoundsMax; rounds++) {
      done = await this.#storage.cleanup(0);
    }
  }

  #writeRow(row: Row<Body>, deleted: boolean) {
    const previous = this.#stored.get(row.id);
    const height = previous ? revisionHeight(previous) + 1 : 1;
    const document = { ...row, _deleted: deleted, _attachments: {}, _meta: { lwt: now() }, _rev: `${height}-gemba` };
    return previous ? { previous, document } : { document };
  }

  /** Events of other tabs may come late: a row only ever gets newer, and one that was removed stays known as such. */
  #take(documents: Stored<Body>[]): void {
    const written: Written<Body> = [];
    for (const document of documents) {
      const known = this.#stored.get(document.id);
      if (known && revisionHeight(known) >= revisionHeight(document)) continue;
      this.#stored.set(document.id, document);
      written.push({ id: document.id, body: document._deleted ? undefined : document.body });
    }
    if (written.length > 0) this.#written.next(written);
  }
}

const purgeRoundsMax = 100;

const revisionHeight = ({ _rev }: { _rev: string }): number => Number.parseInt(_rev, 10);
