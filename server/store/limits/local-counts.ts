/** Counts of one process, for the time in which the store does not count. */
import type { CountedRequest, WindowCount } from './shared-counts.ts';

export class LocalCounts {
  readonly #byKey = new Map<string, WindowCount>();

  /** A window that a clock ahead began ends no later than one that begins now. */
  add({ key, now, endsAt }: CountedRequest): WindowCount {
    const known = this.#byKey.get(key);
    const counted =
      !known || known.endsAt <= now
        ? { requests: 1, endsAt }
        : { requests: known.requests + 1, endsAt: Math.min(known.endsAt, endsAt) };
    this.#byKey.set(key, counted);
    return counted;
  }

  takeBack(key: string): void {
    const known = this.#byKey.get(key);
    if (known && known.requests > 0) this.#byKey.set(key, { ...known, requests: known.requests - 1 });
  }

  sweep(now: number): void {
    for (const [key, { endsAt }] of this.#byKey) if (endsAt <= now) this.#byKey.delete(key);
  }
}
