/**
 * One collection as the engine uses it: all rows in memory, fed by the storage's event stream, and one verb that writes
 * many rows in one transaction. It speaks to RxDB's storage layer and not to its collections: their `bulkUpsert` makes
 * several writes of one call, and what they are for, queries and documents, is not needed
 * (docs/decisions/0020-rxdb-without-its-collections.md).
 */
import { Subject, type Observable } from 'rxjs';
import { now } from 'rxdb';
import type { Clock } from '../core/clock.ts';
import type { AtomicWrite, Conflict, Fence, Purge, RowStorage, RowWrite, Stored } from './atomic-write.ts';
import type { StorageHealth } from './health.ts';
import { allRows } from './row-schema.ts';
import type { Row } from './rows.ts';

/** The rows that one write of any tab changed; `body` is undefined where a row was removed. */
export type Written<Body> = { id: string; body: Body | undefined }[];

/** Keeps a second copy of the rows; none of its promises rejects. */
export interface Copying<Body> {
  /** Copies a write; answers whether the copy was made. */
  copy(rows: Row<Body>[], removedIds: string[]): Promise<boolean>;
  /** Is awaited before each write of the database; undefined where there is nothing to wait for. */
  settle(): Promise<void> | undefined;
  /** The database refused these rows, and the second copy may still have them. */
  refused(rows: Row<Body>[]): Promise<void>;
}

/** Another tab wrote one of the rows meanwhile. The rows in memory are those of the other tab then. */
export class WriteConflict extends Error {}

export interface TableOptions<Body> {
  storage: RowStorage<Body>;
  write: AtomicWrite<Body>;
  purge: Purge;
  health: StorageHealth;
  /** Runs the deadline of storage work; absent, it has none. */
  schedule?: Clock['schedule'] | undefined;
  /** The id of a row that every write of the collection changes. */
  witness?: string | undefined;
  /** The id of a row that a write must find unchanged: a tab that steals the lock changes it. */
  fence?: string | undefined;
}

interface Standing<Body> {
  rev: string;
  body: Body;
}

/** A write with the revisions that stood when it was decided on. */
interface Decided<Body> {
  writes: RowWrite<Body>[];
  fences: Fence[];
}

interface Removed {
  rev: string;
  /** Whether the storage may still have the tombstone. */
  isStored: boolean;
}

export class Table<Body> {
  readonly #storage: RowStorage<Body>;
  readonly #atomicWrite: AtomicWrite<Body>;
  /** Frees the room that removed rows still take in the storage. */
  readonly purge: Purge;
  readonly #witness: string | undefined;
  readonly #fence: string | undefined;
  readonly #schedule: Clock['schedule'] | undefined;
  readonly #standing = new Map<string, Standing<Body>>();
  /** Revisions of removed rows, since a late event of an older one must not bring a row back. */
  readonly #removed = new Map<string, Removed>();
  readonly #written = new Subject<Written<Body>>();
  readonly #health: StorageHealth;
  /** The revision of the witness when all rows were last read. */
  #witnessed: string | undefined;
  #copying: Copying<Body> | undefined;

  private constructor({ storage, write, purge, health, schedule, witness, fence }: TableOptions<Body>) {
    this.#storage = storage;
    this.#atomicWrite = write;
    this.purge = purge;
    this.#health = health;
    this.#witness = witness;
    this.#fence = fence;
    this.#schedule = schedule;
  }

  /** With no row in memory yet: listening starts before `refreshAll` reads, so that no write of another tab falls in between. */
  static unread<Body>(options: TableOptions<Body>): Table<Body> {
    const table = new Table(options);
    options.storage.changeStream().subscribe(({ events }) => {
      table.#take(events.map((event) => event.documentData));
      // Any tab's write counts: a follower may never write itself.
      options.health.wrote();
    });
    return table;
  }

  /** Each write, after the rows in memory have it. */
  get written$(): Observable<Written<Body>> {
    return this.#written.asObservable();
  }

  get(id: string): Body | undefined {
    return this.#standing.get(id)?.body;
  }

