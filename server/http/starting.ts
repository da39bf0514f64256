/**
 * Replies until the store is open and migrated. Monitoring then sees a process that is live but not ready, and neither
 * restarts the process nor sends requests to the process.
 */
import type { RateLimit, RateLimits, RateLimitState } from '../store/limits/rate-limits.ts';
import { appForEveryRequest, type EveryRequest } from './common-middleware.ts';
import type { ActiveHandler } from './http-server.ts';
import { withPathAsTarget } from './request-target.ts';
import { respondProblem } from './respond.ts';
import type { RefusedReply } from './route-reply.ts';

export function startingHandler(given: Omit<EveryRequest, 'limits'>, rateLimit: RateLimit): ActiveHandler {
  const limits = uncountedRateLimits(rateLimit);
  const app = appForEveryRequest({ ...given, limits });
  app.get('/healthz', (_req, res) => void res.json({ status: 'ok' }));
  app.use((_req, res) => respondProblem(res, startingRefusal));
  return { app: withPathAsTarget(app), limits };
}

const startingRefusal: RefusedReply = {
  ok: false,
  error: { code: 'unavailable', detail: 'The server is starting; try again soon.' },
};

/** Counts no requests: the counts are in the store, which is not open yet, and a refusal costs next to nothing. */
function uncountedRateLimits(limit: RateLimit): RateLimits {
  const state: RateLimitState = { ok: true, remaining: limit.requests, resetSecs: limit.secs };
  return { limit, count: async () => state, refund: () => {}, close: async () => {} };
}
