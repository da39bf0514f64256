/** Lets one photo at a time take a place at the carrier, which has four: the others are for the sync. */
import type { Clock } from '../../core/clock.ts';
import { mutex } from '../../core/mutex.ts';

/** A carrier gives a request up after this time. */
const answerMsMax = 120_000;

export class PhotoTurn {
  readonly #schedule: Clock['schedule'];
  readonly #inTurn = mutex();
  /** The request that the carrier has whole, and has not answered. */
  #idAtCarrier: string | undefined;
  #onLeft = () => {};

  constructor(schedule: Clock['schedule']) {
    this.#schedule = schedule;
  }

  /** Resolves to undefined if `signal` aborts. The next request waits all the same until this one has left the carrier. */
  take(
    ask: () => Promise<Response | undefined>,
    signal: AbortSignal | null | undefined,
  ): Promise<Response | undefined> {
    return new Promise((resolve, reject) => {
      signal?.addEventListener('abort', () => resolve(undefined), { once: true });
      void this.#inTurn(async () => {
        await ask().then(resolve, reject);
        await this.#untilLeft();
      });
    });
  }

  /** Must be called before the last bytes of the request go to the carrier. */
  onSent(id: string): void {
    this.#idAtCarrier = id;
  }

  /** Must be called when the carrier has answered the request, or will not. Returns false if it is another one. */
  onLeft(id: string): boolean {
    if (id !== this.#idAtCarrier) return false;
    this.end();
    return true;
  }

  /** Must be called when the channel ends. */
  end(): void {
    this.#idAtCarrier = undefined;
    this.#onLeft();
  }

  #untilLeft(): Promise<void> {
    if (this.#idAtCarrier === undefined) return Promise.resolve();
    return new Promise((resolve) => {
      const cancelTimer = this.#schedule(answerMsMax, () => this.end());
      this.#onLeft = () => {
        cancelTimer();
        resolve();
      };
    });
  }
}
