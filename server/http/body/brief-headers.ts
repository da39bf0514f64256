/**
 * Removes response headers that a device with a brief push does not need. They would be half of the response's bytes.
 */
import type { Request, Response } from 'express';
import { keepAliveMsMax } from '../limits/keep-alive.ts';

/**
 * A successful response needs no request id and no quota. Nothing caches the response to a POST. No page can make a
 * browser guess its type, since only `fetch` sends a token.
 */
const unneededHeaders = ['X-Request-Id', 'RateLimit', 'RateLimit-Policy', 'Cache-Control', 'X-Content-Type-Options'];

export function dropUnneededHeaders(req: Request, res: Response): void {
  for (const name of unneededHeaders) res.removeHeader(name);
  // JSON is UTF-8 anyway. `res.set` would add the charset.
  res.setHeader('Content-Type', 'application/json');
  if (req.httpVersion !== '1.1' || !res.shouldKeepAlive || res.hasHeader('Connection')) return;
  // HTTP/1.1 keeps connections open anyway. Node leaves out `Connection: keep-alive` once it was removed.
  res.removeHeader('Connection');
  res.setHeader('Keep-Alive', `timeout=${keepAliveMsMax / 1000}`);
}
