/** Decides how many of the refused documents the next retry offers to the storage, and when. */

/** How many documents of one pull the storage took and refused. */
export interface PullResult {
  /** True if the pull offered documents that were refused before. */
  isRetry: boolean;
  written: number;
  refused: number;
  /** How many documents wait for a retry, those of earlier pulls included. */
  waiting: number;
}

/** The longest wait between two retries that the storage refuses. */
export const retryWaitMsMax = 5 * 60_000;

/** So many documents are offered alone, one after the other, before a wait, since each may be refused for itself. */
const singleRefusalsMax = 8;

/**
 * A batch of which nothing is written is halved at once, down to documents that the storage refuses alone. The wait
 * comes then: it doubles until something is written. What is written doubles the batch.
 */
export class RetrySchedule {
  readonly #retryTimeMs: number;
  #documentsMax = Infinity;
  #waitMs: number;
  #refusedAlone = 0;

  constructor(retryTimeMs: number) {
    // A wait of 0 would never double.
    this.#retryTimeMs = Math.max(retryTimeMs, 1);
    this.#waitMs = this.#retryTimeMs;
  }

  /** How many documents the next retry offers. */
  get documentsMax(): number {
    return this.#documentsMax;
  }

  get waitMs(): number {
    return this.#waitMs;
  }

  /** Called when nothing is refused any more. */
  reset(): void {
    this.#documentsMax = Infinity;
    this.#waitMs = this.#retryTimeMs;
    this.#refusedAlone = 0;
  }

  /** Returns after how many milliseconds the next retry begins, unless one begins sooner. */
  next({ isRetry, written, refused, waiting }: PullResult): number {
    if (written > 0) {
      this.#waitMs = this.#retryTimeMs;
      this.#refusedAlone = 0;
    }
    // Changes that were refused together may hold one that the storage takes, and do not wait as long as the others.
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
