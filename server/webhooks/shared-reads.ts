/**
 * Lets the endpoints of an account that are equally far share what is read for their next event, so that a change costs its
 * reads once and not for each endpoint.
 */
const keptMs = 100;

export class SharedReads {
  #reads = new Map<string, Promise<unknown>>();
  #forgetting: NodeJS.Timeout | undefined;

  /** The key names all that the result depends on, so that nobody gets what was read before a change that is known. */
  get<Result>(key: string, read: () => Promise<Result>): Promise<Result> {
    const begun = this.#reads.get(key) as Promise<Result> | undefined;
    if (begun) return begun;
    const reading = read();
    this.#reads.set(key, reading);
    reading.catch(() => this.#reads.delete(key));
    this.#forgetting ??= setTimeout(() => {
      this.#reads = new Map();
      this.#forgetting = undefined;
    }, keptMs).unref();
    return reading;
  }
}
