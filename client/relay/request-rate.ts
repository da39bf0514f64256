/** Limits how many requests are sent in a minute, since they use the quota of this device's token. */
import type { Clock } from '../core/clock.ts';

const windowMs = 60_000;

export class RequestRate {
  readonly #perMinuteMax: number;
  readonly #schedule: Clock['schedule'];
  #left: number;
  #cancelTimer: (() => void) | undefined;

  constructor(perMinuteMax: number, schedule: Clock['schedule']) {
    this.#perMinuteMax = perMinuteMax;
    this.#schedule = schedule;
    this.#left = perMinuteMax;
  }

  /** Returns false if no more requests may be sent now. */
  take(): boolean {
    this.#cancelTimer ??= this.#schedule(windowMs, () => {
      this.#left = this.#perMinuteMax;
      this.#cancelTimer = undefined;
    });
    if (this.#left === 0) return false;
    this.#left--;
    return true;
  }

  stop(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
  }
}
