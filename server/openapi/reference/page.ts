/**
 * The reference page. A script, Scalar, renders the API document. The texts on the problem codes and on the deprecated
 * field `value_add` are static HTML, since responses link to these texts, which must be readable without scripts.
 */
import { existsSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { html, inlineMarkdown } from './html.ts';
import { problemEntries } from './problems.ts';

/** The guide stands at and below this path. `npm start` and `npm run site` build it from the documents. */
export const guidePath = '/docs/guide/';

export const referencePage = ({ hasGuide }: { hasGuide: boolean }): string =>
  html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>Gemba API reference</title>
        <link rel="stylesheet" href="/docs/reference.css" />
      </head>
      <body>
        ${hasGuide ? guideLink : undefined}
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
            <p>${inlineMarkdown(deprecationText)}</p>
          </article>
          <div id="reference"></div>
        </main>
        <script src="/docs/scalar.js" defer></script>
        <script src="/docs/start.js" defer></script>
      </body>
    </html> `.text;

const guideLink = html`<p class="guide">
  <a href="${guidePath}">The guide to Gemba</a> says how to record, build on Gemba and run it.
</p>`;

export const guideMissingText =
  'The guide to Gemba is not on this server yet. Where its builder is installed, `npm start` builds it within a minute or so of the start. `npm run site` builds it, too.';

/** The page at `guidePath` while the guide is not built. */
export const guideMissingPage = (): string =>
  html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>The guide to Gemba is not here yet</title>
        <link rel="stylesheet" href="/docs/reference.css" />
      </head>
      <body>
        <main class="missing">
          <h1>The guide to Gemba is not here yet</h1>
          <p>${inlineMarkdown(guideMissingText)} Then <a href="${guidePath}">load this page again</a>.</p>
          <p>The <a href="/docs">reference of the API</a> is here.</p>
        </main>
      </body>
    </html> `.text;

/** The header `Link` with `rel="deprecation"` leads to this text. */
const deprecationText =
  'Since 2026-04 stages and steps have a `work_type`: `valuable`, `incidental` or `waste`. Before, `value_add` only told `valuable` from the rest. It is still accepted, and answers carry both. Send `work_type` instead of it; where both are sent, `work_type` wins. An answer to a request that used `value_add` carries `Deprecation`.';

/** Scalar's script adds styles to the page, so the policy must allow inline styles. */
export const referenceContentSecurityPolicy = [
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

export const readReferenceStyle = (): string => readFileSync(new URL('reference.css', import.meta.url), 'utf8');
export const readReferenceStartScript = (): string => readFileSync(new URL('start.js', import.meta.url), 'utf8');

/**
 * The path of a copy of Scalar's script, which renders the page. The package of Gemba has this copy. Without the copy,
 * the script of Scalar's package for Fastify is used, since Scalar's own package would add 285 packages.
 */
const scalarCopyPath = fileURLToPath(new URL('scalar.js', import.meta.url));
export const scalarFile = existsSync(scalarCopyPath)
  ? scalarCopyPath
  : join(dirname(createRequire(import.meta.url).resolve('@scalar/fastify-api-reference')), 'js/standalone.js');
export const readScalarScript = (): Promise<string> => readFile(scalarFile, 'utf8');
