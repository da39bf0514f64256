/** The rows of a table in memory, with their revisions in the storage. */
import { Subject, type Subscription } from 'rxjs';
import type { StoredRow } from './row-store.ts';

/** The rows that one write changed, in this tab or another; `body` is undefined for a removed row. */
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
  /** Whether the storage may still have the tombstone. */
  isStored: boolean;
}

/**
 * How many tombstones stay in memory. Events of other tabs are only seconds late, so older tombstones are not needed.
 */
export const tombstonesMax = 5_000;

export class RowCache<Body> {
  readonly #rows = new Map<string, CachedRow<Body>>();
  /** The latest removals, so that a late event with an older revision does not bring a row back. */
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

  /** The revision of a row; undefined if the row is unknown. */
  revisionOf(id: string): number | undefined {
    return this.#rows.get(id)?.revision;
  }

  /** The tombstone of a removed row, if the removal is among the latest. */
  tombstoneOf(id: string): Readonly<Tombstone> | undefined {
    return this.#tombstones.get(id);
  }

  get tombstoneCount(): number {
    return this.#tombstones.size;
  }

  /** Takes rows with newer revisions only, since events of other tabs may come late. */
  update(stored: StoredRow<Body>[]): void {
    const written: WrittenRows<Body> = [];
    for (const { id, revision, body } of stored) {
      const known = this.#rows.get(id) ?? this.#tombstones.get(id);
      if (known && known.revision >= revision) continue;
      if (body === null) this.#setTombstone(id, { revision, isStored: true });
      else {
        this.#tombstones.delete(id);
        this.#rows.set(id, { revision, body });
      }
      written.push({ id, body: this.get(id) });
    }
    this.#notify(written);
  }

  /** Forgets rows that another tab removed and purged. */
  forget(ids: string[]): void {
    const known = ids.filter((id) => this.has(id));
    for (const id of ids) {
      const revision = this.revisionOf(id) ?? this.#tombstones.get(id)?.revision;
      if (revision !== undefined) this.#setTombstone(id, { revision, isStored: false });
    }
    this.#notify(known.map((id) => ({ id, body: undefined })));
  }

  #setTombstone(id: string, tombstone: Tombstone): void {
    this.#rows.delete(id);
    // Moves the tombstone to the end, since the oldest are dropped from the front.
    this.#tombstones.delete(id);
    this.#tombstones.set(id, tombstone);
    const [oldest] = this.#tombstones.keys();
    if (this.#tombstones.size > tombstonesMax && oldest !== undefined) this.#tombstones.delete(oldest);
  }

  #notify(written: WrittenRows<Body>): void {
    if (written.length > 0) for (const stage of listenerStages) this.#listeners[stage].next(written);
  }
}
