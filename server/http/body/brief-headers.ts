/** Leaves out headers that say nothing to the device which sent a brief push. Their bytes would be half of the answer. */
import type { Request, Response } from 'express';
import { keepAliveMsMax } from '../limits/keep-alive.ts';

/**
 * An answer that tells of success needs no request id for support and no quota, and nothing stores the answer to a POST or
 * guesses its type: a page cannot send one with a token but by `fetch`.
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
