/** Limits the growth of the storage: purges tombstones, and removes old transfer marks. */
import { Subscription } from 'rxjs';
import type { DeviceTables } from './device-tables.ts';
import type { WrittenRows } from './row-cache.ts';

type PurgerOptions = Pick<DeviceTables, 'records' | 'outbox' | 'drafts' | 'journal'>;

/** A purge costs a transaction, so it waits until this many rows were removed. */
const removedRowsMin = 100;
const purgedRowsMax = 5_000;
/**
 * The device keeps at most this many transfer marks (`moved` rows). A device that exports daily writes fewer in a year.
 */
export const transferMarksMax = 10_000;
/**
 * At most this many tombstones are kept while the journal cannot be written. A row without its tombstone may be
 * restored from the journal and sent again, but the server detects the duplicate.
 */
export const tombstonesKeptMax = 5_000;

export class Purger {
  readonly #options: PurgerOptions;
  readonly #subscription = new Subscription();
  /** Starts at the minimum, so that the first idle moment purges the tombstones of earlier openings. */
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

  /** Purges if enough rows were removed. Only the leader tab calls this, when nothing is left to sync. */
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
    // A row that is still in the journal needs its tombstone, or the next opening would restore the row.
    const keptMax = (await journal.bringRemovalsUpToDate()) ? 0 : tombstonesKeptMax;
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
