/**
 * The reference page. Scalar renders the document. The problem codes and the deprecation, which the server's own links
 * point to, are static HTML, so they appear at once and without scripts.
 */
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { html, inline } from './html.ts';
import { problemEntries } from './problems.ts';

export const referencePage = (): string =>
  html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>Gemba API reference</title>
        <link rel="stylesheet" href="/docs/reference.css" />
      </head>
      <body>
        <main>
          <section class="intro">
            <h1>Gemba API</h1>
            <p>
              The reference needs scripts. For programs: <a href="/api/v1/openapi.json">openapi.json</a>, OpenAPI 3.1.
              These are the problems that it answers with.
            </p>
          </section>
          ${problemEntries()}
          <article class="entry" id="value_add">
            <h2>Deprecated: <code>value_add</code></h2>
            <p>${inline(deprecation)}</p>
          </article>
          <div id="reference"></div>
        </main>
        <script src="/docs/scalar.js" defer></script>
        <script src="/docs/start.js" defer></script>
      </body>
    </html> `.text;

/** A `Link` header with `rel="deprecation"` points here. */
const deprecation =
  'Since 2026-04 stages and steps have a `work_type`: `valuable`, `incidental` or `waste`. Before, `value_add` only told `valuable` from the rest. It is still accepted, and answers carry both. Send `work_type` instead of it; where both are sent, `work_type` wins. An answer to a request that used `value_add` carries `Deprecation`.';

/** Scalar sets its styles from its script and in attributes, so the page has to allow inline styles. */
export const referencePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

export const referenceStyle = (): string => readFileSync(new URL('reference.css', import.meta.url), 'utf8');
export const referenceStart = (): string => readFileSync(new URL('start.js', import.meta.url), 'utf8');

/**
 * The package for Fastify contains Scalar's single file for browsers. Scalar's own package would add 285 other
 * packages.
 */
export const scalarFile = join(
  dirname(createRequire(import.meta.url).resolve('@scalar/fastify-api-reference')),
  'js/standalone.js',
);
export const scalarScript = (): Promise<string> => readFile(scalarFile, 'utf8');