  *entries(): IterableIterator<[id: string, body: Body]> {
    for (const [id, { body }] of this.#standing) yield [id, body];
  }

  /** From now on a write resolves when its copy is made too. */
  copyTo(copying: Copying<Body>): void {
    this.#copying = copying;
  }

  /**
   * Puts and removes rows in one transaction; resolves when it, and its copy, is durable. Throws `WriteConflict`, having
   * written nothing.
   */
  async write(rows: Row<Body>[], removedIds: string[] = []): Promise<void> {
    const removed = removedIds.filter((id) => this.#standing.has(id));
    if (rows.length + removed.length === 0) return;
    // The caller decided on the rows that stand now; a change while this waits is a conflict.
    const decided = this.#decided(rows, removed);
    const settling = this.#copying?.settle();
    if (settling) await settling;
    // Both wait for the disk, so they run at the same time; the slower one starts first.
    const stored = this.#store(rows, removed, decided);
    const copied = this.#copying?.copy(rows, removed);
    try {
      await stored;
    } catch (error) {
      await copied;
      const isKnown = await this.#copyWhatStands([...rows.map(({ id }) => id), ...removed]);
      if (!isKnown) await this.#copying?.refused(rows);
      throw error;
    }
    await copied;
  }

  /** Writes a tombstone without meaning, to see whether there is room. */
  async probe(): Promise<void> {
    const writes = [this.#writeOf(probeRowId, null)];
    this.#takeConflicts(await this.#guarded(() => this.#atomicWrite(writes)));
    this.#health.wrote();
  }

  /** Writes tombstones under ids that no row has. */
  async bury(ids: string[], retries = 0): Promise<void> {
    const unknown = ids.filter((id) => !this.#standing.has(id) && !this.#removed.get(id)?.isStored);
    if (unknown.length === 0 || retries > retriesMax) return;
    const conflicts = await this.#guarded(() => this.#atomicWrite(unknown.map((id) => this.#writeOf(id, null))));
    this.#health.wrote();
    this.#takeConflicts(conflicts);
    if (conflicts.length > 0) await this.bury(ids, retries + 1);
  }

  async #store(rows: Row<Body>[], removed: string[], decided: Decided<Body>, retries = 0): Promise<void> {
    const { writes, fences } = decided;
    const ids = writes.map(({ document }) => document.id);
    const onLate = () => void this.#copyWhatStands(ids);
    const conflicts = await this.#guarded(() => this.#atomicWrite(writes, fences), onLate);
    this.#health.wrote();
    if (conflicts.length === 0) return;
    const stood = new Set(conflicts.flatMap(({ id }) => (this.#standing.has(id) ? [id] : [])));
    this.#takeConflicts(conflicts);
    // Memory lacks rows that were removed before this opening: they can be put again, and need no second removal.
    const isHarmless = ({ id }: Conflict<Body>) => !this.#standing.has(id) && (!stood.has(id) || removed.includes(id));
    if (retries === retriesMax || !conflicts.every(isHarmless)) {
      throw new WriteConflict(`${conflicts.length} rows of ${this.#storage.collectionName} were written elsewhere`);
    }
    const stillStanding = removed.filter((id) => this.#standing.has(id));
    if (rows.length + stillStanding.length > 0) {
      await this.#store(rows, stillStanding, this.#decided(rows, stillStanding), retries + 1);
    }
  }

  /** Brings rows of a failed write back, in the copy, to what the storage has. */
  async #copyWhatStands(ids: string[]): Promise<boolean> {
    const standing = ids.flatMap((id) => {
      const body = this.get(id);
      return body === undefined ? [] : [{ id, body }];
    });
    const missing = ids.filter((id) => this.get(id) === undefined);
    return (await this.#copying?.copy(standing, missing)) ?? true;
  }

  /** Reads a row from the storage, since another tab's write may not have reached this memory yet. */
  async refresh(id: string): Promise<Body | undefined> {
    await this.#refreshThese([id]);
    return this.get(id);
  }

  /** Reads all rows, and forgets those that another tab removed. */
  async refreshAll(): Promise<void> {
    const read = new Set((await this.readAll()).map(([id]) => id));
    await this.#refreshThese([...this.#standing.keys()].filter((id) => !read.has(id)));
  }

  /** Reads all rows unless the witness is unchanged since they were last read: then nobody has written. */
  async refreshAllIfStale(): Promise<void> {
    if (this.#witness === undefined) return this.refreshAll();
    const [witness] = await this.#guarded(() => this.#storage.findDocumentsById([this.#witness!], true));
    if (witness?._rev !== this.#witnessed) await this.refreshAll();
  }

  /** Answers the rows that the storage has; memory may know newer ones. */
  async readAll(): Promise<[id: string, body: Body][]> {
    const { documents } = await this.#guarded(() => this.#storage.query(allRows(this.#storage.schema)));
    this.#take(documents);
    this.#witnessed = documents.find(({ id }) => id === this.#witness)?._rev;
    return documents.flatMap(({ id, body, _deleted }) => (_deleted || body === null ? [] : [[id, body]]));
  }

  /** Finds the ids of rows that were removed rather than lost: their tombstones stay until they are purged. */
  async removedOf(ids: string[]): Promise<Set<string>> {
    const documents = await this.#guarded(() => this.#storage.findDocumentsById(ids, true));
    return new Set(documents.flatMap(({ id, _deleted }) => (_deleted ? [id] : [])));
  }

  #guarded<Result>(work: () => Promise<Result>, onLate?: () => void): Promise<Result> {
    return this.#health.guard(work, { schedule: this.#schedule, onLate });
  }

  #decided(rows: Row<Body>[], removed: string[]): Decided<Body> {
    const writes = [
      ...rows.map(({ id, body }) => this.#writeOf(id, body)),
      ...removed.map((id) => this.#writeOf(id, null)),
    ];
    const id = this.#fence;
    const isFenced = id !== undefined && !writes.some(({ document }) => document.id === id);
    return { writes, fences: isFenced ? [{ id, over: this.#standing.get(id)?.rev }] : [] };
  }

  /** Without a body the row is removed. */
  #writeOf(id: string, body: Body | null): RowWrite<Body> {
    const removed = this.#removed.get(id);
    const over = this.#standing.get(id)?.rev ?? (removed?.isStored ? removed.rev : undefined);
    const rev = nextRevision(over ?? removed?.rev);
    const document = { id, body, _deleted: body === null, _attachments: {}, _meta: { lwt: now() }, _rev: rev };
    return { document, over };
  }

  async #refreshThese(ids: string[]): Promise<void> {
    if (ids.length === 0) return;
    const documents = await this.#guarded(() => this.#storage.findDocumentsById(ids, true));
    this.#take(documents);
    const found = new Set(documents.map(({ id }) => id));
    this.#forget(ids.filter((id) => !found.has(id)));
  }

  #takeConflicts(conflicts: Conflict<Body>[]): void {
    this.#take(conflicts.flatMap(({ stored }) => stored ?? []));
    this.#forget(conflicts.flatMap(({ id, stored }) => (stored ? [] : [id])));
  }

  /** Takes only newer revisions, since events of other tabs may come late. */
  #take(documents: Stored<Body>[]): void {
    const written: Written<Body> = [];
    for (const { id, body, _rev: rev, _deleted } of documents) {
      const known = this.#standing.get(id) ?? this.#removed.get(id);
      if (known && revisionHeight(known.rev) >= revisionHeight(rev)) continue;
      if (_deleted || body === null) this.#drop(id, { rev, isStored: true });
      else this.#hold(id, { rev, body });
      written.push({ id, body: this.get(id) });
    }
    if (written.length > 0) this.#written.next(written);
  }

  /** Another tab removed these rows and purged what was left of them. */
  #forget(ids: string[]): void {
    const stood = ids.filter((id) => this.#standing.has(id));
    for (const id of ids) {
      const rev = (this.#standing.get(id) ?? this.#removed.get(id))?.rev;
      if (rev !== undefined) this.#drop(id, { rev, isStored: false });
    }
    if (stood.length > 0) this.#written.next(stood.map((id) => ({ id, body: undefined })));
  }

  #hold(id: string, standing: Standing<Body>): void {
    this.#removed.delete(id);
    this.#standing.set(id, standing);
  }

  #drop(id: string, removed: Removed): void {
    this.#standing.delete(id);
    this.#removed.set(id, removed);
  }
}

const retriesMax = 3;
const probeRowId = 'probe';

const revisionHeight = (rev: string): number => Number.parseInt(rev, 10);

/** A first revision is the time, above those of a purged row that another tab may put again. */
const nextRevision = (before: string | undefined): string =>
  `${before === undefined ? Math.floor(now() / 1000) : revisionHeight(before) + 1}-gemba`;
