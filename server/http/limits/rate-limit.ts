/**
 * Limits the rate of requests. Each response says how many requests are left (draft-ietf-httpapi-ratelimit-headers-10).
 *
 *   request ─┬─ token recently found valid ─► counts for the token
 *            └─ otherwise ─► counts for the address ─┬─ over the limit ─► 429, without a lookup of the token
 *                                                    └─ below ─► look up ─┬─ valid ─► counts for the token instead
 *                                                                         └─ unknown or no token ─► no change
 */
import type { RequestHandler, Request, Response } from 'express';
import { sha256 } from '../../core/hash.ts';
import type { RateLimits, RateLimitState } from '../../store/limits/rate-limits.ts';
import { bearerToken } from '../authenticate.ts';
import { addressKey } from './client-address.ts';
import type { KnownTokens } from './known-tokens.ts';
import { respondProblem } from '../respond.ts';
import type { RefusedReply } from '../route-reply.ts';

export interface Quotas {
  limits: RateLimits;
  /** If absent, every request counts for its address. */
  knownTokens?: KnownTokens;
}

interface Exchange {
  req: Request;
  res: Response;
}

/** Monitoring is neither counted nor refused. */
const uncounted = new Set(['/healthz', '/readyz', '/metrics']);

export function limitRate({ limits, knownTokens }: Quotas): RequestHandler {
  return async (req, res, next) => {
    if (uncounted.has(req.path)) {
      res.set(rateLimitHeaders(limits, fullQuota(limits)));
      return next();
    }
    const tokenHash = tokenHashOf(req);
    const isKnown = tokenHash !== undefined && knownTokens?.has(tokenHash);
    const refusal = await charge(limits, res, isKnown ? tokenKey(tokenHash) : addressKey(req.ip));
    if (refusal) respondProblem(res, refusal);
    else next();
  };
}

/**
 * Called when the lookup found the token valid: the request now counts for the token and no longer for the address.
 * Returns the refusal if the token's quota is used up.
 */
export async function chargeToken(limits: RateLimits, { req, res }: Exchange): Promise<RefusedReply | undefined> {
  const key = tokenKey(tokenHashOf(req) ?? '');
  if (chargedOf(res) === key) return;
  limits.refund(addressKey(req.ip));
  return charge(limits, res, key);
}

/**
 * Called when the lookup found no such token: the request counts for its address. Returns the refusal to reply with.
 */
export async function chargeAddress(
  limits: RateLimits,
  { req, res }: Exchange,
  otherwise: RefusedReply,
): Promise<RefusedReply> {
  const key = addressKey(req.ip);
  return chargedOf(res) === key ? otherwise : ((await charge(limits, res, key)) ?? otherwise);
}

async function charge(limits: RateLimits, res: Response, key: string): Promise<RefusedReply | undefined> {
  const state = await limits.count(key);
  res.locals['chargedKey'] = key;
  res.set(rateLimitHeaders(limits, state));
  return state.ok ? undefined : rateLimited(limits, state);
}

const chargedOf = (res: Response): string | undefined => res.locals['chargedKey'] as string | undefined;

export function rateLimitHeaders(
  { limit }: RateLimits,
  { remaining, resetSecs }: RateLimitState,
): Record<string, string> {
  return {
    'RateLimit-Policy': `"default";q=${limit.requests};w=${limit.secs}`,
    RateLimit: `"default";r=${remaining};t=${resetSecs}`,
  };
}

export function rateLimited({ limit }: RateLimits, { resetSecs }: RateLimitState): RefusedReply {
  const detail = `More than ${limit.requests} requests came within ${limit.secs} seconds.`;
  return { ok: false, error: { code: 'rate_limited', detail, members: { retry_after_secs: resetSecs } } };
}

const fullQuota = ({ limit }: RateLimits): RateLimitState => ({
  ok: true,
  remaining: limit.requests,
  resetSecs: limit.secs,
});

export function tokenHashOf(req: Request): string | undefined {
  const token = bearerToken(req.get('Authorization'));
  return token === undefined ? undefined : sha256(token);
}

const tokenKey = (tokenHash: string): string => `token ${tokenHash}`;
