/** Counts the live requests that a carrier fails, and tells when the device must send the carrier no more requests. */
import type { CarriedKind } from '../../../shared/relay/carried-requests.ts';

/**
 * After this many requests of one kind failed in a row, the device sends the carrier no more requests of this kind. One
 * failure may be chance.
 */
const failuresInARowMax = 3;
/** Limits the requests in a row that the device sends over its own network, since the carrier was offline or busy. */
const givenBackInARowMax = 12;

export class LiveFailures {
  /**
   * Counts the failures in a row of each kind of request. With one count for all kinds, pulls that succeed would hide
   * pushes that fail.
   */
  readonly #inARow = new Map<CarriedKind, number>();
  #givenBackInARow = 0;

  get areTooMany(): boolean {
    const hasFailed = this.areTooManyOf('push') || this.areTooManyOf('pull');
    return hasFailed || this.#givenBackInARow >= givenBackInARowMax;
  }

  /** Each kind has a count of its own: a carrier that is too slow for photos still brings recordings. */
  areTooManyOf(kind: CarriedKind): boolean {
    return (this.#inARow.get(kind) ?? 0) >= failuresInARowMax;
  }

  onAnswered(kind: CarriedKind): void {
    this.#inARow.delete(kind);
    this.#givenBackInARow = 0;
  }

  /**
   * Must be called when the device sends a request over its own network instead, since the carrier lost its network or
   * was busy.
   */
  onGivenBack(): void {
    this.#givenBackInARow++;
  }

  onFailed(kind: CarriedKind): void {
    this.#inARow.set(kind, (this.#inARow.get(kind) ?? 0) + 1);
  }
}
