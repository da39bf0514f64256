/** Keeps the storage from growing: purges tombstones, and removes old `moved` rows, which mark exported and imported work. */
import { Subscription } from 'rxjs';
import type { DeviceStore } from './device-store.ts';
import type { WrittenRows } from './row-cache.ts';

type PurgerOptions = Pick<DeviceStore, 'records' | 'outbox' | 'drafts' | 'journal'>;

/** How many rows must have been removed before a purge is worth its transaction. */
const removedRowsMin = 100;
const purgedRowsMax = 5_000;
/** How many `moved` rows are kept. Even a device that exports its work daily writes fewer in a year. */
export const transferMarksMax = 10_000;
/**
 * How many tombstones are kept while the journal cannot be written. Without its tombstone, a removed row may be
 * restored from the journal and sent again. The server recognizes it by its number or recording session, so that does
 * no harm.
 */
export const tombstonesKeptMax = 5_000;

export class Purger {
  readonly #options: PurgerOptions;
  readonly #subscription = new Subscription();
  /** Begins at the minimum, so that the first idle moment purges the tombstones of earlier openings. */
  #removedCount = removedRowsMin;
  #isPurging = false;

  constructor(options: PurgerOptions) {
    this.#options = options;
    const { records, outbox, drafts } = options;
    const count = (written: WrittenRows<unknown>) => {
      this.#removedCount += written.filter(({ body }) => body === undefined).length;
    };
    for (const table of [records, outbox, drafts]) this.#subscription.add(table.onWrite('observer', count));
  }

  close(): void {
    this.#subscription.unsubscribe();
  }

  /** Purges if enough rows were removed. Called only in the leading tab, when nothing is left to sync. */
  async purgeWhenIdle(): Promise<void> {
    if (this.#isPurging || this.#removedCount < removedRowsMin) return;
    this.#isPurging = true;
    this.#removedCount = 0;
    await this.purge();
    this.#isPurging = false;
  }

  /** Purges all tables. Ignores failures, since a full or closed storage may refuse removals. */
  async purge(): Promise<void> {
    const { records, outbox, drafts, journal } = this.#options;
    await this.#removeOldTransferMarks().catch(() => {});
    await records.purge({ rowsMax: purgedRowsMax }).catch(() => {});
    // Keeps the tombstones until the journal has dropped the rows, too: without its tombstone, a row would be restored.
    const keptMax = (await journal.hasAllRemovals()) ? 0 : tombstonesKeptMax;
    for (const table of [outbox, drafts]) await table.purge({ rowsMax: purgedRowsMax, keptMax }).catch(() => {});
  }

  async #removeOldTransferMarks(): Promise<void> {
    const { outbox } = this.#options;
    const moved = [...outbox.entries()].flatMap(([id, body]) => (body.kind === 'moved' ? [{ id, at: body.at }] : []));
    const oldestFirst = moved.toSorted((a, b) => (a.at < b.at ? -1 : 1));
    const forgotten = oldestFirst.slice(0, Math.max(0, moved.length - transferMarksMax));
    await outbox.write(
      [],
      forgotten.map(({ id }) => id),
    );
  }
}
