/**
 * Sets the security headers of all responses. `/docs` replaces the content security policy by a weaker policy.
 *
 * Most of these headers protect pages. An API response to a request with a token is never shown as a page, so it has
 * only `X-Content-Type-Options` and the header of `requireHttps`.
 *
 * Without a token, the API returns no data of an account. Pages of any origin may therefore send requests without a
 * token to the API, but these pages cannot read the responses.
 */
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import helmet from 'helmet';
import type { Request, RequestHandler } from 'express';

export function setSecurityHeaders(options: StrictTransportOptions): RequestHandler[] {
  return [setContentHeaders(), requireHttps(options)];
}

interface StrictTransportOptions {
  /** True if the server made its own certificate. */
  hasOwnCertificate: boolean;
}

/**
 * Makes browsers use only HTTPS for this host for a year (RFC 6797), without its subdomains. A server with its own
 * certificate does not send this header. A phone that removed the certificate could not open the host any more.
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
    return hasBearerToken(req) ? headersOfData : headersOfApi;
  };
  return (req, res, next) => {
    for (const [name, value] of headersFor(req)) res.setHeader(name, value);
    next();
  };
}

/** Browsers send `Authorization: Bearer` only for a script's `fetch`, never for a page, a frame, an image or a link. */
const hasBearerToken = ({ headers }: Request): boolean => /^Bearer /i.test(headers.authorization ?? '');

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
        // The app shows photos from memory, since a photo is sent only to a request with a token.
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
  // A phone reads the codes of a watch by its camera. No screen uses the microphone or the location.
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
