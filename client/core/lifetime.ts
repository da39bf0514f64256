import { GembaError } from './errors.ts';

/** From opening to closing: what an app asks for is finished before the end, and nothing begins after it. */
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

  /** The same for what is not waited for at the end, since what it waits for may never come. */
  runLoose<Result>(work: (ended: AbortSignal) => Promise<Result>): Promise<Result> {
    return this.signal.aborted ? Promise.reject(closed()) : work(this.signal);
  }

  /** Resolves when all that was begun has come to its end. */
  async end(): Promise<void> {
    this.#ended.abort();
    await this.rest();
  }

  /** The same, with no end. */
  async rest(): Promise<void> {
    await Promise.allSettled(this.#underWay);
  }
}

const closed = () => new GembaError({ code: 'closed', detail: 'This engine was closed; open it again.' });

/** The same verbs, each within the lifetime. */
export function withinLifetime<Verbs extends { [Name in keyof Verbs]: (...args: never[]) => Promise<unknown> }>(
  lifetime: Lifetime,
  verbs: Verbs,
): Verbs {
  const bound = Object.entries(verbs as unknown as Record<string, (...args: unknown[]) => Promise<unknown>>).map(
    ([name, verb]) => [name, (...args: unknown[]) => lifetime.run(() => verb(...args))] as const,
  );
  return Object.fromEntries(bound) as unknown as Verbs;
}
