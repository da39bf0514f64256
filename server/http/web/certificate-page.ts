/** The page that says how a phone installs the certificate of the server's own authority. */
import { createHash } from 'node:crypto';

const style = `
body { margin: 0 auto; max-width: 34rem; padding: 1.5rem 1rem 3rem; font: 1.0625rem/1.5 system-ui, sans-serif; }
h1 { font-size: 1.5rem; line-height: 1.25; }
h2 { font-size: 1.125rem; margin: 2rem 0 0; }
a.button { display: block; padding: 0.875rem 1rem; border: 2px solid; border-radius: 0.75rem; text-align: center; font-weight: 600; }
li { margin: 0.5rem 0; }
code { overflow-wrap: anywhere; }
`;

/** Allows the page's one style, and no script. */
export const certificatePolicy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

interface PageContent {
  authorityPath: string;
  fingerprint: string;
}

export function certificatePage({ authorityPath, fingerprint }: PageContent): string {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <title>Install the certificate · Gemba</title>
    <style>${style}</style>
  </head>
  <body>
    <h1>Install the certificate of this server</h1>
    <p>This server made its own certificate, so your phone warns about it. Install the certificate once, and the warning ends. Until then the app needs a connection to the server and cannot open offline.</p>
    <p><a class="button" href="${authorityPath}" download="gemba-ca.crt">Download the certificate</a></p>

    <h2>Android, in Chrome</h2>
    <ol>
      <li>Download the certificate.</li>
      <li>Open the Settings of the phone, search for “CA certificate” and tap it.</li>
      <li>Tap “Install anyway” and choose the file gemba-ca.crt.</li>
    </ol>

    <h2>iPhone and iPad, in Safari</h2>
    <ol>
      <li>Download the certificate and allow the profile.</li>
      <li>Open Settings, tap “Profile Downloaded”, then “Install”.</li>
      <li>Open Settings, General, About, Certificate Trust Settings. Turn on the certificate that begins with “Gemba”.</li>
    </ol>

    <h2>Then</h2>
    <p>Close all tabs of Gemba and <a href="/">open the app</a>. If you have a pairing link, open it again.</p>

    <h2>Is it the right certificate?</h2>
    <p>Its SHA-256 fingerprint is the one that the terminal of the server shows: <code>${fingerprint}</code></p>
    <p>The certificate is limited to the addresses and names of local networks. It says nothing about other websites. You can remove it in the same settings.</p>
  </body>
</html>
`;
}
