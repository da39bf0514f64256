/** Limits how many times something may happen in a minute, such as requests with this device's token. */
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

  /** Takes `count` from this minute's limit. Returns false if fewer than `leaving` would be left for others. */
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
