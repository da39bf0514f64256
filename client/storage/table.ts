/**
 * One collection as the engine uses it: all rows in memory, and one verb that writes many rows in one transaction, to the
 * storage and to the journal.
 */
import type { Subscription } from 'rxjs';
import type { Clock } from '../core/clock.ts';
import type { StorageHealth } from './health.ts';
import { RowCache, type Written, type WrittenStage } from './row-cache.ts';
import type { Conflict, Expected, PurgeLimits, RowChange, RowStore } from './row-store.ts';
import type { Row } from './rows.ts';

/** The journal of one table; none of its promises rejects. */
export interface TableJournal<Body> {
  /** Answers whether the journal has the write. */
  write(rows: Row<Body>[], removedIds: string[]): Promise<boolean>;
  /** Is awaited before each write of the database; undefined where there is nothing to wait for. */
  settle(): Promise<void> | undefined;
  /** Hears of rows that the database refused and the journal may have. */
  refused(rows: Row<Body>[]): Promise<void>;
}

/** Another tab wrote one of the rows meanwhile. The rows in memory are those of the other tab then. */
export class WriteConflict extends Error {}

export interface TableOptions<Body> {
  store: RowStore<Body>;
  health: StorageHealth;
  /** Runs the deadline of storage work; absent, it has none. */
  schedule?: Clock['schedule'] | undefined;
  /** The id of a row that every write of the collection changes. */
  witness?: string | undefined;
  /** The id of a row that a write must find unchanged: a tab that steals the lock changes it. */
  fence?: string | undefined;
}

/** A write with the revisions that stood when it was decided on. */
interface Decided<Body> {
  changes: RowChange<Body>[];
  fences: Expected[];
}

export class Table<Body> {
  readonly #store: RowStore<Body>;
  readonly #health: StorageHealth;
  readonly #schedule: Clock['schedule'] | undefined;
  readonly #witness: string | undefined;
  readonly #fence: string | undefined;
  readonly #cache = new RowCache<Body>();
  /** The revision of the witness when all rows were last read. */
  #witnessed: number | undefined;
  #journal: TableJournal<Body> | undefined;

  /** Has no row in memory before `refreshAll`, and listens from now on, so that no write of another tab falls in between. */
  constructor({ store, health, schedule, witness, fence }: TableOptions<Body>) {
    this.#store = store;
    this.#health = health;
    this.#schedule = schedule;
    this.#witness = witness;
    this.#fence = fence;
    store.changes$.subscribe((rows) => {
      this.#cache.take(rows);
      // Any tab's write counts: a follower may never write itself.
      health.wrote();
    });
  }

  /** Calls after each write of any tab, once the rows in memory have it. */
  onWritten(stage: WrittenStage, listener: (written: Written<Body>) => void): Subscription {
    return this.#cache.onWritten(stage, listener);
  }

  get(id: string): Body | undefined {
    return this.#cache.get(id);
  }

  entries(): IterableIterator<[id: string, body: Body]> {
    return this.#cache.entries();
  }

  /** From now on a write resolves when the journal has it too. */
  keepIn(journal: TableJournal<Body>): void {
    this.#journal = journal;
  }

