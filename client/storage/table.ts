/**
 * One collection as the engine uses it: all rows in memory, and `write`, which changes many rows in one transaction of
 * the storage and in the journal.
 */
import type { Subscription } from 'rxjs';
import type { Clock } from '../core/clock.ts';
import type { StorageHealth } from './health.ts';
import { RowCache, type WrittenRows, type ListenerStage } from './row-cache.ts';
import type { RowConflict, ExpectedRevision, PurgeLimits, RowChange, RowStore } from './row-store.ts';
import type { Row } from './rows.ts';

/** The journal of one table. None of its promises rejects. */
export interface TableJournal<Body> {
  /** Resolves to whether the journal has stored the write. */
  write(rows: Row<Body>[], removedIds: string[]): Promise<boolean>;
  /** The table waits for it before each write to the database; undefined if there is nothing to wait for. */
  beforeWrite(): Promise<void> | undefined;
  /** Called with rows that the database refused and the journal may have stored. */
  onRefused(rows: Row<Body>[]): Promise<void>;
}

/** Another tab wrote one of the rows meanwhile. The rows in memory are then the other tab's. */
export class WriteConflict extends Error {}

export interface TableOptions<Body> {
  store: RowStore<Body>;
  health: StorageHealth;
  /** Runs the deadline of storage work; without it there is none. */
  schedule?: Clock['schedule'] | undefined;
  /** The id of a row that every write of the collection changes. */
  witnessRowId?: string | undefined;
  /** The id of a row that a write must find unchanged: a tab that steals the lock changes it. */
  fenceRowId?: string | undefined;
}

/** A write with the revisions that its rows had when it was decided. */
interface PreparedWrite<Body> {
  changes: RowChange<Body>[];
  fences: ExpectedRevision[];
}

export class Table<Body> {
  readonly #store: RowStore<Body>;
  readonly #health: StorageHealth;
  readonly #schedule: Clock['schedule'] | undefined;
  readonly #witnessRowId: string | undefined;
  readonly #fenceRowId: string | undefined;
  readonly #cache = new RowCache<Body>();
  /** The revision of the witness row when all rows were last read. */
  #witnessRevision: number | undefined;
  #journal: TableJournal<Body> | undefined;

  /**
   * Starts without rows in memory until `refreshAll`, but listens from now on, so that it misses no write of another
   * tab.
   */
  constructor({ store, health, schedule, witnessRowId, fenceRowId }: TableOptions<Body>) {
    this.#store = store;
    this.#health = health;
    this.#schedule = schedule;
    this.#witnessRowId = witnessRowId;
    this.#fenceRowId = fenceRowId;
    store.changes$.subscribe((rows) => {
      this.#cache.update(rows);
      // A write of any tab shows that the storage works: a follower may never write itself.
      health.reportWrite();
    });
  }

  /** Calls the listener after each write of any tab, when the rows in memory are updated. */
  onWrite(stage: ListenerStage, listener: (written: WrittenRows<Body>) => void): Subscription {
    return this.#cache.onWrite(stage, listener);
  }

  get(id: string): Body | undefined {
    return this.#cache.get(id);
  }

  entries(): IterableIterator<[id: string, body: Body]> {
    return this.#cache.entries();
  }

  /** Sets the journal: from now on a write resolves when the journal has stored it, too. */
  setJournal(journal: TableJournal<Body>): void {
    this.#journal = journal;
  }

