/** Decides how many of the refused documents the next retry offers to the storage, and when. */

/** How many documents of one pull the storage took and refused. */
export interface PullResult {
  /** True if the pull offered documents that were refused before. */
  isRetry: boolean;
  written: number;
  refused: number;
}

/** The longest wait between two retries that the storage refuses. */
export const retryWaitMsMax = 5 * 60_000;

/**
 * A batch of which nothing is written is halved at once, down to the document that the storage refuses alone. The wait
 * comes then: it doubles until something is written. What is written doubles the batch.
 */
export class RetryPace {
  readonly #retryTimeMs: number;
  #documentsMax = Infinity;
  #waitMs: number;
  #hasWritten = false;

  constructor(retryTimeMs: number) {
    this.#retryTimeMs = retryTimeMs;
    this.#waitMs = retryTimeMs;
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
    this.#hasWritten = false;
  }

  /** Returns after how many milliseconds the next retry begins. Undefined leaves a retry when it is. */
  next({ isRetry, written, refused }: PullResult): number | undefined {
    if (!isRetry) return this.#afterChanges(written);
    if (written > 0) {
      this.#documentsMax *= 2;
      this.#waitMs = this.#retryTimeMs;
      this.#hasWritten = true;
      return 0;
    }
    if (refused > 1) {
      this.#documentsMax = Math.ceil(refused / 2);
      return 0;
    }
    this.#documentsMax = 1;
    // The other documents go on at once if the storage takes some.
    if (this.#hasWritten) {
      this.#hasWritten = false;
      return 0;
    }
    this.#waitMs = Math.max(this.#retryTimeMs, Math.min(this.#waitMs * 2, retryWaitMsMax));
    return this.#waitMs;
  }

  /** A storage that takes changes may have room for what it refused. */
  #afterChanges(written: number): number | undefined {
    if (written === 0 || this.#waitMs === this.#retryTimeMs) return undefined;
    this.#waitMs = this.#retryTimeMs;
    return this.#waitMs;
  }
}
