/**
 * Wraps one observable as a store for React's `useSyncExternalStore`. All components that read the observable share one
 * subscription and one snapshot, so that no two of them show different values in one commit.
 *
 *     idle ── getSnapshot, subscribe ──► connected ── last listener left, or no listener in time ──► idle
 */
import type { Observable, Subscription } from 'rxjs';

export type Snapshot<Value> =
  | { readonly state: 'waiting' }
  | { readonly state: 'value'; readonly value: Value }
  | { readonly state: 'failed'; readonly error: unknown };

/** The snapshot before the first value. A server renders only this one. */
export const waitingSnapshot: Snapshot<never> = { state: 'waiting' };

/**
 * The store subscribes when a component renders, and unsubscribes if React does not commit the render within this time.
 * A later commit subscribes again.
 */
const commitMsMax = 1_000;
/**
 * The timer divides `commitMsMax` into this many parts. If a page was blocked for longer than `commitMsMax`, React can
 * still commit between two parts.
 */
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
   * The first snapshot. Each store has its own object, since React does not render again if a component changes to a
   * store with the same snapshot object.
   */
  readonly #waitingSnapshot: Snapshot<Value> = { state: 'waiting' };
  #snapshot: Snapshot<Value> = this.#waitingSnapshot;
  #subscription: Subscription | undefined;
  #releaseTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(source: () => Observable<Value>, events: StoreEvents = {}) {
    this.#source = source;
    this.#events = events;
  }

  /** Subscribes while React renders, so that the first render already has the device's value. */
  readonly getSnapshot = (): Snapshot<Value> => {
    this.#connect();
    return this.#snapshot;
  };

  readonly getServerSnapshot = (): Snapshot<Value> => waitingSnapshot;

  readonly subscribe = (notify: () => void): (() => void) => {
    this.#connect();
    clearTimeout(this.#releaseTimer);
    const listener = { notify };
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
      // Releases only in the next task, since StrictMode and a change of screens subscribe again in the same task.
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
      error: (error: unknown) => isClosedError(error) || this.#update({ state: 'failed', error }),
    });
    // Keeps the error for this task, in which React renders a failed component once more. A later render subscribes
    // again.
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
    this.#snapshot = this.#waitingSnapshot;
    this.#events.onRelease?.();
  }
}

/**
 * True for the error `closed`. Components keep showing the last value of a closed engine until the app passes another
 * engine.
 */
const isClosedError = (error: unknown): boolean => (error as { code?: unknown } | undefined)?.code === 'closed';
