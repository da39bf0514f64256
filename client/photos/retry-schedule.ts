/**
 * Decides when photos that failed are sent again: after a backoff, and not before the time that the server asks for.
 */
import { BehaviorSubject, distinctUntilChanged } from 'rxjs';
import type { TrustedClock } from '../core/clock.ts';
import { exponentialBackoffMs } from '../sync/net/backoff.ts';

interface RetryOptions {
  clock: Pick<TrustedClock, 'monotonicMs' | 'schedule'>;
  random: () => number;
}

const retryMsMin = 5_000;
const retryMsMax = 10 * 60_000;

export class RetrySchedule {
  readonly #options: RetryOptions;
  readonly #onEnd: (isDue: boolean) => void;
  #failedAttempts = 0;
  /** `#retryAtMs` and `#askedUntilMs` are times of the monotonic clock. */
  #retryAtMs = 0;
  #askedUntilMs = 0;
  #isAskedToWait = false;
  readonly #isWaiting$ = new BehaviorSubject(false);
  /** True while photos that failed wait for their next attempt. */
  readonly isWaiting$ = this.#isWaiting$.pipe(distinctUntilChanged());
  #isStopped = false;
  #cancelTimer = () => {};
  #cancelAsked = () => {};

  /** Calls `onEnd` when a wait is over; `isDue` tells whether a retry is due. */
  constructor(options: RetryOptions, onEnd: (isDue: boolean) => void) {
    this.#options = options;
    this.#onEnd = onEnd;
  }

  /** True while the server asks this device to send nothing, whatever else happens. */
  get isAskedToWait(): boolean {
    return this.#isAskedToWait;
  }

  waitFor(ms: number): void {
    const { clock } = this.#options;
    this.#isAskedToWait = true;
    this.#isWaiting$.next(true);
    this.#askedUntilMs = clock.monotonicMs() + ms;
    this.#cancelAsked = clock.schedule(ms, () => {
      this.#isAskedToWait = false;
      this.#isWaiting$.next(this.#retryAtMs > 0);
      this.#onEnd(false);
    });
  }

  /** Schedules a retry, later after each failure. */
  retryLater(): void {
    const range = { min: retryMsMin, max: retryMsMax, random: this.#options.random() };
    this.retryIn(exponentialBackoffMs(this.#failedAttempts++, range));
  }

  retryIn(givenMs: number): void {
    const { clock } = this.#options;
    this.#cancelTimer();
    if (this.#isStopped) return;
    const now = clock.monotonicMs();
    const ms = Math.max(0, givenMs, this.#askedUntilMs - now);
    this.#retryAtMs = now + ms;
    this.#isWaiting$.next(true);
    this.#cancelTimer = clock.schedule(ms, () => this.#onEnd(true));
  }

  /** Cancels the pending retry. Must be called when photos are sent now. */
  cancelRetry(): void {
    this.#cancelTimer();
    this.#retryAtMs = 0;
    this.#isWaiting$.next(this.#isAskedToWait);
  }

  /** Stops the timer of the retry until `goOn` is called. */
  pause(): void {
    this.#cancelTimer();
  }

  /** Restarts the timer of the retry. Returns false if no retry is pending. */
  goOn(): boolean {
    const leftMs = this.#retryAtMs - this.#options.clock.monotonicMs();
    if (leftMs > 0) this.retryIn(leftMs);
    return leftMs > 0;
  }

  onSuccess(): void {
    this.#failedAttempts = 0;
  }

  stop(): void {
    this.#isStopped = true;
    this.#cancelTimer();
    this.#cancelAsked();
  }
}
