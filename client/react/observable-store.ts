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

/** The only snapshot on a server. */
export const waiting: Snapshot<never> = { state: 'waiting' };

/**
 * A render that subscribed and is not committed in this time gives up its subscription, and subscribes anew if it is.
 */
const commitMsMax = 1_000;
/** The time passes in steps, since a page that is blocked for longer commits between two of them. */
const commitSteps = 10;

interface StoreEvents {
  onConnect?: () => void;
  onRelease?: () => void;
}

export class ObservableStore<Value> {
  readonly #source: () => Observable<Value>;
  readonly #events: StoreEvents;
  readonly #listeners = new Set<{ notify: () => void }>();
  /**
   * An object of this store, since React renders nothing anew whose next store has the same snapshot as the last one.
   */
  readonly #waiting: Snapshot<Value> = { state: 'waiting' };
  #snapshot: Snapshot<Value> = this.#waiting;
  #subscription: Subscription | undefined;
  #releaseTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(source: () => Observable<Value>, events: StoreEvents = {}) {
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
      if (this.#listeners.size === 0) this.#releaseInNextTask();
    };
  };

  #connect(): void {
    if (this.#subscription) return;
    const source$ = this.#source();
    this.#events.onConnect?.();
    this.#awaitCommit(commitSteps);
    this.#subscription = source$.subscribe({
      next: (value) => this.#update({ state: 'value', value }),
      error: (error: unknown) => isClosed(error) || this.#update({ state: 'failed', error }),
    });
    // React renders a failed component once more in the same task. A later render subscribes anew.
    if (this.#snapshot.state === 'failed') this.#releaseInNextTask();
  }

  #update(snapshot: Snapshot<Value>): void {
    const last = this.#snapshot;
    if (last.state === 'value' && snapshot.state === 'value' && Object.is(last.value, snapshot.value)) return;
    this.#snapshot = snapshot;
    for (const { notify } of this.#listeners) notify();
  }

  #awaitCommit(steps: number): void {
    const next = () => (steps > 1 ? this.#awaitCommit(steps - 1) : this.#release());
    this.#releaseTimer = setTimeout(next, commitMsMax / commitSteps);
  }

  #releaseInNextTask(): void {
    clearTimeout(this.#releaseTimer);
    this.#releaseTimer = setTimeout(() => this.#release());
  }

  #release(): void {
    this.#subscription?.unsubscribe();
    this.#subscription = undefined;
    this.#snapshot = this.#waiting;
    this.#events.onRelease?.();
  }
}

/** Components of an engine that was closed go on showing what they have, until the app gives them another one. */
const isClosed = (error: unknown): boolean => (error as { code?: unknown } | undefined)?.code === 'closed';
