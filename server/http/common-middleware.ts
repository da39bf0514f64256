/** Creates an Express app with the middleware that every request passes through. */
import express, { type Express, type Request, type RequestHandler } from 'express';
import { allowOrigins } from './web/cors.ts';
import { normalizeForwardedFor } from './limits/forwarded-for.ts';
import { observeRequests } from './observe.ts';
import { limitRate, type RateLimitOptions } from './limits/rate-limit.ts';
import { setRequestId } from './request-id.ts';
import { respondProblem } from './respond.ts';
import { setSecurityHeaders } from './web/secure-headers.ts';
import { useMessageClasses, type MessageClasses } from './message-classes.ts';
import type { Services } from './services.ts';
import type { TrustedProxies } from './limits/trusted-proxies.ts';

export interface BaseAppOptions extends Pick<Services, 'world' | 'log' | 'metrics'>, RateLimitOptions {
  trustedProxies: TrustedProxies | undefined;
  /** The origins whose web apps may call the API. */
  corsOrigins?: readonly string[] | undefined;
  hasOwnCertificate?: boolean;
  /** The classes of the requests and responses that the HTTP server creates. */
  messageClasses?: MessageClasses | undefined;
}

export function createBaseApp({
  world,
  log,
  metrics,
  trustedProxies,
  corsOrigins = [],
  hasOwnCertificate = false,
  messageClasses,
  ...rateLimitOptions
}: BaseAppOptions): Express {
  const app = express();
  if (messageClasses) useMessageClasses(app, messageClasses);
  app.disable('x-powered-by').disable('etag');
  // Without the two options, `/API/v1/maps/` would be the same route as `/api/v1/maps`.
  app.enable('case sensitive routing').enable('strict routing');
  if (trustedProxies !== undefined) app.set('trust proxy', trustedProxies);
  app.use(
    setRequestId(world),
    observeRequests({ log, metrics }),
    setSecurityHeaders({ hasOwnCertificate }),
    setCommonHeaders,
  );
  if (trustedProxies !== undefined) app.use(normalizeForwardedFor);
  app.use(allowOrigins(corsOrigins), limitRate(rateLimitOptions), requireOneHost);
  return app;
}

const setCommonHeaders: RequestHandler = (_req, res, next) => {
  res.set('Cache-Control', 'private, no-cache');
  next();
};

/** An HTTP/1.1 request must have exactly one `Host` header (RFC 9112, 3.2). */
const requireOneHost: RequestHandler = (req, res, next) => {
  const hosts = hostCount(req);
  if (hosts === 1 || (hosts === 0 && req.httpVersion === '1.0')) return next();
  const detail = 'An HTTP/1.1 request names its host in one header.';
  respondProblem(res, { ok: false, error: { code: 'malformed_request', detail } });
};

/** Counts in `rawHeaders`, since `headersDistinct` would make and keep a copy of all headers. */
function hostCount({ rawHeaders }: Request): number {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) if (/^host$/i.test(rawHeaders[index] ?? '')) count++;
  return count;
}
