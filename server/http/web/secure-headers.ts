/**
 * Sets the security headers of all responses. `/docs` replaces the content security policy by a weaker one. Nearly all of
 * them are about pages, so an answer of the API to a request with a token has only the one that stops sniffing. Without a
 * token the API tells nobody's data, and a page of any origin may see that it answers, though not what.
 */
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import helmet from 'helmet';
import type { Request, RequestHandler } from 'express';

export function setSecurityHeaders(options: StrictTransportOptions): RequestHandler[] {
  return [setContentHeaders(), requireHttps(options)];
}

interface StrictTransportOptions {
  /** True if the server made its certificate. */
  hasOwnCertificate: boolean;
}

/**
 * Makes browsers ask this host by HTTPS alone for a year (RFC 6797). A made certificate may be removed again, and a phone
 * could then no longer open the host's name. Subdomains are not the server's to bind.
 */
function requireHttps({ hasOwnCertificate }: StrictTransportOptions): RequestHandler {
  return (req, res, next) => {
    if (req.secure && !hasOwnCertificate) res.set('Strict-Transport-Security', 'max-age=31536000');
    next();
  };
}

/** The headers are the same for each response, so helmet computes them once. */
function setContentHeaders(): RequestHandler {
  const headers = contentHeaders();
  const headersOfData = headers.filter(([name]) => name === 'X-Content-Type-Options');
  const headersOfApi = headers.map(([name, value]): [string, string] => [
    name,
    name === 'Cross-Origin-Resource-Policy' ? 'cross-origin' : value,
  ]);
  const headersFor = (req: Request) => {
    if (!req.path.startsWith('/api/')) return headers;
    return hasBearer(req) ? headersOfData : headersOfApi;
  };
  return (req, res, next) => {
    for (const [name, value] of headersFor(req)) res.setHeader(name, value);
    next();
  };
}

/** A browser sends `Authorization: Bearer` only from a script's `fetch`, never for a page, a frame, an image or a link. */
const hasBearer = ({ headers }: Request): boolean => /^Bearer /i.test(headers.authorization ?? '');

function contentHeaders(): [name: string, value: string][] {
  const request = new IncomingMessage(new Socket());
  const response = new HeaderRecorder(request);
  const setHeaders = helmet({
    strictTransportSecurity: false,
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        'default-src': ["'none'"],
        'script-src': ["'self'"],
        'style-src': ["'self'"],
        // A photo of the device or of the API, whose requests have a token, is shown from memory.
        'img-src': ["'self'", 'data:', 'blob:'],
        'connect-src': ["'self'"],
        'worker-src': ["'self'"],
        'manifest-src': ["'self'"],
        'object-src': ["'none'"],
        'base-uri': ["'none'"],
        'form-action': ["'self'"],
        'frame-ancestors': ["'none'"],
      },
    },
    xFrameOptions: { action: 'deny' },
  });
  setHeaders(request, response, () => {});
  // A phone reads the codes of a watch by its camera; no screen needs another sense.
  response.setHeader('Permissions-Policy', 'camera=(self), microphone=(), geolocation=()');
  return response.recorded;
}

class HeaderRecorder extends ServerResponse {
  readonly recorded: [name: string, value: string][] = [];

  override setHeader(name: string, value: number | string | readonly string[]): this {
    this.recorded.push([name, String(value)]);
    return this;
  }
}
