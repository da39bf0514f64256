/** Sets the security headers of all responses. `/docs` replaces the content security policy by a weaker one. */
import helmet from 'helmet';
import type { RequestHandler } from 'express';

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

function setContentHeaders(): RequestHandler {
  return helmet({
    strictTransportSecurity: false,
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        'default-src': ["'none'"],
        'script-src': ["'self'"],
        'style-src': ["'self'"],
        'img-src': ["'self'", 'data:'],
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
}
