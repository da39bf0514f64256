/**
 * Limits the requests that a client sends in a window of time. All server processes on one store add to the same
 * counts. The counts are stored apart from the records and may be lost.
 */
import { LocalRequestCounts } from './local-counts.ts';
import type { SharedRequestCounts, RequestWindow } from './shared-counts.ts';

export interface RateLimit {
  requests: number;
  secs: number;
}

export const rateLimitDefault: RateLimit = { requests: 600, secs: 60 };

export interface RateLimits {
  limit: RateLimit;
  /** Counts a request. Never rejects: if the shared counts are unavailable, the process counts in its own memory. */
  count(key: string): Promise<RateLimitState>;
  /** Takes a request back from the count, in the background. Errors are ignored. */
  refund(key: string): void;
  close(): Promise<void>;
}

export interface RateLimitState {
  ok: boolean;
  /** How many more requests the client may send in this window. */
  remaining: number;
  /** The seconds until the window ends. */
  resetSecs: number;
}

const sweepIntervalMs = 60_000;

interface RateLimitsOptions {
  limit: RateLimit;
  shared: SharedRequestCounts;
  sharedCountWaitMsMax: number;
  /** Returns milliseconds since 1970. */
  now: () => number;
}

export function createRateLimits({ limit, shared, sharedCountWaitMsMax, now }: RateLimitsOptions): RateLimits {
  const local = new LocalRequestCounts();
  /**
   * The end of the window of each client that is over the limit. The process refuses such a client without asking the
   * shared counts.
   */
  const blockedUntil = new Map<string, number>();
  const sweep = setInterval(() => {
    const sweptAt = now();
    for (const [key, endsAt] of blockedUntil) if (endsAt <= sweptAt) blockedUntil.delete(key);
    local.sweep(sweptAt);
    shared.sweep(sweptAt).catch(() => {});
  }, sweepIntervalMs).unref();

  function rateLimitState({ requests, endsAt }: RequestWindow, at: number): RateLimitState {
    return {
      ok: requests <= limit.requests,
      remaining: Math.max(0, limit.requests - requests),
      resetSecs: Math.max(1, Math.ceil((endsAt - at) / 1_000)),
    };
  }

  return {
    limit,
    async count(key) {
      const sentAt = now();
      const request = { key, now: sentAt, endsAt: sentAt + limit.secs * 1_000 };
      const blocked = blockedUntil.get(key);
      // A block lasts one window at most. A block that ends later was set while the clock was ahead, and is ignored.
      if (blocked !== undefined && blocked > sentAt && blocked <= request.endsAt) {
        return rateLimitState({ requests: limit.requests + 1, endsAt: blocked }, sentAt);
      }
      blockedUntil.delete(key);
      const counted = await withTimeout(sharedCountWaitMsMax, shared.add(request)).catch(() => local.add(request));
      if (counted.requests > limit.requests) blockedUntil.set(key, counted.endsAt);
      return rateLimitState(counted, sentAt);
    },
    refund: (key) => void shared.refund(key).catch(() => local.refund(key)),
    async close() {
      clearInterval(sweep);
      await shared.close();
    },
  };
}

/** Hashes the keys, which contain network addresses, before they are stored. */
export function withHashedKeys(limits: RateLimits, pseudonym: (text: string) => string): RateLimits {
  return {
    ...limits,
    count: (key) => limits.count(pseudonym(key)),
    refund: (key) => limits.refund(pseudonym(key)),
  };
}

async function withTimeout<Value>(msMax: number, work: Promise<Value>): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no count within ${msMax} ms`)), msMax);
  });
  return Promise.race([work, timeout]).finally(() => clearTimeout(timer));
}
