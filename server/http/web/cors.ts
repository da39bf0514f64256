/** Lets web apps of the listed origins call the API (CORS). If the list is empty, only the server's own app may. */
import type { RequestHandler } from 'express';

/**
 * `Access-Control-Allow-Credentials` is absent on purpose. It would permit cookies, but web apps send their token in a
 * header.
 */
const preflightHeaders = {
  'Access-Control-Allow-Methods': 'GET, HEAD, POST, PATCH, DELETE',
  'Access-Control-Allow-Headers':
    'Authorization, Content-Type, Content-Encoding, Gemba-Base, Gemba-Device, Gemba-Protocol, Idempotency-Key, If-Match, If-None-Match, If-Range, Range, Tus-Resumable, Upload-Offset, X-Request-Id',
  'Access-Control-Max-Age': '7200',
};
const exposedHeaders =
  'Accept-Ranges, Content-Disposition, Content-Range, Deprecation, ETag, Gemba-Next-Cursor, Idempotency-Replayed, Link, Location, RateLimit, RateLimit-Policy, Retry-After, Tus-Resumable, Upload-Expires, Upload-Length, Upload-Offset, WWW-Authenticate, X-Request-Id';

export function allowOrigins(origins: readonly string[]): RequestHandler {
  const allowed = new Set(origins);
  return (req, res, next) => {
    if (allowed.size === 0 || !req.path.startsWith('/api/')) return next();
    res.vary('Origin');
    const origin = req.get('Origin');
    if (origin === undefined || !allowed.has(origin)) return next();
    res.set({ 'Access-Control-Allow-Origin': origin, 'Access-Control-Expose-Headers': exposedHeaders });
    const isPreflight = req.method === 'OPTIONS' && req.get('Access-Control-Request-Method') !== undefined;
    if (isPreflight) res.set(preflightHeaders);
    next();
  };
}

/** Parses `GEMBA_CORS_ORIGINS`. Returns undefined if a part of the text is no origin. */
export function parseOrigins(text: string): string[] | undefined {
  const origins = text.split(',').map((origin) => origin.trim());
  const isOrigin = (origin: string) =>
    /^https?:/.test(origin) && URL.canParse(origin) && new URL(origin).origin === origin;
  return origins.every(isOrigin) ? origins : undefined;
}
