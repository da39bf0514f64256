/**
 * One RxDB collection as the engine uses it: all rows in memory, fed by the collection's event stream, and one verb that
 * writes many rows in one transaction of the storage. It speaks to the collection's storage instance, because RxDB's own
 * `bulkUpsert` makes several writes of one call.
 */
import { Subject, type Observable } from 'rxjs';
import { filter } from 'rxjs/operators';
import type { RxCollection, RxDocumentData } from 'rxdb';
import type { StorageHealth } from './health.ts';
import { allRows } from './row-schema.ts';
import type { Row } from './rows.ts';

type Stored<Body> = RxDocumentData<Row<Body>>;

/** What one write changed, of this tab or of another; `body` is undefined where a row was removed. */
export type Written<Body> = { id: string; body: Body | undefined }[];

/** Brings a write to where a second copy is kept; never rejects. */
export type Copy<Body> = (rows: Row<Body>[], removedIds: string[]) => Promise<void>;

/** Another tab wrote one of the rows meanwhile. The rows in memory are those of the other tab then. */
export class WriteConflict extends Error {
  override name = 'WriteConflict';
}

export class Table<Body> {
  readonly #collection: RxCollection<Row<Body>>;
  readonly #stored = new Map<string, Stored<Body>>();
  readonly #written = new Subject<Written<Body>>();
  #copy: Copy<Body> = () => Promise.resolve();

  readonly #health: StorageHealth;

  private constructor(collection: RxCollection<Row<Body>>, health: StorageHealth) {
    this.#collection = collection;
    this.#health = health;
  }

  static async open<Body>(collection: RxCollection<Row<Body>>, health: StorageHealth): Promise<Table<Body>> {
    const table = new Table(collection, health);
    // Listening starts before reading, so that no write of another tab falls in between.
    collection.eventBulks$.pipe(filter((bulk) => !bulk.isLocal)).subscribe((bulk) => {
      table.#take(bulk.events.map((event) => event.documentData as Stored<Body>));
    });
    await table.refreshAll();
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

  /** Puts and removes rows in one transaction; resolves when it is durable. Throws `WriteConflict`, writing other rows or not. */
  async write(rows: Row<Body>[], removedIds: string[] = []): Promise<void> {
    const writes = [
      ...rows.map((row) => this.#writeRow(row, false)),
      ...removedIds.flatMap((id) => {
        const body = this.get(id);
        return body === undefined ? [] : [this.#writeRow({ id, body }, true)];
      }),
    ];
    if (writes.length === 0) return;
    const { error } = await this.#health.guard(() => this.#collection.storageInstance.bulkWrite(writes, 'gemba'));
    if (error.length === 0) return this.#copy(rows, removedIds);
    const conflicts = error.flatMap((it) => (it.status === 409 && it.documentInDb ? [it.documentInDb] : []));
    this.#take(conflicts as Stored<Body>[]);
    throw new WriteConflict(`${error.length} rows of ${this.#collection.name} were written elsewhere`);
  }

  /** Reads a row from the storage: what other tabs wrote may not have reached this one's memory yet. */
  async refresh(id: string): Promise<Body | undefined> {
    const { storageInstance } = this.#collection;
    this.#take(await this.#health.guard(() => storageInstance.findDocumentsById([id], true)));
    return this.get(id);
  }

  /** The same for all rows; one that another tab removed stays until word of it comes. */
  async refreshAll(): Promise<void> {
    await this.readAll();
  }

  /** The same, with what the storage has and nothing else. */
  async readAll(): Promise<[id: string, body: Body][]> {
    const { storageInstance } = this.#collection;
    const { documents } = await this.#health.guard(() => storageInstance.query(allRows(storageInstance.schema)));
    this.#take(documents);
    return documents.map(({ id, body }) => [id, body]);
  }

  /** Frees the room that removed rows still take in the storage. */
  async purge(): Promise<void> {
    let done = false;
    for (let rounds = 0; !done && rounds < purgeRoundsMax; rounds++) {
      done = await this.#collection.storageInstance.cleanup(0);
    }
  }

  #writeRow(row: Row<Body>, deleted: boolean) {
    const previous = this.#stored.get(row.id);
    const document = { ...row, _deleted: deleted, _attachments: {}, _meta: { lwt: 1 }, _rev: '' };
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
