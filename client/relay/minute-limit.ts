/** Limits how much goes through in a minute, such as requests, which use the quota of this device's token. */
import type { Clock } from '../core/clock.ts';

const windowMs = 60_000;

export class MinuteLimit {
  readonly #perMinuteMax: number;
  readonly #schedule: Clock['schedule'];
  #left: number;
  #cancelTimer: (() => void) | undefined;

  constructor(perMinuteMax: number, schedule: Clock['schedule']) {
    this.#perMinuteMax = perMinuteMax;
    this.#schedule = schedule;
    this.#left = perMinuteMax;
  }

  /** Returns false if no more may go through now, or if fewer than `leaving` would be left to others. */
  take(count = 1, { leaving = 0 } = {}): boolean {
    if (count === 0) return true;
    this.#cancelTimer ??= this.#schedule(windowMs, () => {
      this.#left = this.#perMinuteMax;
      this.#cancelTimer = undefined;
    });
    if (this.#left < count + leaving) return false;
    this.#left -= count;
    return true;
  }

  stop(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
  }
}
