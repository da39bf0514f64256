import { GembaError } from './errors.ts';

/**
 * The time from the opening of the engine to its closing. After the end, running work may finish, but no work starts.
 */
export class Lifetime {
  readonly #ended = new AbortController();
  readonly #running = new Set<Promise<unknown>>();

  /** Aborts when `end` is called. */
  get signal(): AbortSignal {
    return this.#ended.signal;
  }

  /**
   * Calls `work` synchronously, so that a tap reads the clocks at the moment of the tap. `end` waits for this work.
   * After `end`, `run` rejects with `closed`.
   */
  run<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.signal.aborted) return Promise.reject(closedError());
    const running = work();
    this.#running.add(running);
    const forget = () => this.#running.delete(running);
    running.then(forget, forget);
    return running;
  }

  /** Runs work that `end` does not wait for, such as a network request that may never finish. */
  runUnawaited<Result>(work: (ended: AbortSignal) => Promise<Result>): Promise<Result> {
    return this.signal.aborted ? Promise.reject(closedError()) : work(this.signal);
  }

  /** Refuses new work, and resolves when all running work has finished. */
  async end(): Promise<void> {
    this.#ended.abort();
    await this.untilIdle();
  }

  /** Resolves when the work that is running now has finished. */
  async untilIdle(): Promise<void> {
    await Promise.allSettled(this.#running);
  }
}

export const closedError = () => new GembaError({ code: 'closed', detail: 'This engine was closed; open it again.' });

type Verb = (...args: never[]) => Promise<unknown>;

/** Binds verbs to the lifetime: `end` waits for running verbs, and later calls reject with `closed`. */
export function withinLifetime<Verbs extends Record<keyof Verbs, Verb>>(lifetime: Lifetime, verbs: Verbs): Verbs {
  const bound = Object.entries<Verb>(verbs).map(
    ([name, verb]) => [name, (...args: never[]) => lifetime.run(() => verb(...args))] as const,
  );
  return Object.fromEntries(bound) as Verbs;
}
