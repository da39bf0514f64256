/**
 * Shares reads among the endpoints of an account that have the same cursor. Each change is thus read once for all these
 * endpoints.
 */
const sharedForMs = 100;

export class SharedReads {
  readonly #reads = new Map<string, Promise<unknown>>();

  /**
   * The key must contain everything that the result depends on, such as the account's version, so that no caller gets
   * an outdated result.
   */
  get<Result>(key: string, read: () => Promise<Result>): Promise<Result> {
    const begun = this.#reads.get(key) as Promise<Result> | undefined;
    if (begun) return begun;
    if (this.#reads.size === 0) setTimeout(() => this.#reads.clear(), sharedForMs).unref();
    const reading = read();
    this.#reads.set(key, reading);
    reading.catch(() => this.#reads.delete(key));
    return reading;
  }
}
