/**
 * Serves the certificate of the server's own authority, and a page that says how a phone installs it. The routes have
 * no `docs`, so the API document leaves them out.
 */
import { X509Certificate } from 'node:crypto';
import { certificatePage, certificatePagePolicy } from '../web/certificate-page.ts';
import { caCertificateFileName, type PageLanguage } from '../web/certificate-texts.ts';
import { fixedReplyHandler } from '../web/fixed-reply.ts';
import { preferredLanguage } from '../web/preferred-language.ts';
import { route, type Route } from '../route.ts';

export const caCertificatePath = '/ca.crt';

export function certificateRoutes(authorityCert: string): Route[] {
  const { fingerprint256: fingerprint } = new X509Certificate(authorityCert);
  const page = (language: PageLanguage) =>
    fixedReplyHandler({
      type: 'text/html; charset=utf-8',
      headers: { 'Content-Security-Policy': certificatePagePolicy },
      vary: ['Accept-Language'],
      make: () => certificatePage({ caCertificatePath, fingerprint, language }),
    });
  const pages = { en: page('en'), de: page('de') } satisfies Record<PageLanguage, unknown>;
  return [
    route({
      method: 'GET',
      path: caCertificatePath,
      access: 'public',
      handle: fixedReplyHandler({
        // Phones offer to install a file of this type.
        type: 'application/x-x509-ca-cert',
        headers: { 'Content-Disposition': `attachment; filename="${caCertificateFileName}"` },
        make: () => authorityCert,
      }),
    }),
    route({
      method: 'GET',
      path: '/certificate',
      access: 'public',
      handle: (request) => pages[preferredLanguage(['en', 'de'], request.header('Accept-Language'))](request),
    }),
  ];
}
