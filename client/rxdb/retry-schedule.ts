/** Decides when the next retry of refused documents begins, and how many documents it offers to the storage. */

/** The outcome of one pull: how many of its documents the storage wrote and refused. */
export interface PullResult {
  /** True if the pull offered documents that the storage had refused before. */
  isRetry: boolean;
  written: number;
  refused: number;
  /** How many documents wait for a retry, with those of earlier pulls. */
  waiting: number;
}

/** The longest wait between two retries of which nothing is written. */
export const retryWaitMsMax = 5 * 60_000;

/**
 * How many documents in a row may be refused alone before a wait. Each may have its own cause, so the next is tried at
 * once.
 */
const singleRefusalsMax = 8;

/**
 * Halves a batch of which nothing was written, and retries at once, down to single documents. Then waits, twice as long
 * each time, until something is written. A batch of which something was written is doubled.
 */
export class RetrySchedule {
  readonly #retryTimeMs: number;
  #documentsMax = Infinity;
  #waitMs: number;
  #refusedAlone = 0;

  constructor(retryTimeMs: number) {
    // Avoids a wait of 0, which would never double.
    this.#retryTimeMs = Math.max(retryTimeMs, 1);
    this.#waitMs = this.#retryTimeMs;
  }

  /** How many documents the next retry offers to the storage. */
  get documentsMax(): number {
    return this.#documentsMax;
  }

  /** The wait before a retry while the storage refuses all documents. */
  get waitMs(): number {
    return this.#waitMs;
  }

  /** Must be called when no document waits for a retry. */
  reset(): void {
    this.#documentsMax = Infinity;
    this.#waitMs = this.#retryTimeMs;
    this.#refusedAlone = 0;
  }

  /** Returns the milliseconds until the next retry. A new change may start one sooner. */
  next({ isRetry, written, refused, waiting }: PullResult): number {
    if (written > 0) {
      this.#waitMs = this.#retryTimeMs;
      this.#refusedAlone = 0;
    }
    // New changes do not wait as long as refused ones: of a batch that was refused as a whole, the storage may take
    // some.
    if (!isRetry) return this.#retryTimeMs;
    if (written > 0) {
      this.#documentsMax *= 2;
      return 0;
    }
    if (refused > 1) {
      this.#documentsMax = Math.ceil(refused / 2);
      return 0;
    }
    this.#documentsMax = 1;
    this.#refusedAlone += 1;
    if (this.#refusedAlone < Math.min(singleRefusalsMax, waiting)) return 0;
    this.#refusedAlone = 0;
    this.#waitMs = Math.max(this.#retryTimeMs, Math.min(this.#waitMs * 2, retryWaitMsMax));
    return this.#waitMs;
  }
}
