/**
 * Replaces the request target by its path (RFC 9112, 3.2), since clients of proxies send a whole URL. Express would
 * send an invalid URL past all handlers of this app and reply in HTML.
 */
import type { RequestListener } from 'node:http';

export function withPathAsTarget(listener: RequestListener): RequestListener {
  return (req, res) => {
    const target = req.url ?? '/';
    // The target `*` is only for OPTIONS and has no route, so it is treated as `/`.
    if (!target.startsWith('/')) req.url = URL.canParse(target) ? pathOf(new URL(target)) : '/';
    listener(req, res);
  };
}

const pathOf = ({ pathname, search }: URL): string => (pathname.startsWith('/') ? pathname + search : '/');
