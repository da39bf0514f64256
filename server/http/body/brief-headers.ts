/**
 * Removes response headers that a device does not need after a brief push. The headers would be half of the bytes of
 * the response.
 */
import type { Request, Response } from 'express';
import { keepAliveMsMax } from '../limits/keep-alive.ts';

const unneededHeaders = [
  // A successful response needs no request id and no quota.
  'X-Request-Id',
  'RateLimit',
  'RateLimit-Policy',
  // No cache stores the response to a POST.
  'Cache-Control',
  // A push needs a token, which only `fetch` sends. A browser guesses no media type for a response to `fetch`.
  'X-Content-Type-Options',
];

export function dropUnneededHeaders(req: Request, res: Response): void {
  for (const name of unneededHeaders) res.removeHeader(name);
  // `res.set` would add a charset, which JSON does not need.
  res.setHeader('Content-Type', 'application/json');
  if (req.httpVersion !== '1.1' || !res.shouldKeepAlive || res.hasHeader('Connection')) return;
  // HTTP/1.1 keeps connections open by default. After this call, Node does not send `Connection: keep-alive`.
  res.removeHeader('Connection');
  res.setHeader('Keep-Alive', `timeout=${keepAliveMsMax / 1000}`);
}
