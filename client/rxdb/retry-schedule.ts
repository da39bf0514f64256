/** Decides when the next retry of refused documents begins, and how many documents it offers to the storage. */

/** The outcome of one pull: how many of its documents the storage wrote and refused. */
export interface PullResult {
  /** True if the pull offered documents that the storage had refused before. */
  isRetry: boolean;
  written: number;
  refused: number;
  /** How many documents wait for a retry, including documents of earlier pulls. */
  waiting: number;
}

/** The longest wait between two retries while the storage refuses all documents. */
export const retryWaitMsMax = 5 * 60_000;

/**
 * How many single documents in a row the storage may refuse before a wait. Each refusal may have its own cause, so the
 * next document is tried at once.
 */
const singleRefusalsMax = 8;

/**
 * If the storage refused a whole batch, halves the batch and retries at once, down to single documents. Then doubles
 * each wait until the storage writes a document. If the storage wrote a document of a retry, doubles the next batch.
 */
export class RetrySchedule {
  readonly #retryTimeMs: number;
  #documentsMax = Infinity;
  #waitMs: number;
  #singleRefusals = 0;

  constructor(retryTimeMs: number) {
    // Avoids a wait of 0, which would never double.
    this.#retryTimeMs = Math.max(retryTimeMs, 1);
    this.#waitMs = this.#retryTimeMs;
  }

  /** How many documents the next retry offers to the storage. */
  get documentsMax(): number {
    return this.#documentsMax;
  }

  /** The milliseconds before a retry while the storage refuses all documents. */
  get waitMs(): number {
    return this.#waitMs;
  }

  /** Must be called when no document waits for a retry. */
  reset(): void {
    this.#documentsMax = Infinity;
    this.#waitMs = this.#retryTimeMs;
    this.#singleRefusals = 0;
  }

  /** Returns the milliseconds until the next retry. A new change may start one sooner. */
  next({ isRetry, written, refused, waiting }: PullResult): number {
    if (written > 0) {
      this.#waitMs = this.#retryTimeMs;
      this.#singleRefusals = 0;
    }
    // After a pull of new changes, the retry comes soon: the storage may take a part of a batch that it refused as a
    // whole.
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
    this.#singleRefusals += 1;
    if (this.#singleRefusals < Math.min(singleRefusalsMax, waiting)) return 0;
    this.#singleRefusals = 0;
    this.#waitMs = Math.max(this.#retryTimeMs, Math.min(this.#waitMs * 2, retryWaitMsMax));
    return this.#waitMs;
  }
}
