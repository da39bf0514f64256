/** Tells when a carrier fails so many requests that its device should send no more by way of it. */
import type { CarriedKind } from '../../../shared/relay/carried-requests.ts';

/** One lost answer is an accident. */
const failuresInARowMax = 3;
/** A carrier may lose its network with each request, but hardly so often in a row. */
const givenBackInARowMax = 12;

export class AskFailures {
  /** A carrier that answers pulls alone must not keep the pushes. */
  readonly #inARow = new Map<CarriedKind, number>();
  #givenBackInARow = 0;

  get areTooMany(): boolean {
    const hasFailed = this.areTooManyOf('push') || this.areTooManyOf('pull');
    return hasFailed || this.#givenBackInARow >= givenBackInARowMax;
  }

  /** A carrier that is too slow for photos still brings recordings. */
  areTooManyOf(kind: CarriedKind): boolean {
    return (this.#inARow.get(kind) ?? 0) >= failuresInARowMax;
  }

  onAnswered(kind: CarriedKind): void {
    this.#inARow.delete(kind);
    this.#givenBackInARow = 0;
  }

  /** Must be called when a request went to the own network, since the carrier has none any more or no place for it. */
  onGivenBack(): void {
    this.#givenBackInARow++;
  }

  onFailed(kind: CarriedKind): void {
    this.#inARow.set(kind, (this.#inARow.get(kind) ?? 0) + 1);
  }
}
