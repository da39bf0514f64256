/**
 * Replaces the request target by its path, since a client of a proxy sends a whole URL (RFC 9112, 3.2). On an invalid
 * URL Express would skip all handlers of the app and reply in HTML.
 */
import type { RequestListener } from 'node:http';

export function withPathAsTarget(listener: RequestListener): RequestListener {
  return (req, res) => {
    const target = req.url ?? '/';
    // `*`, a valid target of OPTIONS, becomes `/`.
    if (!target.startsWith('/')) req.url = URL.canParse(target) ? pathAndQueryOf(new URL(target)) : '/';
    listener(req, res);
  };
}

const pathAndQueryOf = ({ pathname, search }: URL): string => (pathname.startsWith('/') ? pathname + search : '/');
