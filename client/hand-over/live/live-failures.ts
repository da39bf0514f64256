/** Counts the live requests that a carrier fails, and tells when the device must send it no more. */
import type { CarriedKind } from '../../../shared/relay/carried-requests.ts';

/** More than one failure in a row, since a single lost answer may be chance. */
const failuresInARowMax = 3;
/** A carrier may lose its network during a request, but hardly so often in a row. */
const givenBackInARowMax = 12;

export class LiveFailures {
  /**
   * The failures in a row of each kind. A carrier that answers only pulls must not keep the pushes from the network.
   */
  readonly #inARow = new Map<CarriedKind, number>();
  #givenBackInARow = 0;

  get areTooMany(): boolean {
    const hasFailed = this.areTooManyOf('push') || this.areTooManyOf('pull');
    return hasFailed || this.#givenBackInARow >= givenBackInARowMax;
  }

  /** Photos are counted apart: a carrier that is too slow for them still brings recordings. */
  areTooManyOf(kind: CarriedKind): boolean {
    return (this.#inARow.get(kind) ?? 0) >= failuresInARowMax;
  }

  onAnswered(kind: CarriedKind): void {
    this.#inARow.delete(kind);
    this.#givenBackInARow = 0;
  }

  /**
   * Must be called when a request goes back to the device's own network, since the carrier lost its network or was
   * busy.
   */
  onGivenBack(): void {
    this.#givenBackInARow++;
  }

  onFailed(kind: CarriedKind): void {
    this.#inARow.set(kind, (this.#inARow.get(kind) ?? 0) + 1);
  }
}
