/**
 * Every response says how many requests are left (draft-ietf-httpapi-ratelimit-headers-10), and nobody sends more. Counted
 * per token, by its hash, else per address.
 */
import type { RequestHandler, Request, Response } from 'express';
import { sha256 } from '../mutate/fingerprint.ts';
import type { RateLimits, Standing } from '../store/rate-limits.ts';
import { bearerToken } from './authenticate.ts';
import { clientNetwork } from './client-address.ts';
import { respondProblem } from './respond.ts';
import type { RefusedReply } from './route.ts';

/** Whoever watches over the server is never refused, and not counted either. */
const uncounted = new Set(['/healthz', '/readyz', '/metrics']);

export function limitRate(limits: RateLimits): RequestHandler {
  return async (req, res, next) => {
    if (uncounted.has(req.path)) {
      res.set(rateLimitHeaders(limits, fullQuota(limits)));
      return next();
    }
    const refusal = await charge(limits, res, keyOf(req));
    if (refusal) respondProblem(res, refusal);
    else next();
  };
}

/**
 * A token that nobody knows buys no quota of its own: its request is charged to its address. Gives the refusal to answer
 * with.
 */
export async function chargeAddress(
  limits: RateLimits,
  { req, res }: { req: Request; res: Response },
  otherwise: RefusedReply,
): Promise<RefusedReply> {
  const address = addressKey(req.ip);
  return keyOf(req) === address ? otherwise : ((await charge(limits, res, address)) ?? otherwise);
}

async function charge(limits: RateLimits, res: Response, key: string): Promise<RefusedReply | undefined> {
  const standing = await limits.count(key);
  res.set(rateLimitHeaders(limits, standing));
  return standing.ok ? undefined : rateLimited(limits, standing);
}

export function rateLimitHeaders({ limit }: RateLimits, { remaining, resetSecs }: Standing): Record<string, string> {
  return {
    'RateLimit-Policy': `"default";q=${limit.requests};w=${limit.secs}`,
    RateLimit: `"default";r=${remaining};t=${resetSecs}`,
  };
}

export function rateLimited({ limit }: RateLimits, { resetSecs }: Standing): RefusedReply {
  const detail = `More than ${limit.requests} requests came within ${limit.secs} seconds.`;
  return { ok: false, error: { code: 'rate_limited', detail, members: { retry_after_secs: resetSecs } } };
}

const fullQuota = ({ limit }: RateLimits): Standing => ({
  ok: true,
  remaining: limit.requests,
  resetSecs: limit.secs,
});

function keyOf(req: Request): string {
  const token = bearerToken(req.get('Authorization'));
  return token === undefined ? addressKey(req.ip) : `token ${sha256(token)}`;
}

export const addressKey = (address = ''): string => `address ${clientNetwork(address)}`;
