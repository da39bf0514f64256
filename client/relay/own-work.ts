/** Tells whether deliveries wait for what this device has to send itself. */

/** Own work that does not move for so long is stuck, and must not keep what others gave. */
const ownWorkMsMax = 60_000;

interface OwnWorkOptions {
  /** Names the first piece of own work that is not settled; undefined if there is none. */
  first: () => string | undefined;
  /** True if only a person can make the own sync go on. */
  isBlocked: () => boolean;
  /** Returns milliseconds that never go back. */
  now: () => number;
}

export class OwnWork {
  readonly #options: OwnWorkOptions;
  /** The first piece when it was last seen to change. */
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
    return this.#seen !== undefined && !isBlocked() && at - this.#seen.at < ownWorkMsMax;
  }
}
