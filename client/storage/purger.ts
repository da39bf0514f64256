/** Keeps the storage from growing: purges tombstones, and removes the oldest marks of exported and imported work. */
import { Subscription } from 'rxjs';
import type { DeviceStore } from './device-store.ts';
import type { WrittenRows } from './row-cache.ts';

type PurgerOptions = Pick<DeviceStore, 'records' | 'outbox' | 'drafts' | 'journal'>;

/** Fewer removed rows are not worth a transaction. */
const removedRowsMin = 100;
const purgedRowsMax = 5_000;
/** How many marks of moved work are kept; moving all work to another device daily makes fewer in a year. */
export const moveMarksMax = 10_000;
/**
 * How many tombstones are kept for a journal that cannot be written. Beyond this a removed row may come back from the
 * journal, which is harmless since the server knows its number.
 */
export const tombstonesBehindMax = 5_000;

export class Purger {
  readonly #options: PurgerOptions;
  readonly #subscription = new Subscription();
  /** Starts high enough that the first idle moment purges the tombstones of earlier openings. */
  #removed = removedRowsMin;
  #isPurging = false;

  constructor(options: PurgerOptions) {
    this.#options = options;
    const { records, outbox, drafts } = options;
    const count = (written: WrittenRows<unknown>) => {
      this.#removed += written.filter(({ body }) => body === undefined).length;
    };
    for (const table of [records, outbox, drafts]) this.#subscription.add(table.onWrite('observer', count));
  }

  close(): void {
    this.#subscription.unsubscribe();
  }

  /** Purges if enough rows were removed. Only the leading tab calls it, when nothing is left to sync. */
  async purgeWhenIdle(): Promise<void> {
    if (this.#isPurging || this.#removed < removedRowsMin) return;
    this.#isPurging = true;
    this.#removed = 0;
    await this.purge();
    this.#isPurging = false;
  }

  /** Purges all tables. Ignores failures, since a full or closed storage may refuse removals. */
  async purge(): Promise<void> {
    const { records, outbox, drafts, journal } = this.#options;
    await this.#removeOldMoveMarks().catch(() => {});
    await records.purge({ rowsMax: purgedRowsMax }).catch(() => {});
    // Keep tombstones while the journal lacks a removal, or it would restore the row.
    const keptMax = (await journal.hasAllRemovals()) ? 0 : tombstonesBehindMax;
    for (const table of [outbox, drafts]) await table.purge({ rowsMax: purgedRowsMax, keptMax }).catch(() => {});
  }

  async #removeOldMoveMarks(): Promise<void> {
    const { outbox } = this.#options;
    const moved = [...outbox.entries()].flatMap(([id, body]) => (body.kind === 'moved' ? [{ id, at: body.at }] : []));
    const oldestFirst = moved.toSorted((a, b) => (a.at < b.at ? -1 : 1));
    const forgotten = oldestFirst.slice(0, Math.max(0, moved.length - moveMarksMax));
    await outbox.write(
      [],
      forgotten.map(({ id }) => id),
    );
  }
}
