/**
 * Removes response headers that a device does not need after a brief push. The headers would be half of the bytes of
 * the response.
 */
import type { Request, Response } from 'express';
import { keepAliveMsMax } from '../limits/keep-alive.ts';

/**
 * A successful response needs no request id and no quota. Nothing caches the response to a POST. Only `fetch` sends a
 * token, and a browser never guesses the media type of a response to `fetch`.
 */
const unneededHeaders = ['X-Request-Id', 'RateLimit', 'RateLimit-Policy', 'Cache-Control', 'X-Content-Type-Options'];

export function dropUnneededHeaders(req: Request, res: Response): void {
  for (const name of unneededHeaders) res.removeHeader(name);
  // `res.set` would add a charset, which JSON does not need.
  res.setHeader('Content-Type', 'application/json');
  if (req.httpVersion !== '1.1' || !res.shouldKeepAlive || res.hasHeader('Connection')) return;
  // HTTP/1.1 keeps connections open by default. After this call, Node does not send `Connection: keep-alive`.
  res.removeHeader('Connection');
  res.setHeader('Keep-Alive', `timeout=${keepAliveMsMax / 1000}`);
}
