/**
 * How many requests somebody may send in a window of time, counted together by all processes on one store. Counts are kept
 * apart from records and need not be durable.
 */
import { RateLimiterMemory, RateLimiterRes, type RateLimiterAbstract } from 'rate-limiter-flexible';

export interface RateLimit {
  requests: number;
  secs: number;
}

export const rateLimitDefault: RateLimit = { requests: 600, secs: 60 };

export interface RateLimits {
  limit: RateLimit;
  /** Counts a request of whoever `key` stands for. Never rejects: without its store it counts in this process alone. */
  count(key: string): Promise<Standing>;
  /** Takes back a request that was counted. Nobody waits for it, and one that is lost harms nobody. */
  refund(key: string): void;
  close(): Promise<void>;
}

export interface Standing {
  ok: boolean;
  /** Requests that are left in this window. */
  remaining: number;
  /** Seconds until the window ends. */
  resetSecs: number;
}

/** Counts under keys that tell no address to whoever reads the table. */
export function withHashedKeys(limits: RateLimits, pseudonym: (text: string) => string): RateLimits {
  return {
    ...limits,
    count: (key) => limits.count(pseudonym(key)),
    refund: (key) => limits.refund(pseudonym(key)),
  };
}

/** What the limiter of either driver is made with. */
export function limiterOptions({ requests, secs }: RateLimit) {
  const window = { points: requests, duration: secs };
  return {
    ...window,
    keyPrefix: '',
    tableCreated: true,
    // The drivers sweep themselves, so that a closed one leaves nothing behind.
    clearExpiredByTimeout: false,
    // Who is over the limit costs no more work of the store until the window ends.
    inMemoryBlockOnConsumed: requests + 1,
    insuranceLimiter: new RateLimiterMemory({ ...window, keyPrefix: '' }),
  };
}

interface Counting {
  limiter: RateLimiterAbstract;
  /** Keeps in memory who is over the limit. */
  store: { deleteInMemoryBlockedAll(): void };
  limit: RateLimit;
}

export async function standingOf({ limiter, store, limit }: Counting, key: string): Promise<Standing> {
  const counted = await consumed(limiter, key);
  const { secs, requests } = limit;
  if (counted.resetSecs <= secs) return counted;
  // The window was begun by a clock that was ahead: it ends when one that begins now would.
  store.deleteInMemoryBlockedAll();
  await limiter.set(key, counted.ok ? requests - counted.remaining : requests + 1, secs);
  return { ...counted, resetSecs: secs };
}

async function consumed(limiter: RateLimiterAbstract, key: string): Promise<Standing> {
  try {
    return standing(true, await limiter.consume(key));
  } catch (over) {
    if (over instanceof RateLimiterRes) return standing(false, over);
    throw over;
  }
}

function standing(ok: boolean, { remainingPoints, msBeforeNext }: RateLimiterRes): Standing {
  return { ok, remaining: remainingPoints, resetSecs: Math.max(1, Math.ceil(msBeforeNext / 1000)) };
}
