/**
 * Notes which runs and lists of runs a person looks at, so that a device with a scope keeps them. A tab holds a shared
 * Web Lock for each run and list that it shows, and other tabs see these locks. The browser releases the locks of a
 * closed tab, but not the locks of a frozen tab.
 */

/** The keys of `ShownRuns`: `runKey` for one run, and `runListKey` for the list of a map's runs. */
export const runKey = (runId: number) => `run|${runId}`;
export const runListKey = (mapId: string) => `list|${mapId}`;

export class ShownRuns {
  /** How many open views of this tab show each key. */
  readonly #openCounts = new Map<string, number>();
  /** Ranks the keys by when this tab last showed them. A view that opens or closes gives its key the next rank. */
  readonly #lastSeen = new Map<string, number>();
  /** Absent in Node, where only one engine uses a database. */
  readonly #locks = typeof window === 'undefined' ? undefined : navigator.locks;
  readonly #lockPrefix: string;
  #lastNumber = 0;

  constructor(deviceName: string) {
    this.#lockPrefix = `gemba:${deviceName}:shown:`;
  }

  /** Notes that a view of the key has opened. The returned function notes that it has closed. */
  begin(key: string): () => void {
    this.#count(key, 1);
    let release = () => {};
    const ended = new Promise<void>((resolve) => (release = resolve));
    this.#locks?.request(this.#lockPrefix + key, { mode: 'shared' }, () => ended).catch(() => {});
    return () => {
      release();
      this.#count(key, -1);
    };
  }

  /** Returns the keys that at least one tab of the device shows. */
  async keys(): Promise<Set<string>> {
    const { held = [], pending = [] } = (await this.#locks?.query()) ?? {};
    const ofTabs = [...held, ...pending]
      .filter(({ name }) => name?.startsWith(this.#lockPrefix))
      .map(({ name = '' }) => name.slice(this.#lockPrefix.length));
    return new Set([...this.#openCounts.keys(), ...ofTabs]);
  }

  /**
   * Returns the rank of a key: a key that this tab showed later has a higher rank. Returns 0 if this tab never showed
   * it.
   */
  lastSeen(key: string): number {
    return this.#lastSeen.get(key) ?? 0;
  }

  #count(key: string, change: 1 | -1): void {
    const count = (this.#openCounts.get(key) ?? 0) + change;
    if (count > 0) this.#openCounts.set(key, count);
    else this.#openCounts.delete(key);
    this.#lastSeen.set(key, ++this.#lastNumber);
  }
}
