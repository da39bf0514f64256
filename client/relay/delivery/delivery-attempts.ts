/** Counts the failed attempts to deliver each message, and chooses the next message. */

/** A message that was declined this many times may be declined for ever, although the server answers others. */
const declinedMax = 3;

export class DeliveryAttempts {
  /** How often the server declined each message. */
  readonly #declined = new Map<string, number>();
  /** How often the network was lost at each message, right after another request had reached the server. */
  readonly #connectionLosses = new Map<string, number>();
  /** The messages that are not tried before `retryPostponed` is called. */
  readonly #postponed = new Set<string>();

  get hasPostponed(): boolean {
    return this.#postponed.size > 0;
  }

  countDeclined(id: string): void {
    this.#declined.set(id, (this.#declined.get(id) ?? 0) + 1);
  }

  countConnectionLoss(id: string): void {
    this.#connectionLosses.set(id, (this.#connectionLosses.get(id) ?? 0) + 1);
  }

  isOftenDeclined(id: string): boolean {
    return (this.#declined.get(id) ?? 0) >= declinedMax;
  }

  postpone(id: string): void {
    this.#postponed.add(id);
  }

  retryPostponed(): void {
    this.#postponed.clear();
  }

  /**
   * Returns the untried message that failed least, so that a bad message does not block the others; undefined if all
   * were tried. The first connection loss of a message may be chance and does not count, to keep the messages in order.
   */
  next(heldIds: readonly string[], tried: ReadonlySet<string>): string | undefined {
    for (const counts of [this.#declined, this.#connectionLosses]) {
      for (const id of counts.keys()) if (!heldIds.includes(id)) counts.delete(id);
    }
    const failuresOf = (id: string) =>
      (this.#declined.get(id) ?? 0) + Math.max(0, (this.#connectionLosses.get(id) ?? 0) - 1);
    const mayBeTried = (id: string) => !tried.has(id) && !this.#postponed.has(id);
    return heldIds.filter(mayBeTried).toSorted((a, b) => failuresOf(a) - failuresOf(b))[0];
  }
}
