/** Notes which runs and which lists of runs a person looks at, so that a device with a scope keeps them. */
import { Observable } from 'rxjs';

/** A run, or the runs of a map, as a key of `RunLooks`. */
export const runKey = (runId: number) => `run|${runId}`;
export const listKey = (mapId: string) => `list|${mapId}`;

export class RunLooks {
  readonly #open = new Map<string, number>();
  readonly #lastSeen = new Map<string, number>();
  #looks = 0;

  /** Counts a subscription as a look, from its beginning to its end. */
  watch<Value>(key: string, source: Observable<Value>): Observable<Value> {
    return new Observable((subscriber) => {
      this.#open.set(key, (this.#open.get(key) ?? 0) + 1);
      this.#lastSeen.set(key, ++this.#looks);
      const subscription = source.subscribe(subscriber);
      return () => {
        subscription.unsubscribe();
        this.#open.set(key, (this.#open.get(key) ?? 1) - 1);
        this.#lastSeen.set(key, ++this.#looks);
      };
    });
  }

  isOpen(key: string): boolean {
    return (this.#open.get(key) ?? 0) > 0;
  }

  /** A later look has a higher number; 0 means never. */
  lastSeen(key: string): number {
    return this.#lastSeen.get(key) ?? 0;
  }
}
