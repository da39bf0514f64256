/**
 * Serves the certificate of the server's own authority, and a page that says how a phone installs it. The routes have no
 * `docs`, so the API document leaves them out.
 */
import { X509Certificate } from 'node:crypto';
import { certificatePage, certificatePolicy } from '../web/certificate-page.ts';
import { fixedReplyHandler } from '../web/fixed-reply.ts';
import { route, type Route } from '../route.ts';

export const authorityPath = '/ca.crt';

export function certificateRoutes(authorityCert: string): Route[] {
  const { fingerprint256: fingerprint } = new X509Certificate(authorityCert);
  return [
    route({
      method: 'GET',
      path: authorityPath,
      access: 'public',
      handle: fixedReplyHandler({
        // Phones offer to install a file of this type.
        type: 'application/x-x509-ca-cert',
        headers: { 'Content-Disposition': 'attachment; filename="gemba-ca.crt"' },
        make: () => authorityCert,
      }),
    }),
    route({
      method: 'GET',
      path: '/certificate',
      access: 'public',
      handle: fixedReplyHandler({
        type: 'text/html; charset=utf-8',
        headers: { 'Content-Security-Policy': certificatePolicy },
        make: () => certificatePage({ authorityPath, fingerprint }),
      }),
    }),
  ];
}
