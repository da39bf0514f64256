/**
 * A table of the device's database, with all its rows in memory. A write stores its rows in one transaction of the
 * database, and in the journal.
 */
import type { Subscription } from 'rxjs';
import type { Clock } from '../core/clock.ts';
import type { StorageHealth } from './storage-health.ts';
import { RowCache, type WrittenRows, type ListenerStage } from './row-cache.ts';
import type { RowConflict, ExpectedRevision, PurgeLimits, RowChange, RowStore, StoredRow } from './row-store.ts';
import type { Row } from './rows.ts';
import type { TableOptions } from './table-options.ts';
import type { TableJournal } from './journal/table-journal.ts';

/** Thrown if another tab wrote one of the rows first. By then, memory has the rows of the other tab. */
export class WriteConflict extends Error {}

/** A write, with the revisions that its rows and fences had in memory when the caller requested it. */
interface PreparedWrite<Body> {
  changes: RowChange<Body>[];
  fences: ExpectedRevision[];
}

export class Table<Body> {
  readonly #store: RowStore<Body>;
  readonly #health: StorageHealth;
  readonly #wallMs: Clock['wallMs'];
  readonly #schedule: Clock['schedule'] | undefined;
  readonly #witnessRowId: string | undefined;
  readonly #fenceRowId: string | undefined;
  readonly #cache = new RowCache<Body>();
  /** The revision of the witness row when all rows were last read. */
  #witnessRevision: number | undefined;
  #journal: TableJournal<Body> | undefined;

  /**
   * The table has no rows in memory until `refreshAll`, but listens to other tabs from the start, so that it misses no
   * write.
   */
  constructor({ store, health, wallMs, schedule, witnessRowId, fenceRowId }: TableOptions<Body>) {
    this.#store = store;
    this.#health = health;
    this.#wallMs = wallMs;
    this.#schedule = schedule;
    this.#witnessRowId = witnessRowId;
    this.#fenceRowId = fenceRowId;
    store.changes$.subscribe((rows) => {
      this.#cache.update(rows);
      // A write of any tab shows that the storage has space. A follower may never write, so it learns this from other
      // tabs.
      health.reportSuccessfulWrite();
    });
  }

  /** Calls the listener after each write of any tab, when the rows in memory are up to date. */
  onWrite(stage: ListenerStage, listener: (written: WrittenRows<Body>) => void): Subscription {
    return this.#cache.onWrite(stage, listener);
  }

  get(id: string): Body | undefined {
    return this.#cache.get(id);
  }

  entries(): IterableIterator<[id: string, body: Body]> {
    return this.#cache.entries();
  }

  /** Sets the journal. Later writes also wait until the journal has stored the rows. */
  setJournal(journal: TableJournal<Body>): void {
    this.#journal = journal;
  }

