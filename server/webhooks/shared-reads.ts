/**
 * Lets the endpoints of an account that are equally far share what is read for their next event, so that a change costs its
 * reads once and not for each endpoint.
 */
const keptMs = 100;

export class SharedReads {
  readonly #reads = new Map<string, Promise<unknown>>();

  /** The key names all that the result depends on, so that nobody gets what was read before a change that is known. */
  get<Result>(key: string, read: () => Promise<Result>): Promise<Result> {
    const begun = this.#reads.get(key) as Promise<Result> | undefined;
    if (begun) return begun;
    if (this.#reads.size === 0) setTimeout(() => this.#reads.clear(), keptMs).unref();
    const reading = read();
    this.#reads.set(key, reading);
    reading.catch(() => this.#reads.delete(key));
    return reading;
  }
}
