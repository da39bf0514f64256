/** Purges tombstones, which removed rows leave in the storage to tell other tabs of the removal. */
import { Subscription } from 'rxjs';
import type { Written } from './row-cache.ts';
import type { DeviceStore } from './device-store.ts';

type PurgerOptions = Pick<DeviceStore, 'records' | 'outbox' | 'drafts' | 'journal'>;

/** Fewer are not worth a transaction. */
const removedMin = 100;
const rowsMax = 5_000;

export class Purger {
  readonly #options: PurgerOptions;
  readonly #subscription = new Subscription();
  /** Begins high enough to purge the tombstones of earlier openings at the first rest. */
  #removed = removedMin;
  #isPurging = false;

  constructor(options: PurgerOptions) {
    this.#options = options;
    const { records, outbox, drafts } = options;
    const count = (written: Written<unknown>) => {
      this.#removed += written.filter(({ body }) => body === undefined).length;
    };
    for (const table of [records, outbox, drafts]) this.#subscription.add(table.onWritten('observer', count));
  }

  close(): void {
    this.#subscription.unsubscribe();
  }

  /** Purges once enough was removed; only the leading tab calls it, while nothing is to be synced. */
  async atRest(): Promise<void> {
    if (this.#isPurging || this.#removed < removedMin) return;
    this.#isPurging = true;
    this.#removed = 0;
    await this.purge();
    this.#isPurging = false;
  }

  /** Ignores failures: a full or closed storage may refuse even this. */
  async purge(): Promise<void> {
    const { records, outbox, drafts, journal } = this.#options;
    await records.purge(rowsMax).catch(() => {});
    // A second copy that missed a removal or a refusal would put the row back.
    if (!(await journal.isWhole())) return;
    for (const table of [outbox, drafts]) await table.purge(rowsMax).catch(() => {});
  }
}
