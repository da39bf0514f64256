/**
 * Limits the rate of photo requests, since a server limits all requests of a token together and the sync needs some.
 */
import type { TrustedClock } from '../core/clock.ts';

export interface RequestRate {
  /** How many requests may be sent without a wait after a long pause. */
  burstMax: number;
  requestsPerSec: number;
}

/** The rate of sending photos over a network. A server's default limit for all requests is 600 a minute. */
export const networkSendRate: RequestRate = { burstMax: 60, requestsPerSec: 5 };
/**
 * The rate of reading photos over a network. The rest of the server's limit stays free for sending and for the sync.
 */
export const networkReadRate: RequestRate = { burstMax: 60, requestsPerSec: 2 };
/** The rate of sending by way of a carrier. A carrier takes 120 live requests a minute from all devices together. */
export const carrierSendRate: RequestRate = { burstMax: 6, requestsPerSec: 0.3 };
/** The rate of reading by way of a carrier. Repeated reads of missing photos must not delay sending. */
export const carrierReadRate: RequestRate = { burstMax: 4, requestsPerSec: 0.2 };

/**
 * The size of a piece by way of a carrier. Pieces are small, so that a pull soon gets its turn even on a slow channel.
 */
export const carrierPieceBytesMax = 256 * 1024;

export class RateLimiter {
  readonly #clock: Pick<TrustedClock, 'monotonicMs' | 'schedule'>;
  readonly #rate: RequestRate;
  #left: number;
  #countedAt: number;

  constructor(clock: Pick<TrustedClock, 'monotonicMs' | 'schedule'>, rate: RequestRate) {
    this.#clock = clock;
    this.#rate = rate;
    this.#left = rate.burstMax;
    this.#countedAt = clock.monotonicMs();
  }

  /** Resolves when the next request may be sent, and at once if `signal` is aborted. */
  async wait(signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    const { burstMax, requestsPerSec } = this.#rate;
    const now = this.#clock.monotonicMs();
    this.#left = Math.min(burstMax, this.#left + ((now - this.#countedAt) / 1000) * requestsPerSec);
    this.#countedAt = now;
    this.#left--;
    if (this.#left >= 0) return;
    await new Promise<void>((resolve) => {
      const end = () => {
        cancel();
        signal.removeEventListener('abort', end);
        // An aborted request is not sent, so it no longer counts.
        if (signal.aborted) this.#left++;
        resolve();
      };
      const cancel = this.#clock.schedule((-this.#left / requestsPerSec) * 1000, end);
      signal.addEventListener('abort', end);
    });
  }
}
