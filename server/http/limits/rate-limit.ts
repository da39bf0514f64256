/**
 * Every response says how many requests are left (draft-ietf-httpapi-ratelimit-headers-10), and nobody sends more.
 *
 *   request ─┬─ its token was found good of late ─► counts for the token
 *            └─ else ─► counts for the address ─┬─ over: 429, and no token is looked up
 *                                               └─ looked up ─┬─ good ─► counts for the token instead
 *                                                             └─ unknown, or not looked at: stays with the address
 */
import type { RequestHandler, Request, Response } from 'express';
import { sha256 } from '../../core/hash.ts';
import type { RateLimits, RateLimitState } from '../../store/limits/rate-limits.ts';
import { bearerToken } from '../authenticate.ts';
import { addressKey } from './client-address.ts';
import type { KnownTokens } from './known-tokens.ts';
import { respondProblem } from '../respond.ts';
import type { RefusedReply } from '../reply.ts';

export interface Quotas {
  limits: RateLimits;
  /** Without any, every request counts for its address. */
  knownTokens?: KnownTokens;
}

interface Exchange {
  req: Request;
  res: Response;
}

/** Whoever watches over the server is never refused, and not counted either. */
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

/** The token was looked up and is good: it pays, and its address does not. Gives the refusal when it cannot. */
export async function chargeToken(limits: RateLimits, { req, res }: Exchange): Promise<RefusedReply | undefined> {
  const key = tokenKey(tokenHashOf(req) ?? '');
  if (chargedOf(res) === key) return;
  limits.refund(addressKey(req.ip));
  return charge(limits, res, key);
}

/** The token was looked up and is none: its address pays. Gives the refusal to answer with. */
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
