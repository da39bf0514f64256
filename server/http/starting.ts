/**
 * Replies while the server opens and migrates its store. `/healthz` replies 200, so that monitoring does not restart
 * the process. Every other path replies 503, so that a load balancer sends no requests yet.
 */
import type { RateLimit, RateLimits, RateLimitState } from '../store/limits/rate-limits.ts';
import { createBaseApp, type BaseAppOptions } from './common-middleware.ts';
import type { ActiveHandler } from './http-server.ts';
import { withPathAsTarget } from './request-target.ts';
import { respondProblem } from './respond.ts';
import type { RefusedReply } from './route-reply.ts';

export function createStartingHandler(options: Omit<BaseAppOptions, 'limits'>, rateLimit: RateLimit): ActiveHandler {
  const limits = uncountedRateLimits(rateLimit);
  const app = createBaseApp({ ...options, limits });
  app.get('/healthz', (_req, res) => {
    res.set('Content-Type', 'application/json; charset=utf-8').end(JSON.stringify({ status: 'ok' }));
  });
  app.use((_req, res) => respondProblem(res, startingRefusal));
  return { app: withPathAsTarget(app), limits };
}

const startingRefusal: RefusedReply = {
  ok: false,
  error: { code: 'unavailable', detail: 'The server is starting; try again soon.' },
};

/**
 * Counts no requests, since the counts are in the store, which is not open yet. Unlimited requests do little harm,
 * since each gets the same short refusal.
 */
function uncountedRateLimits(limit: RateLimit): RateLimits {
  const state: RateLimitState = { ok: true, remaining: limit.requests, resetSecs: limit.secs };
  return { limit, count: async () => state, refund: () => {}, close: async () => {} };
}
