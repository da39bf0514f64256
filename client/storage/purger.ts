/** Keeps the storage from growing: it purges tombstones, and forgets the oldest marks of exported and imported work. */
import { Subscription } from 'rxjs';
import type { DeviceStore } from './device-store.ts';
import type { Written } from './row-cache.ts';

type PurgerOptions = Pick<DeviceStore, 'records' | 'outbox' | 'drafts' | 'journal'>;

/** Fewer are not worth a transaction. */
const removedMin = 100;
const rowsMax = 5_000;
/** A device that is swapped each day leaves less in a year. */
export const movedMax = 10_000;
/** Beyond it a journal that cannot be written is given up on: a row that it holds may come back, and the server knows it. */
export const tombstonesBehindMax = 5_000;

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
    await this.#forgetMoved().catch(() => {});
    await records.purge({ rowsMax }).catch(() => {});
    // A journal that missed a removal or a refusal would put the row back.
    const keptMax = (await journal.isWhole()) ? 0 : tombstonesBehindMax;
    for (const table of [outbox, drafts]) await table.purge({ rowsMax, keptMax }).catch(() => {});
  }

  async #forgetMoved(): Promise<void> {
    const { outbox } = this.#options;
    const moved = [...outbox.entries()].flatMap(([id, body]) => (body.kind === 'moved' ? [{ id, at: body.at }] : []));
    const oldestFirst = moved.toSorted((a, b) => (a.at < b.at ? -1 : 1));
    const forgotten = oldestFirst.slice(0, Math.max(0, moved.length - movedMax));
    await outbox.write(
      [],
      forgotten.map(({ id }) => id),
    );
  }
}
