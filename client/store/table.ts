/**
 * One collection as the engine uses it: all rows in memory, fed by the storage's event stream, and one verb that writes
 * many rows in one transaction. It speaks to RxDB's storage layer and not to its collections: their `bulkUpsert` makes
 * several writes of one call, and what they are for, queries and documents, is not needed
 * (docs/decisions/0020-rxdb-without-its-collections.md).
 */
import { Subject, type Observable } from 'rxjs';
import { now } from 'rxdb';
import type { Clock } from '../clock.ts';
import type { AtomicWrite, Conflict, Fence, Purge, RowStorage, RowWrite, Stored } from './atomic-write.ts';
import type { StorageHealth } from './health.ts';
import { allRows } from './row-schema.ts';
import type { Row } from './rows.ts';

/** What one write changed, of this tab or of another; `body` is undefined where a row was removed. */
export type Written<Body> = { id: string; body: Body | undefined }[];

/** Where a second copy of the rows is kept; nothing of it rejects. */
export interface Copying<Body> {
  /** Brings a write there; answers whether it arrived. */
  copy(rows: Row<Body>[], removedIds: string[]): Promise<boolean>;
  /** Comes before each write of the database; undefined where there is nothing to wait for. */
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
  /** Storage work that takes longer is refused; absent, none is. */
  schedule?: Clock['schedule'] | undefined;
  /** The id of a row that each write of another tab changes besides. */
  witness?: string | undefined;
  /** The id of a row that a write must find as this tab knows it: who steals the lock of the table writes it over. */
  fence?: string | undefined;
}

interface Standing<Body> {
  rev: string;
  body: Body;
}

/** A write, held against what stood when it was decided on. */
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
  /** A late event of an older revision must not bring a row back. */
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
    // Whatever comes in between, it was decided on what stands now.
    const decided = this.#decided(rows, removed);
    const settling = this.#copying?.settle();
    if (settling) await settling;
    // At the same time, since each waits for the disk; what takes longer first.
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

  /** Writes a tombstone that says nothing, to see whether there is room. */
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

  /** A write that failed may have left rows in the copy that the storage does not have. */
  async #copyWhatStands(ids: string[]): Promise<boolean> {
    const standing = ids.flatMap((id) => {
      const body = this.get(id);
      return body === undefined ? [] : [{ id, body }];
    });
    const missing = ids.filter((id) => this.get(id) === undefined);
    return (await this.#copying?.copy(standing, missing)) ?? true;
  }

  /** Reads a row from the storage: what other tabs wrote may not have reached this one's memory yet. */
  async refresh(id: string): Promise<Body | undefined> {
    await this.#refreshThese([id]);
    return this.get(id);
  }

  /** The same for all rows, also those that another tab removed. */
  async refreshAll(): Promise<void> {
    const read = new Set((await this.readAll()).map(([id]) => id));
    await this.#refreshThese([...this.#standing.keys()].filter((id) => !read.has(id)));
  }

  /** The same, unless the witness is as it was when all rows were last read: then nobody has written since. */
  async refreshAllIfStale(): Promise<void> {
    if (this.#witness === undefined) return this.refreshAll();
    const [witness] = await this.#guarded(() => this.#storage.findDocumentsById([this.#witness!], true));
    if (witness?._rev !== this.#witnessed) await this.refreshAll();
  }

  /** The storage's rows alone. */
  async readAll(): Promise<[id: string, body: Body][]> {
    const { documents } = await this.#guarded(() => this.#storage.query(allRows(this.#storage.schema)));
    this.#take(documents);
    this.#witnessed = documents.find(({ id }) => id === this.#witness)?._rev;
    return documents.flatMap(({ id, body, _deleted }) => (_deleted || body === null ? [] : [[id, body]]));
  }

  /** Those of the rows that were removed, and not lost: they stand as such until they are purged. */
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

  /** Events of other tabs may come late: a row only ever gets newer, and one that was removed stays known as such. */
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

/** A row that was purged may be put again by a tab that never knew it: its first revision is above those of the past. */
const nextRevision = (before: string | undefined): string =>
  `${before === undefined ? Math.floor(now() / 1000) : revisionHeight(before) + 1}-gemba`;
