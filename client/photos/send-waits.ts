/** When photos that could not be sent are tried again: after a backoff, and not before the time that the server asks for. */
import { BehaviorSubject, distinctUntilChanged } from 'rxjs';
import type { TrustedClock } from '../core/clock.ts';
import { exponentialBackoffMs } from '../sync/net/backoff.ts';

interface SendWaitsOptions {
  clock: Pick<TrustedClock, 'monotonicMs' | 'schedule'>;
  random: () => number;
}

const retryMsMin = 5_000;
const retryMsMax = 10 * 60_000;

export class SendWaits {
  readonly #options: SendWaitsOptions;
  readonly #onEnd: (isDue: boolean) => void;
  #failedAttempts = 0;
  /** The times here are those of the monotonic clock. */
  #retryAtMs = 0;
  #askedUntilMs = 0;
  #isAskedToWait = false;
  readonly #isWaiting$ = new BehaviorSubject(false);
  /** Whether photos that failed wait for their next attempt. */
  readonly isWaiting$ = this.#isWaiting$.pipe(distinctUntilChanged());
  #isStopped = false;
  #cancelTimer = () => {};
  #cancelAsked = () => {};

  /** `onEnd` is called when a wait is over, with whether photos are due. */
  constructor(options: SendWaitsOptions, onEnd: (isDue: boolean) => void) {
    this.#options = options;
    this.#onEnd = onEnd;
  }

  /** Whether the server asked this device to send nothing for a while, whatever happens meanwhile. */
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

  /** Waits longer after each failure. */
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

  /** Photos are sent now, so that nothing is due later. */
  cancelRetry(): void {
    this.#cancelTimer();
    this.#retryAtMs = 0;
    this.#isWaiting$.next(this.#isAskedToWait);
  }

  /** Holds the retry up until `goOn`. */
  pause(): void {
    this.#cancelTimer();
  }

  /** Returns false if nothing waits for a retry. */
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
