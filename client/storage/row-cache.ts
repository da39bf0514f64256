/** The rows of a table in memory, each with its revision in the storage. */
import { Subject, type Subscription } from 'rxjs';
import type { StoredRow } from './row-store.ts';

/** The rows that one write has changed, in this tab or another. The body of a removed row is undefined. */
export type WrittenRows<Body> = { id: string; body: Body | undefined }[];

/**
 * The order in which listeners are called after a write: first the indexes, then the state derived from them, then
 * observers.
 */
const listenerStages = ['index', 'derived', 'observer'] as const;
export type ListenerStage = (typeof listenerStages)[number];

interface CachedRow<Body> {
  revision: number;
  body: Body;
}

interface Tombstone {
  revision: number;
  /** False after a purge, which removes the tombstone from the storage. */
  isStored: boolean;
}

/**
 * At most this many tombstones stay in memory. Older tombstones are not needed, since another tab's message is only
 * seconds late.
 */
export const tombstonesMax = 5_000;

export class RowCache<Body> {
  readonly #rows = new Map<string, CachedRow<Body>>();
  /** Tombstones of the latest removals. They keep late messages of other tabs from bringing a removed row back. */
  readonly #tombstones = new Map<string, Tombstone>();
  readonly #listeners: Record<ListenerStage, Subject<WrittenRows<Body>>> = {
    index: new Subject(),
    derived: new Subject(),
    observer: new Subject(),
  };

  onWrite(stage: ListenerStage, listener: (written: WrittenRows<Body>) => void): Subscription {
    return this.#listeners[stage].subscribe(listener);
  }

  has(id: string): boolean {
    return this.#rows.has(id);
  }

  get(id: string): Body | undefined {
    return this.#rows.get(id)?.body;
  }

  get ids(): string[] {
    return [...this.#rows.keys()];
  }

  *entries(): IterableIterator<[id: string, body: Body]> {
    for (const [id, { body }] of this.#rows) yield [id, body];
  }

  revisionOf(id: string): number | undefined {
    return this.#rows.get(id)?.revision;
  }

  /** Returns the tombstone of a recently removed row. */
  tombstoneOf(id: string): Readonly<Tombstone> | undefined {
    return this.#tombstones.get(id);
  }

  get tombstoneCount(): number {
    return this.#tombstones.size;
  }

  /**
   * Updates rows in memory, unless memory has the same or a newer revision: messages of other tabs may be late.
   * `goneIds` are neither rows nor tombstones in the storage, since another tab removed and purged them.
   */
  update(stored: StoredRow<Body>[], goneIds: string[] = []): void {
    const written: WrittenRows<Body> = [];
    for (const { id, revision, body } of stored) {
      const cached = this.#rows.get(id) ?? this.#tombstones.get(id);
      if (cached && cached.revision >= revision) continue;
      if (body === null) this.#setTombstone(id, { revision, isStored: true });
      else {
        this.#tombstones.delete(id);
        this.#rows.set(id, { revision, body });
      }
      written.push({ id, body: this.get(id) });
    }
    for (const id of goneIds) {
      const { revision } = this.#rows.get(id) ?? this.#tombstones.get(id) ?? {};
      if (this.has(id)) written.push({ id, body: undefined });
      if (revision !== undefined) this.#setTombstone(id, { revision, isStored: false });
    }
    if (written.length > 0) for (const stage of listenerStages) this.#listeners[stage].next(written);
  }

  #setTombstone(id: string, tombstone: Tombstone): void {
    this.#rows.delete(id);
    // Delete before set, so that the tombstone moves to the end of the Map, whose first entry is the oldest.
    this.#tombstones.delete(id);
    this.#tombstones.set(id, tombstone);
    const [oldest] = this.#tombstones.keys();
    if (this.#tombstones.size > tombstonesMax && oldest !== undefined) this.#tombstones.delete(oldest);
  }
}