  /**
   * Puts and removes rows in one transaction; resolves when the database and the journal have stored it. On a conflict
   * it throws `WriteConflict` and writes nothing.
   */
  async write(rows: Row<Body>[], removedIds: string[] = []): Promise<void> {
    const removed = removedIds.filter((id) => this.#cache.has(id));
    if (rows.length + removed.length === 0) return;
    // Takes the revisions now, which the caller has seen; a change of those rows during the wait becomes a conflict.
    const decided = this.#prepareWrite(rows, removed);
    const settling = this.#journal?.beforeWrite();
    if (settling) await settling;
    // Both writes wait for the disk, so they run at the same time; the slower one starts first.
    const stored = this.#writePrepared(rows, removed, decided);
    const journaled = this.#journal?.write(rows, removed);
    try {
      await stored;
    } catch (error) {
      await journaled;
      const isKnown = await this.#restoreJournal([...rows.map(({ id }) => id), ...removed]);
      if (!isKnown) await this.#journal?.onRefused(rows);
      throw error;
    }
    await journaled;
  }

  /** Writes a tombstone for no row, to test whether the storage has space. */
  async tryWrite(): Promise<void> {
    this.#cacheConflicts(await this.#writeChanges({ changes: [this.#changeOf(testRowId, null)], fences: [] }));
  }

  /** Writes tombstones for ids that have no row. */
  async writeTombstones(ids: string[], retries = 0): Promise<void> {
    const unknown = ids.filter((id) => !this.#cache.has(id) && !this.#cache.tombstoneOf(id)?.isStored);
    if (unknown.length === 0 || retries > retriesMax) return;
    const changes = unknown.map((id) => this.#changeOf(id, null));
    const conflicts = await this.#writeChanges({ changes, fences: [] });
    this.#cacheConflicts(conflicts);
    if (conflicts.length > 0) await this.writeTombstones(ids, retries + 1);
  }

  /** Removes tombstones from the storage. */
  purge(limits: PurgeLimits): Promise<void> {
    return this.#store.purge(limits);
  }

  async #writePrepared(rows: Row<Body>[], removed: string[], decided: PreparedWrite<Body>, retries = 0): Promise<void> {
    const ids = decided.changes.map(({ row }) => row.id);
    const conflicts = await this.#writeChanges(decided, () => void this.#restoreJournal(ids));
    if (conflicts.length === 0) return;
    const stood = new Set(conflicts.flatMap(({ id }) => (this.#cache.has(id) ? [id] : [])));
    this.#cacheConflicts(conflicts);
    // Rows removed before this opening have unknown tombstones: such a row may be put again, and needs no second
    // removal.
    const isHarmless = ({ id }: RowConflict<Body>) => !this.#cache.has(id) && (!stood.has(id) || removed.includes(id));
    if (retries === retriesMax || !conflicts.every(isHarmless)) {
      throw new WriteConflict(`${conflicts.length} rows of ${this.#store.name} were written elsewhere`);
    }
    const remaining = removed.filter((id) => this.#cache.has(id));
    if (rows.length + remaining.length > 0) {
      await this.#writePrepared(rows, remaining, this.#prepareWrite(rows, remaining), retries + 1);
    }
  }

  async #writeChanges({ changes, fences }: PreparedWrite<Body>, onLate?: () => void): Promise<RowConflict<Body>[]> {
    const conflicts = await this.#guarded(() => this.#store.write(changes, fences), onLate);
    this.#health.reportWrite();
    if (conflicts.length === 0) this.#cache.update(changes.map(({ row }) => row));
    return conflicts;
  }

  /** After a failed write, sets its rows in the journal back to what the storage has. */
  async #restoreJournal(ids: string[]): Promise<boolean> {
    const standing = ids.flatMap((id) => {
      const body = this.get(id);
      return body === undefined ? [] : [{ id, body }];
    });
    const missing = ids.filter((id) => this.get(id) === undefined);
    return (await this.#journal?.write(standing, missing)) ?? true;
  }

  /** Reads a row from the storage, since a write of another tab may not be in memory yet. */
  async refresh(id: string): Promise<Body | undefined> {
    await this.#refreshRows([id]);
    return this.get(id);
  }

  /** Reads all rows, and drops those from memory that another tab removed. */
  async refreshAll(): Promise<void> {
    const read = new Set((await this.readAll()).map(([id]) => id));
    await this.#refreshRows(this.#cache.ids.filter((id) => !read.has(id)));
  }

  /** Reads all rows, unless the witness row shows that no tab has written since the last read. */
  async refreshAllIfStale(): Promise<void> {
    const id = this.#witnessRowId;
    const [witness] = id === undefined ? [] : await this.#guarded(() => this.#store.read([id]));
    if (id === undefined || witness?.revision !== this.#witnessRevision) await this.refreshAll();
  }

  /** Returns the rows in the storage; the rows in memory may be newer. */
  async readAll(): Promise<[id: string, body: Body][]> {
    const rows = await this.#guarded(() => this.#store.readAll());
    this.#cache.update(rows);
    this.#witnessRevision = rows.find(({ id }) => id === this.#witnessRowId)?.revision;
    return rows.flatMap(({ id, body }) => (body === null ? [] : [[id, body]]));
  }

  /** Finds which ids were removed rather than lost: a removed row has a tombstone until that is purged. */
  async findRemoved(ids: string[]): Promise<Set<string>> {
    const rows = await this.#guarded(() => this.#store.read(ids));
    return new Set(rows.flatMap(({ id, body }) => (body === null ? [id] : [])));
  }

  #guarded<Result>(work: () => Promise<Result>, onLate?: () => void): Promise<Result> {
    return this.#health.guard(work, { schedule: this.#schedule, onLate });
  }

  #prepareWrite(rows: Row<Body>[], removed: string[]): PreparedWrite<Body> {
    const changes = [
      ...rows.map(({ id, body }) => this.#changeOf(id, body)),
      ...removed.map((id) => this.#changeOf(id, null)),
    ];
    const id = this.#fenceRowId;
    const isFenced = id !== undefined && !changes.some(({ row }) => row.id === id);
    return { changes, fences: isFenced ? [{ id, revision: this.#cache.revisionOf(id) }] : [] };
  }

  /** Builds the change of a row; a null body removes the row. */
  #changeOf(id: string, body: Body | null): RowChange<Body> {
    const tombstone = this.#cache.tombstoneOf(id);
    const replacedRevision = this.#cache.revisionOf(id) ?? (tombstone?.isStored ? tombstone.revision : undefined);
    return { row: { id, body, revision: nextRevision(replacedRevision ?? tombstone?.revision) }, replacedRevision };
  }

  async #refreshRows(ids: string[]): Promise<void> {
    if (ids.length === 0) return;
    const rows = await this.#guarded(() => this.#store.read(ids));
    this.#cache.update(rows);
    const found = new Set(rows.map(({ id }) => id));
    this.#cache.forget(ids.filter((id) => !found.has(id)));
  }

  #cacheConflicts(conflicts: RowConflict<Body>[]): void {
    this.#cache.update(conflicts.flatMap(({ stored }) => stored ?? []));
    this.#cache.forget(conflicts.flatMap(({ id, stored }) => (stored ? [] : [id])));
  }
}

const retriesMax = 3;
const testRowId = 'probe';

/** Starts a new row at the time in seconds, above the revision of a purged row with the same id. */
const nextRevision = (before: number | undefined): number =>
  before === undefined ? Math.floor(Date.now() / 1000) : before + 1;
