/**
 * Gives each key at most one turn at a time. Turns begin in the order of the requests:
 *
 *   request ─▶ waiting, at the end ─▶ running, at most `atOnceMax` ─▶ done, or waiting again
 *
 * A key that is requested during its turn gets another turn, since the current turn may have read its state before the
 * request.
 */
interface TurnQueueOptions<Key> {
  atOnceMax: number;
  /** Carries out a turn. Returns true if the key needs another one. */
  turn(key: Key): Promise<boolean>;
  onBug(error: unknown): void;
}

export class TurnQueue<Key> {
  readonly #options: TurnQueueOptions<Key>;
  readonly #waiting = new Set<Key>();
  readonly #running = new Map<Key, Promise<void>>();
  readonly #again = new Set<Key>();
  #isClosed = false;

  constructor(options: TurnQueueOptions<Key>) {
    this.#options = options;
  }

  request(key: Key): void {
    if (this.#isClosed) return;
    if (this.#running.has(key)) this.#again.add(key);
    else this.#waiting.add(key);
    this.#begin();
  }

  /** Resolves once nothing waits and nothing runs. */
  async settled(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running.values());
  }

  /** Begins no more turns. Resolves once none is under way. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#waiting.clear();
    this.#again.clear();
    await Promise.all(this.#running.values());
  }

  #begin(): void {
    const { atOnceMax } = this.#options;
    for (const key of this.#waiting) {
      if (this.#running.size >= atOnceMax) return;
      this.#waiting.delete(key);
      this.#running.set(key, this.#run(key));
    }
  }

  async #run(key: Key): Promise<void> {
    const { turn, onBug } = this.#options;
    const needsMore = await turn(key).catch((error: unknown) => {
      onBug(error);
      return false;
    });
    this.#running.delete(key);
    const isAsked = this.#again.delete(key);
    if ((needsMore || isAsked) && !this.#isClosed) this.#waiting.add(key);
    this.#begin();
  }
}
