import { GembaError } from './errors.ts';

/**
 * The time from the opening of the engine to its closing. Work that began before the end may finish; after the end no work
 * begins.
 */
export class Lifetime {
  readonly #ended = new AbortController();
  readonly #running = new Set<Promise<unknown>>();

  /** Aborts when `end` is called. */
  get signal(): AbortSignal {
    return this.#ended.signal;
  }

  /** Runs work that `end` will wait for. Rejects with `closed` if `end` was called before. */
  run<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.signal.aborted) return Promise.reject(closedError());
    const running = work();
    this.#running.add(running);
    const forget = () => this.#running.delete(running);
    running.then(forget, forget);
    return running;
  }

  /** Runs work that `end` will not wait for, such as a network request, which may never finish. */
  runUnawaited<Result>(work: (ended: AbortSignal) => Promise<Result>): Promise<Result> {
    return this.signal.aborted ? Promise.reject(closedError()) : work(this.signal);
  }

  /** Refuses new work; resolves when the work under way is finished. */
  async end(): Promise<void> {
    this.#ended.abort();
    await this.untilIdle();
  }

  /** Resolves when the work that is under way now is finished. */
  async untilIdle(): Promise<void> {
    await Promise.allSettled(this.#running);
  }
}

const closedError = () => new GembaError({ code: 'closed', detail: 'This engine was closed; open it again.' });

type Verb = (...args: never[]) => Promise<unknown>;

/**
 * Binds verbs to the lifetime: after `end`, each verb rejects with `closed`, and `end` waits for the calls that began
 * before.
 */
export function withinLifetime<Verbs extends Record<keyof Verbs, Verb>>(lifetime: Lifetime, verbs: Verbs): Verbs {
  const bound = Object.entries<Verb>(verbs).map(
    ([name, verb]) => [name, (...args: never[]) => lifetime.run(() => verb(...args))] as const,
  );
  return Object.fromEntries(bound) as Verbs;
}
