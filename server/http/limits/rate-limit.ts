/**
 * Limits the rate of requests. Each response says how many requests are left (draft-ietf-httpapi-ratelimit-headers-10).
 * A request uses up the quota of its token or of its address:
 *
 *   request ─┬─ is for a file or for monitoring ─► no quota
 *            ├─ has a token that was recently valid ─► quota of the token
 *            └─ other ─► quota of the address ─┬─ used up ─► 429, without a lookup of the token
 *                                              └─ not used up ─► look up the token ─┬─ valid ─► quota of the token instead
 *                                                                                   └─ unknown or none ─► no change
 */
import type { RequestHandler, Request, Response } from 'express';
import { sha256 } from '../../core/hash.ts';
import type { RateLimits, RateLimitState } from '../../store/limits/rate-limits.ts';
import { bearerToken } from '../authenticate.ts';
import { addressQuotaKey } from './client-address.ts';
import type { KnownTokens } from './known-tokens.ts';
import { wasSealed } from '../relay/inner-requests.ts';
import { respondProblem } from '../respond.ts';
import type { RefusedReply } from '../route-reply.ts';

export interface RateLimitOptions {
  limits: RateLimits;
  /** undefined while the server starts. Every request then uses the quota of its address. */
  knownTokens?: KnownTokens;
  /**
   * Returns true for the path of a file of the app or guide. Such requests use no quota, since the app loads all its
   * files when it first opens.
   */
  isFile?: ((path: string) => boolean) | undefined;
}

interface RequestAndResponse {
  req: Request;
  res: Response;
}

/** Monitoring needs these paths at any time, so they use no quota. */
const unlimitedPaths = new Set(['/healthz', '/readyz', '/metrics']);

export function limitRate({ limits, knownTokens, isFile = () => false }: RateLimitOptions): RequestHandler {
  return async (req, res, next) => {
    const isRead = req.method === 'GET' || req.method === 'HEAD';
    if (unlimitedPaths.has(req.path) || (isRead && isFile(req.path))) {
      res.set(rateLimitHeaders(limits, unusedQuota(limits)));
      return next();
    }
    const tokenHash = tokenHashOf(req);
    const isKnownToken = tokenHash !== undefined && knownTokens?.has(tokenHash);
    const refusal = await chargeQuota(
      limits,
      res,
      isKnownToken ? tokenQuotaKey(req, tokenHash) : addressQuotaKey(req.ip),
    );
    if (refusal) respondProblem(res, refusal);
    else next();
  };
}

/**
 * Moves the request from the quota of the address to the quota of the token. Call only after the token was found valid.
 * Returns a refusal if the quota of the token is used up.
 */
export async function chargeTokenQuota(
  limits: RateLimits,
  { req, res }: RequestAndResponse,
): Promise<RefusedReply | undefined> {
  const key = tokenQuotaKey(req, tokenHashOf(req) ?? '');
  if (chargedQuotaKeyOf(res) === key) return;
  limits.refund(addressQuotaKey(req.ip));
  return chargeQuota(limits, res, key);
}

/**
 * Counts the request against the quota of the address. Call only after the token was found missing or not valid.
 * Returns `unauthorizedRefusal`, or the refusal of the rate limit if the quota is used up.
 */
export async function chargeAddressQuota(
  limits: RateLimits,
  { req, res }: RequestAndResponse,
  unauthorizedRefusal: RefusedReply,
): Promise<RefusedReply> {
  const key = addressQuotaKey(req.ip);
  return chargedQuotaKeyOf(res) === key
    ? unauthorizedRefusal
    : ((await chargeQuota(limits, res, key)) ?? unauthorizedRefusal);
}

async function chargeQuota(limits: RateLimits, res: Response, key: string): Promise<RefusedReply | undefined> {
  const state = await limits.count(key);
  res.locals['chargedKey'] = key;
  res.set(rateLimitHeaders(limits, state));
  return state.ok ? undefined : rateLimitRefusal(limits, state);
}

const chargedQuotaKeyOf = (res: Response): string | undefined => res.locals['chargedKey'] as string | undefined;

export function rateLimitHeaders(
  { limit }: RateLimits,
  { remaining, resetSecs }: RateLimitState,
): Record<string, string> {
  return {
    'RateLimit-Policy': `"default";q=${limit.requests};w=${limit.secs}`,
    RateLimit: `"default";r=${remaining};t=${resetSecs}`,
  };
}

export function rateLimitRefusal({ limit }: RateLimits, { resetSecs }: RateLimitState): RefusedReply {
  const detail = `More than ${limit.requests} requests came within ${limit.secs} seconds.`;
  return { ok: false, error: { code: 'rate_limited', detail, members: { retry_after_secs: resetSecs } } };
}

const unusedQuota = ({ limit }: RateLimits): RateLimitState => ({
  ok: true,
  remaining: limit.requests,
  resetSecs: limit.secs,
});

export function tokenHashOf(req: Request): string | undefined {
  const token = bearerToken(req.get('Authorization'));
  return token === undefined ? undefined : sha256(token);
}

/**
 * Sealed requests have their own quota, since a carrier may repeat a device's request at will. A carrier's deliveries
 * have their own quota, too, since devices may give the carrier any number of requests.
 */
function tokenQuotaKey(req: Request, tokenHash: string): string {
  if (wasSealed(req)) return `sealed token ${tokenHash}`;
  return `${req.path === '/api/v1/relay' ? 'relay ' : ''}token ${tokenHash}`;
}
