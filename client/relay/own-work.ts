/** Tells whether deliveries of carried messages must wait for this device's own unsent work. */

/** Own work without progress for this long is stuck, and no longer delays the carried messages. */
const noProgressMsMax = 60_000;

interface OwnWorkOptions {
  /** Returns a text that identifies the first unsettled piece of own work; undefined if there is none. */
  first: () => string | undefined;
  /** True if this device's own sync waits for a person. */
  isBlocked: () => boolean;
  /** Returns the milliseconds of a monotonic clock. */
  now: () => number;
}

export class OwnWork {
  readonly #options: OwnWorkOptions;
  /** The first unsettled piece of own work, and when it became the first. */
  #seen: { first: string; at: number } | undefined;

  constructor(options: OwnWorkOptions) {
    this.#options = options;
  }

  get goesFirst(): boolean {
    const { first, isBlocked, now } = this.#options;
    const at = now();
    const current = first();
    if (current === undefined) this.#seen = undefined;
    else if (this.#seen?.first !== current) this.#seen = { first: current, at };
    return this.#seen !== undefined && !isBlocked() && at - this.#seen.at < noProgressMsMax;
  }
}
