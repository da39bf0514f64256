/** Counts what became of each attempt to deliver a message, and chooses the message that is next. */

/** So often the server declines a message that it may decline for ever, if it answers others meanwhile. */
const declinedMax = 3;

export class Attempts {
  /** How often each message was declined. */
  readonly #declined = new Map<string, number>();
  /** How often nothing got through any more from each message on, though a request did just before. */
  readonly #endings = new Map<string, number>();
  /** The messages that are not tried before `tryLeftAgain`. */
  readonly #left = new Set<string>();

  get hasLeft(): boolean {
    return this.#left.size > 0;
  }

  countDeclined(id: string): void {
    this.#declined.set(id, (this.#declined.get(id) ?? 0) + 1);
  }

  countEnding(id: string): void {
    this.#endings.set(id, (this.#endings.get(id) ?? 0) + 1);
  }

  isOftenDeclined(id: string): boolean {
    return (this.#declined.get(id) ?? 0) >= declinedMax;
  }

  leave(id: string): void {
    this.#left.add(id);
  }

  tryLeftAgain(): void {
    this.#left.clear();
  }

  /**
   * Returns the message that failed least, so that one that always does holds up no other; undefined if all were tried. The
   * order of a device's messages matters, and a network may end at any of them, so the first ending does not count.
   */
  next(heldIds: readonly string[], tried: ReadonlySet<string>): string | undefined {
    for (const counts of [this.#declined, this.#endings]) {
      for (const id of counts.keys()) if (!heldIds.includes(id)) counts.delete(id);
    }
    const timesOf = (id: string) => (this.#declined.get(id) ?? 0) + Math.max(0, (this.#endings.get(id) ?? 0) - 1);
    const isOpen = (id: string) => !tried.has(id) && !this.#left.has(id);
    return heldIds.filter(isOpen).toSorted((a, b) => timesOf(a) - timesOf(b))[0];
  }
}
