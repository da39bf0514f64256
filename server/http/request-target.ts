/**
 * What a request asks for, as a path (RFC 9112, 3.2). Clients of proxies send a whole URL, of which the path counts. Express
 * passes a URL that is none by every handler of ours, and answers it in HTML.
 */
import type { RequestListener } from 'node:http';

export function withPath(listener: RequestListener): RequestListener {
  return (req, res) => {
    const target = req.url ?? '/';
    // `*` is for OPTIONS, and no route either.
    if (!target.startsWith('/')) req.url = URL.canParse(target) ? pathOf(new URL(target)) : '/';
    listener(req, res);
  };
}

const pathOf = ({ pathname, search }: URL): string => (pathname.startsWith('/') ? pathname + search : '/');
