/**
 * Notes which runs and which lists of runs a person looks at, so that a device with a scope keeps them. Tabs tell each
 * other what they show by shared Web Locks, which end with their tab and which a frozen tab keeps.
 */

/** A run, or the runs of a map, as a key of `ShownRuns`. */
export const runKey = (runId: number) => `run|${runId}`;
export const listKey = (mapId: string) => `list|${mapId}`;

export class ShownRuns {
  readonly #openCounts = new Map<string, number>();
  readonly #lastSeen = new Map<string, number>();
  /** Undefined in Node, where only one engine uses a database. */
  readonly #locks = typeof window === 'undefined' ? undefined : navigator.locks;
  readonly #lockPrefix: string;
  #lastNumber = 0;

  constructor(deviceName: string) {
    this.#lockPrefix = `gemba:${deviceName}:shown:`;
  }

  /** Begins a look. The returned function ends it. */
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

  /** Returns the keys that some tab of the device looks at. */
  async keys(): Promise<Set<string>> {
    const { held = [], pending = [] } = (await this.#locks?.query()) ?? {};
    const ofTabs = [...held, ...pending]
      .filter(({ name }) => name?.startsWith(this.#lockPrefix))
      .map(({ name = '' }) => name.slice(this.#lockPrefix.length));
    return new Set([...this.#openCounts.keys(), ...ofTabs]);
  }

  /** A later look of this tab has a higher number; 0 means never. */
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
