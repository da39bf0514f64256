/** Leaves requests to recordings: a server counts all requests of a token, and refuses those beyond its limit. */
import type { TrustedClock } from '../core/clock.ts';

const burstMax = 60;
/** The default limit of a server is 600 requests in a minute. */
const requestsPerSec = 5;

export class RequestPace {
  readonly #clock: Pick<TrustedClock, 'monotonicMs' | 'schedule'>;
  #left = burstMax;
  #countedAt: number;

  constructor(clock: Pick<TrustedClock, 'monotonicMs' | 'schedule'>) {
    this.#clock = clock;
    this.#countedAt = clock.monotonicMs();
  }

  /** Resolves when the next request may be sent, or at once if `signal` has aborted. */
  async wait(signal: AbortSignal): Promise<void> {
    const now = this.#clock.monotonicMs();
    this.#left = Math.min(burstMax, this.#left + ((now - this.#countedAt) / 1000) * requestsPerSec);
    this.#countedAt = now;
    this.#left--;
    if (this.#left >= 0 || signal.aborted) return;
    await new Promise<void>((resolve) => {
      const end = () => {
        cancel();
        signal.removeEventListener('abort', end);
        resolve();
      };
      const cancel = this.#clock.schedule((-this.#left / requestsPerSec) * 1000, end);
      signal.addEventListener('abort', end);
    });
  }
}
