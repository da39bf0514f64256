/** Lets photos use only one of a carrier's four places for requests. The other three places are for the sync. */
import type { Clock } from '../../core/clock.ts';
import { mutex } from '../../core/mutex.ts';

/** A carrier gives up a request after this time. */
const answerMsMax = 120_000;

export class PhotoTurn {
  readonly #schedule: Clock['schedule'];
  readonly #inTurn = mutex();
  /** The id of the photo request that the carrier has received and not answered. */
  #idAtCarrier: string | undefined;
  #onLeft = () => {};

  constructor(schedule: Clock['schedule']) {
    this.#schedule = schedule;
  }

  /**
   * Runs `ask` once the carrier is done with the previous photo request. Resolves to undefined if `signal` aborts. The
   * carrier may still have the aborted request, so the next photo request waits for the end of it.
   */
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

  /** Must be called when the carrier answers or fails a request. Returns false if the current photo has another id. */
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
