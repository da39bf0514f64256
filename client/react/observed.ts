/**
 * One observable as a store of React's `useSyncExternalStore`. All components that read the observable share one
 * subscription and one snapshot, so that no two of them show different values in one commit.
 *
 *     idle ── getSnapshot, subscribe ──► connected ── last listener left, or no listener in time ──► idle
 */
import type { Observable, Subscription } from 'rxjs';

export type Snapshot<Value> =
  | { readonly state: 'waiting' }
  | { readonly state: 'value'; readonly value: Value }
  | { readonly state: 'failed'; readonly error: unknown };

/** The snapshot before the first value, and the only one on a server. */
export const waiting = { state: 'waiting' } as const;

/** A render that subscribed and is not committed in this time gives up its subscription, and subscribes anew if it is. */
const commitMsMax = 1_000;

interface ObservedEvents {
  onConnect?: () => void;
  onRelease?: () => void;
}

export class Observed<Value> {
  readonly #source: () => Observable<Value>;
  readonly #events: ObservedEvents;
  readonly #listeners = new Set<{ notify: () => void }>();
  #snapshot: Snapshot<Value> = waiting;
  #subscription: Subscription | undefined;
  #releaseTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(source: () => Observable<Value>, events: ObservedEvents = {}) {
    this.#source = source;
    this.#events = events;
  }

  /** Subscribes to the observable while React renders, so that the first render already has the device's value. */
  readonly getSnapshot = (): Snapshot<Value> => {
    this.#connect();
    return this.#snapshot;
  };

  readonly getServerSnapshot = (): Snapshot<Value> => waiting;

  readonly subscribe = (notify: () => void): (() => void) => {
    this.#connect();
    clearTimeout(this.#releaseTimer);
    const listener = { notify };
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
      // StrictMode and a change of screens subscribe again in the same task, so only the next task releases.
      if (this.#listeners.size === 0) this.#releaseAfter(0);
    };
  };

  #connect(): void {
    if (this.#subscription) return;
    const source$ = this.#source();
    this.#events.onConnect?.();
    this.#releaseAfter(commitMsMax);
    this.#subscription = source$.subscribe({
      next: (value) => this.#update({ state: 'value', value }),
      error: (error: unknown) => this.#update({ state: 'failed', error }),
    });
    // React renders a failed component once more in the same task. A later render subscribes anew.
    if (this.#snapshot.state === 'failed') this.#releaseAfter(0);
  }

  #update(snapshot: Snapshot<Value>): void {
    const last = this.#snapshot;
    if (last.state === 'value' && snapshot.state === 'value' && Object.is(last.value, snapshot.value)) return;
    this.#snapshot = snapshot;
    for (const { notify } of this.#listeners) notify();
  }

  #releaseAfter(ms: number): void {
    clearTimeout(this.#releaseTimer);
    this.#releaseTimer = setTimeout(() => this.#release(), ms);
  }

  #release(): void {
    this.#subscription?.unsubscribe();
    this.#subscription = undefined;
    this.#snapshot = waiting;
    this.#events.onRelease?.();
  }
}
