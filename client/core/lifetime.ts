import { GembaError } from './errors.ts';

/** The time from opening to closing: verbs that began before the end are finished, and none begins after it. */
export class Lifetime {
  readonly #ended = new AbortController();
  readonly #underWay = new Set<Promise<unknown>>();

  /** Aborts when the end begins. */
  get signal(): AbortSignal {
    return this.#ended.signal;
  }

  /** Rejects with `closed` once the end has begun. */
  run<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.signal.aborted) return Promise.reject(closed());
    const running = work();
    this.#underWay.add(running);
    const forget = () => this.#underWay.delete(running);
    running.then(forget, forget);
    return running;
  }

  /** Runs work that the end does not wait for, since it may wait for the network for ever. */
  runLoose<Result>(work: (ended: AbortSignal) => Promise<Result>): Promise<Result> {
    return this.signal.aborted ? Promise.reject(closed()) : work(this.signal);
  }

  /** Lets no work begin any more; resolves when all work is finished. */
  async end(): Promise<void> {
    this.#ended.abort();
    await this.rest();
  }

  /** Resolves when all present work is finished. */
  async rest(): Promise<void> {
    await Promise.allSettled(this.#underWay);
  }
}

const closed = () => new GembaError({ code: 'closed', detail: 'This engine was closed; open it again.' });

type Verb = (...args: never[]) => Promise<unknown>;

/** Binds each verb to the lifetime: it rejects with `closed` after the end, and the end waits for it. */
export function withinLifetime<Verbs extends Record<keyof Verbs, Verb>>(lifetime: Lifetime, verbs: Verbs): Verbs {
  const bound = Object.entries<Verb>(verbs).map(
    ([name, verb]) => [name, (...args: never[]) => lifetime.run(() => verb(...args))] as const,
  );
  return Object.fromEntries(bound) as Verbs;
}