  /**
   * Puts and removes rows in one transaction. Waits for the database, and for the journal unless the journal is behind.
   * Writes nothing and throws `WriteConflict` if another tab has changed one of the rows first.
   */
  async write(rows: Row<Body>[], removedIds: string[] = []): Promise<void> {
    const removed = removedIds.filter((id) => this.#cache.has(id));
    if (rows.length + removed.length === 0) return;
    // Take the revisions before any await. The caller decided on these rows, so a later change is a conflict.
    const prepared = this.#prepareWrite(rows, removed);
    const ready = this.#journal?.beforeWrite();
    if (ready) await ready;
    // Start the slower database write first. The journal write runs at the same time.
    const stored = this.#writePrepared(rows, removed, prepared);
    const journaled = this.#journal?.write(rows, removed);
    try {
      await stored;
    } catch (error) {
      await journaled;
      const isRestored = await this.#rewriteCachedRowsInJournal([...rows.map(({ id }) => id), ...removed]);
      if (!isRestored) await this.#journal?.onWriteFailed(rows);
      throw error;
    }
    await journaled;
  }

  /** Tests whether the storage has space: writes a tombstone under an id that no row uses. */
  async writeTestRow(): Promise<void> {
    this.#cacheConflicts(await this.#writeChanges({ changes: [this.#changeOf(testRowId, null)], fences: [] }));
  }

  /** Writes a tombstone for each id without a row, so that the recovery never restores such a row from the journal. */
  async writeTombstones(ids: string[], retries = 0): Promise<void> {
    const unknown = ids.filter((id) => !this.#cache.has(id) && !this.#cache.tombstoneOf(id)?.isStored);
    if (unknown.length === 0 || retries > writeRetriesMax) return;
    const changes = unknown.map((id) => this.#changeOf(id, null));
    const conflicts = await this.#writeChanges({ changes, fences: [] });
    this.#cacheConflicts(conflicts);
    if (conflicts.length > 0) await this.writeTombstones(ids, retries + 1);
  }

  purge(limits: PurgeLimits): Promise<void> {
    return this.#store.purge(limits);
  }

  /** Reads a row from the storage, since another tab may have just written it. */
  async refresh(id: string): Promise<Body | undefined> {
    await this.#refreshRows([id]);
    return this.get(id);
  }

  /** Brings memory up to date with the storage: reads all rows, and forgets the rows that another tab removed. */
  async refreshAll(): Promise<void> {
    await this.readAll();
  }

  /** Calls `refreshAll`, unless the witness row shows that no tab has written since all rows were last read. */
  async refreshAllIfStale(): Promise<void> {
    const id = this.#witnessRowId;
    const [witness] = id === undefined ? [] : await this.#guarded(() => this.#store.read([id]));
    if (id === undefined || witness?.revision !== this.#witnessRevision) await this.refreshAll();
  }

  /** Does the same as `refreshAll`, and also returns the rows that the storage had at that moment. */
  async readAll(): Promise<[id: string, body: Body][]> {
    const rows = await this.#guarded(() => this.#store.readAll());
    const read = new Set(rows.map(({ id }) => id));
    const missing = this.#cache.ids.filter((id) => !read.has(id));
    await this.#refreshRows(missing, rows);
    this.#witnessRevision = rows.find(({ id }) => id === this.#witnessRowId)?.revision;
    return rows.flatMap(({ id, body }) => (body === null ? [] : [[id, body]]));
  }

  /** Returns the ids that have a tombstone. The rows of these ids were removed, not lost. */
  async findRemoved(ids: string[]): Promise<Set<string>> {
    const rows = await this.#guarded(() => this.#store.read(ids));
    return new Set(rows.flatMap(({ id, body }) => (body === null ? [id] : [])));
  }

  async #writePrepared(rows: Row<Body>[], removed: string[], write: PreparedWrite<Body>, retries = 0): Promise<void> {
    const ids = write.changes.map(({ row }) => row.id);
    const conflicts = await this.#writeChanges(write, () => void this.#onLateWrite(ids));
    if (conflicts.length === 0) return;
    // A conflict is harmless if a new row replaces a tombstone that is not in memory, or if this write removes a row
    // that another tab has already removed.
    const isHarmless = ({ id, stored }: RowConflict<Body>) =>
      (stored?.body ?? null) === null && (!this.#cache.has(id) || removed.includes(id));
    if (retries === writeRetriesMax || !conflicts.every(isHarmless)) {
      // Read all rows, not only the conflicting ones: listeners must see the whole write of the other tab.
      await this.readAll().catch(() => this.#cacheConflicts(conflicts));
      throw new WriteConflict(`${conflicts.length} rows of ${this.#store.name} were written elsewhere`);
    }
    this.#cacheConflicts(conflicts);
    const remaining = removed.filter((id) => this.#cache.has(id));
    if (rows.length + remaining.length > 0) {
      await this.#writePrepared(rows, remaining, this.#prepareWrite(rows, remaining), retries + 1);
    }
  }

  async #writeChanges({ changes, fences }: PreparedWrite<Body>, onLate?: () => void): Promise<RowConflict<Body>[]> {
    const conflicts = await this.#guarded(() => this.#store.write(changes, fences), onLate);
    this.#health.reportSuccessfulWrite();
    if (conflicts.length === 0) this.#cache.update(changes.map(({ row }) => row));
    return conflicts;
  }

  /**
   * Reads the rows of a write that ended after its timeout, since the caller does not know whether the write succeeded.
   */
  async #onLateWrite(ids: string[]): Promise<void> {
    await this.#refreshRows(ids).catch(() => undefined);
    await this.#rewriteCachedRowsInJournal(ids);
  }

  /**
   * Writes the rows to the journal again, as they are in memory. The table does this if a database write of the rows
   * failed or exceeded the timeout. Resolves to false if the journal did not store the rows.
   */
  async #rewriteCachedRowsInJournal(ids: string[]): Promise<boolean> {
    const present = ids.flatMap((id) => {
      const body = this.get(id);
      return body === undefined ? [] : [{ id, body }];
    });
    const absent = ids.filter((id) => this.get(id) === undefined);
    return (await this.#journal?.write(present, absent)) ?? true;
  }

  #guarded<Result>(work: () => Promise<Result>, onLate?: () => void): Promise<Result> {
    return this.#health.runGuarded(work, { schedule: this.#schedule, onLate });
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

  /** Builds the change of one row; a null body removes the row. */
  #changeOf(id: string, body: Body | null): RowChange<Body> {
    const tombstone = this.#cache.tombstoneOf(id);
    const replacedRevision = this.#cache.revisionOf(id) ?? (tombstone?.isStored ? tombstone.revision : undefined);
    return {
      row: { id, body, revision: this.#nextRevision(replacedRevision ?? tombstone?.revision) },
      replacedRevision,
    };
  }

  /**
   * Returns the next revision of a row. A new row begins at the current time in seconds, which exceeds all revisions of
   * an earlier, purged row with the same id.
   */
  #nextRevision(before: number | undefined): number {
    return before === undefined ? Math.floor(this.#wallMs() / 1000) : before + 1;
  }

  /** Reads the rows with these ids, and updates memory with them and `others` in one step. */
  async #refreshRows(ids: string[], others: StoredRow<Body>[] = []): Promise<void> {
    const rows = ids.length > 0 ? await this.#guarded(() => this.#store.read(ids)) : [];
    const found = new Set(rows.map(({ id }) => id));
    this.#cache.update(
      [...others, ...rows],
      ids.filter((id) => !found.has(id)),
    );
  }

  #cacheConflicts(conflicts: RowConflict<Body>[]): void {
    this.#cache.update(
      conflicts.flatMap(({ stored }) => stored ?? []),
      conflicts.flatMap(({ id, stored }) => (stored ? [] : [id])),
    );
  }
}

const writeRetriesMax = 3;
const testRowId = 'probe';
