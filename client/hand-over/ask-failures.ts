/** Tells when a carrier fails so many requests that its device should send no more by way of it. */

/** One lost answer is an accident. */
const failuresInARowMax = 3;

export class AskFailures {
  /** A carrier that answers pulls alone must not keep the pushes. */
  readonly #inARow = new Map<string, number>();

  get areTooMany(): boolean {
    return [...this.#inARow.values()].some((count) => count >= failuresInARowMax);
  }

  onAnswered(kind: string): void {
    this.#inARow.delete(kind);
  }

  onFailed(kind: string): void {
    this.#inARow.set(kind, (this.#inARow.get(kind) ?? 0) + 1);
  }
}
