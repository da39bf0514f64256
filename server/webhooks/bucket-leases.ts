/**
 * Holds leases on buckets of accounts, so that one process at a time delivers the webhooks of an account:
 *
 *   each 10 s: ask for each bucket that has accounts ─▶ held for 30 s, or another process holds it
 */
import { randomUuid, type World } from '../core/world.ts';
import type { Store } from '../store/store.ts';
import type { BucketLease } from '../store/webhooks/webhook-row.ts';
import { responseMsMax } from './send/post-webhook.ts';

const leaseMs = 30_000;
/**
 * A lease that ends more than this after now counts as free, since its holder's clock was far ahead. Clocks may differ
 * by 30 s.
 */
const leaseMsMax = 2 * leaseMs;
/**
 * The process uses a lease only while it has at least this time left, since a delivery must end before the lease ends.
 */
const leaseLeftMsMin = responseMsMax + 1_000;

export class BucketLeases {
  readonly #store: Store;
  readonly #world: World;
  readonly #holder: string;
  readonly #heldUntilMs = new Map<number, number>();

  constructor({ store, world }: { store: Store; world: World }) {
    this.#store = store;
    this.#world = world;
    this.#holder = randomUuid(world);
  }

  get held(): number[] {
    return [...this.#heldUntilMs.keys()].filter((bucket) => this.holds(bucket));
  }

  holds(bucket: number): boolean {
    return (this.#heldUntilMs.get(bucket) ?? 0) - this.#world.now() >= leaseLeftMsMin;
  }

  /** Takes or renews the lease on each bucket that has accounts. Returns true if a bucket was not held before. */
  async renew(): Promise<boolean> {
    let isAnyNew = false;
    for (const bucket of await this.#store.webhookBuckets()) {
      const nowMs = this.#world.now();
      const isHeld = await this.#store.leaseBucket(this.#leaseOf(bucket, { nowMs, untilMs: nowMs + leaseMs }));
      isAnyNew ||= isHeld && !this.holds(bucket);
      if (isHeld) this.#heldUntilMs.set(bucket, nowMs + leaseMs);
      else this.#heldUntilMs.delete(bucket);
    }
    return isAnyNew;
  }

  /** Ends all leases, so that other processes can take the buckets at once. */
  async release(): Promise<void> {
    const nowMs = this.#world.now();
    for (const bucket of this.#heldUntilMs.keys()) {
      await this.#store.leaseBucket(this.#leaseOf(bucket, { nowMs, untilMs: nowMs - 1 }));
    }
    this.#heldUntilMs.clear();
  }

  #leaseOf(bucket: number, { nowMs, untilMs }: { nowMs: number; untilMs: number }): BucketLease {
    const at = (ms: number) => new Date(ms).toISOString();
    return { bucket, holder: this.#holder, now: at(nowMs), until: at(untilMs), endsAtMax: at(nowMs + leaseMsMax) };
  }
}
