/**
 * Counts the requests that this process gets, in memory. The process uses these counts while the shared counts are
 * unavailable.
 */
import type { CountedRequest, RequestWindow } from './shared-counts.ts';

export class LocalRequestCounts {
  readonly #byKey = new Map<string, RequestWindow>();

  /**
   * Counts a request. A window that began while the clock was ahead would last too long. The end of a window is
   * therefore at most `endsAt`, the end of a window that begins now.
   */
  add({ key, now, endsAt }: CountedRequest): RequestWindow {
    const known = this.#byKey.get(key);
    const counted =
      !known || known.endsAt <= now
        ? { requests: 1, endsAt }
        : { requests: known.requests + 1, endsAt: Math.min(known.endsAt, endsAt) };
    this.#byKey.set(key, counted);
    return counted;
  }

  refund(key: string): void {
    const known = this.#byKey.get(key);
    if (known && known.requests > 0) this.#byKey.set(key, { ...known, requests: known.requests - 1 });
  }

  sweep(now: number): void {
    for (const [key, { endsAt }] of this.#byKey) if (endsAt <= now) this.#byKey.delete(key);
  }
}