  /**
   * Puts and removes rows in one transaction; resolves when it, and its journal, is durable. Throws `WriteConflict`, having
   * written nothing.
   */
  async write(rows: Row<Body>[], removedIds: string[] = []): Promise<void> {
    const removed = removedIds.filter((id) => this.#cache.has(id));
    if (rows.length + removed.length === 0) return;
    // The caller decided on the rows that stand now; a change while this waits is a conflict.
    const decided = this.#decided(rows, removed);
    const settling = this.#journal?.settle();
    if (settling) await settling;
    // Both wait for the disk, so they run at the same time; the slower one starts first.
    const stored = this.#writeDecided(rows, removed, decided);
    const journaled = this.#journal?.write(rows, removed);
    try {
      await stored;
    } catch (error) {
      await journaled;
      const isKnown = await this.#journalStanding([...rows.map(({ id }) => id), ...removed]);
      if (!isKnown) await this.#journal?.refused(rows);
      throw error;
    }
    await journaled;
  }

  /** Writes a tombstone without meaning, to see whether there is room. */
  async probe(): Promise<void> {
    this.#takeConflicts(await this.#writeChanges({ changes: [this.#changeOf(probeRowId, null)], fences: [] }));
  }

  /** Writes tombstones under ids that no row has. */
  async bury(ids: string[], retries = 0): Promise<void> {
    const unknown = ids.filter((id) => !this.#cache.has(id) && !this.#cache.tombstoneOf(id)?.isStored);
    if (unknown.length === 0 || retries > retriesMax) return;
    const changes = unknown.map((id) => this.#changeOf(id, null));
    const conflicts = await this.#writeChanges({ changes, fences: [] });
    this.#takeConflicts(conflicts);
    if (conflicts.length > 0) await this.bury(ids, retries + 1);
  }

  /** Frees the room that removed rows still take in the storage. */
  purge(limits: PurgeLimits): Promise<void> {
    return this.#store.purge(limits);
  }

  async #writeDecided(rows: Row<Body>[], removed: string[], decided: Decided<Body>, retries = 0): Promise<void> {
    const ids = decided.changes.map(({ row }) => row.id);
    const conflicts = await this.#writeChanges(decided, () => void this.#journalStanding(ids));
    if (conflicts.length === 0) return;
    const stood = new Set(conflicts.flatMap(({ id }) => (this.#cache.has(id) ? [id] : [])));
    this.#takeConflicts(conflicts);
    // Memory lacks rows that were removed before this opening: they can be put again, and need no second removal.
    const isHarmless = ({ id }: Conflict<Body>) => !this.#cache.has(id) && (!stood.has(id) || removed.includes(id));
    if (retries === retriesMax || !conflicts.every(isHarmless)) {
      throw new WriteConflict(`${conflicts.length} rows of ${this.#store.name} were written elsewhere`);
    }
    const stillStanding = removed.filter((id) => this.#cache.has(id));
    if (rows.length + stillStanding.length > 0) {
      await this.#writeDecided(rows, stillStanding, this.#decided(rows, stillStanding), retries + 1);
    }
  }

  async #writeChanges({ changes, fences }: Decided<Body>, onLate?: () => void): Promise<Conflict<Body>[]> {
    const conflicts = await this.#guarded(() => this.#store.write(changes, fences), onLate);
    this.#health.wrote();
    if (conflicts.length === 0) this.#cache.take(changes.map(({ row }) => row));
    return conflicts;
  }

  /** Brings rows of a failed write back, in the journal, to what the storage has. */
  async #journalStanding(ids: string[]): Promise<boolean> {
    const standing = ids.flatMap((id) => {
      const body = this.get(id);
      return body === undefined ? [] : [{ id, body }];
    });
    const missing = ids.filter((id) => this.get(id) === undefined);
    return (await this.#journal?.write(standing, missing)) ?? true;
  }

  /** Reads a row from the storage, since another tab's write may not have reached this memory yet. */
  async refresh(id: string): Promise<Body | undefined> {
    await this.#refreshThese([id]);
    return this.get(id);
  }

  /** Reads all rows, and forgets those that another tab removed. */
  async refreshAll(): Promise<void> {
    const read = new Set((await this.readAll()).map(([id]) => id));
    await this.#refreshThese(this.#cache.ids.filter((id) => !read.has(id)));
  }

  /** Reads all rows unless the witness is unchanged since they were last read: then nobody has written. */
  async refreshAllIfStale(): Promise<void> {
    const id = this.#witness;
    const [witness] = id === undefined ? [] : await this.#guarded(() => this.#store.read([id]));
    if (id === undefined || witness?.revision !== this.#witnessed) await this.refreshAll();
  }

  /** Answers the rows that the storage has; memory may know newer ones. */
  async readAll(): Promise<[id: string, body: Body][]> {
    const rows = await this.#guarded(() => this.#store.readAll());
    this.#cache.take(rows);
    this.#witnessed = rows.find(({ id }) => id === this.#witness)?.revision;
    return rows.flatMap(({ id, body }) => (body === null ? [] : [[id, body]]));
  }

  /** Finds the ids of rows that were removed rather than lost: their tombstones stay until they are purged. */
  async removedOf(ids: string[]): Promise<Set<string>> {
    const rows = await this.#guarded(() => this.#store.read(ids));
    return new Set(rows.flatMap(({ id, body }) => (body === null ? [id] : [])));
  }

  #guarded<Result>(work: () => Promise<Result>, onLate?: () => void): Promise<Result> {
    return this.#health.guard(work, { schedule: this.#schedule, onLate });
  }

  #decided(rows: Row<Body>[], removed: string[]): Decided<Body> {
    const changes = [
      ...rows.map(({ id, body }) => this.#changeOf(id, body)),
      ...removed.map((id) => this.#changeOf(id, null)),
    ];
    const id = this.#fence;
    const isFenced = id !== undefined && !changes.some(({ row }) => row.id === id);
    return { changes, fences: isFenced ? [{ id, revision: this.#cache.revisionOf(id) }] : [] };
  }

  /** Without a body the row is removed. */
  #changeOf(id: string, body: Body | null): RowChange<Body> {
    const tombstone = this.#cache.tombstoneOf(id);
    const over = this.#cache.revisionOf(id) ?? (tombstone?.isStored ? tombstone.revision : undefined);
    return { row: { id, body, revision: nextRevision(over ?? tombstone?.revision) }, over };
  }

  async #refreshThese(ids: string[]): Promise<void> {
    if (ids.length === 0) return;
    const rows = await this.#guarded(() => this.#store.read(ids));
    this.#cache.take(rows);
    const found = new Set(rows.map(({ id }) => id));
    this.#cache.forget(ids.filter((id) => !found.has(id)));
  }

  #takeConflicts(conflicts: Conflict<Body>[]): void {
    this.#cache.take(conflicts.flatMap(({ stored }) => stored ?? []));
    this.#cache.forget(conflicts.flatMap(({ id, stored }) => (stored ? [] : [id])));
  }
}

const retriesMax = 3;
const probeRowId = 'probe';

/** A first revision is the time in seconds, above those of a purged row that another tab may put again. */
const nextRevision = (before: number | undefined): number =>
  before === undefined ? Math.floor(Date.now() / 1000) : before + 1;
