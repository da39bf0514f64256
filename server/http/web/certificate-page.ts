/** The page that says how a device installs the certificate of the server's own authority. */
import { createHash } from 'node:crypto';
import { caCertificateFileName, certificateTexts, type PageLanguage } from './certificate-texts.ts';

const pageStyle = `
:root { color-scheme: light dark; --ground: #f6f5f1; --ink: #14181b; --accent: #1f45b8; --on-accent: #ffffff; }
@media (prefers-color-scheme: dark) { :root { --ground: #101417; --ink: #f3f3ef; --accent: #a9bdff; --on-accent: #0a1436; } }
body { margin: 0 auto; max-width: 34rem; padding: 1.5rem 1rem 3rem; background: var(--ground); color: var(--ink); font: 1.0625rem/1.5 system-ui, sans-serif; }
h1 { font-size: 1.5rem; line-height: 1.25; }
h2 { font-size: 1.125rem; margin: 2rem 0 0; }
h1, h2, p, li { overflow-wrap: anywhere; hyphens: auto; }
a { color: var(--accent); }
a.button { display: block; padding: 0.875rem 1rem; border: 2px solid var(--accent); border-radius: 0.75rem; background: var(--accent); color: var(--on-accent); text-align: center; text-decoration: none; font-weight: 600; }
a:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
ol { padding-left: 1.5rem; }
li { margin: 0.5rem 0; }
`;

/** Allows the page's one style, and no script. */
export const certificatePagePolicy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(pageStyle).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

interface PageContent {
  caCertificatePath: string;
  fingerprint: string;
  language: PageLanguage;
}

export function certificatePage({ caCertificatePath, fingerprint, language }: PageContent): string {
  const texts = certificateTexts[language];
  return `<!doctype html>
<html lang="${language}">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <title>${texts.title} · Gemba</title>
    <style>${pageStyle}</style>
  </head>
  <body>
    <main>
      <h1>${texts.title}</h1>
      <p>${texts.why}</p>
      <p><a class="button" href="${caCertificatePath}" download="${caCertificateFileName}">${texts.download}</a></p>
      ${texts.devices.map(({ name, steps }) => `<h2>${name}</h2>\n      ${renderOrderedList(steps)}`).join('\n      ')}

      <h2>${texts.afterTitle}</h2>
      <p>${texts.afterText((label) => `<a href="/">${label}</a>`)}</p>

      <h2>${texts.right}</h2>
      <p>${texts.fingerprint} <code>${fingerprint}</code></p>
      <p>${texts.limits}</p>
    </main>
  </body>
</html>
`;
}

const renderOrderedList = (steps: readonly string[]): string =>
  `<ol>${steps.map((step) => `<li>${step}</li>`).join('')}</ol>`;
