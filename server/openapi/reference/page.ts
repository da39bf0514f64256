/** The reference: the whole document on one page, made on the server. No script, and its style is a file of ours. */
import type { Document } from '../document.ts';
import type { RouteDocs } from '../route-docs.ts';
import { shellBlock } from './examples.ts';
import { fieldList } from './fields.ts';
import { html, inline, markdown, type Markup } from './html.ts';
import { operationSection } from './operation.ts';
import { problemSections } from './problems.ts';
import { placesOf, type Place, type Schema } from './shapes.ts';

export function referencePage(document: Document, docs: RouteDocs[]): string {
  const { title, summary, description } = document.info;
  const areas = document.tags.map((tag) => {
    return { ...tag, places: placesOf(document).filter(({ operation }) => operation.tags.includes(tag.name)) };
  });
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${title} API reference</title>
        <link rel="stylesheet" href="/docs/style.css" />
      </head>
      <body>
        <a class="skip" href="#main">Skip to the content</a>
        <a class="to-contents" href="#contents">Contents</a>
        <main id="main">
          <header>
            <h1>${title} API</h1>
            <p class="lead">${summary}</p>
            <p>For programs: <a href="/api/v1/openapi.json">openapi.json</a>, OpenAPI 3.1.</p>
          </header>
          <section id="basics">
            <h2>Basics</h2>
            ${markdown(description)}
          </section>
          ${accessSection(document)} ${areas.map((area) => areaSection(document, area, docs))} ${deprecations}
          <section id="problems">
            <h2>Problems</h2>
            <p>The <code>type</code> of a problem leads to its entry here.</p>
            ${problemSections()}
          </section>
          <section id="schemas">
            <h2>Schemas</h2>
            ${schemaSections(document)}
          </section>
        </main>
        <nav class="contents" id="contents" aria-label="Contents">
          <a class="brand" href="#main">${title} <span>API v1</span></a>
          ${contents(areas)}
        </nav>
      </body>
    </html> `.text;
}

interface Area {
  name: string;
  description: string;
  places: Place[];
}

const areaId = (name: string): string => `area-${name.toLowerCase()}`;

function contents(areas: Area[]): Markup {
  const groups = areas.map(({ name, places }) => {
    const links = places.map(
      ({ operation: { operationId, summary } }) => html`<li><a href="#${operationId}">${summary}</a></li>`,
    );
    return html`<li>
      <a class="area" href="#${areaId(name)}">${name}</a>
      <ul>
        ${links}
      </ul>
    </li>`;
  });
  return html`<ul>
    <li><a class="area" href="#basics">Basics</a></li>
    <li><a class="area" href="#access">Tokens</a></li>
    ${groups}
    <li><a class="area" href="#problems">Problems</a></li>
    <li><a class="area" href="#schemas">Schemas</a></li>
  </ul>`;
}

function areaSection(document: Document, { name, description, places }: Area, docs: RouteDocs[]): Markup {
  return html`<section id="${areaId(name)}">
    <h2>${name}</h2>
    ${markdown(description)}
    ${places.flatMap((place) => {
      const own = docs.find(({ operationId }) => operationId === place.operation.operationId);
      return own ? [operationSection(document, place, own)] : [];
    })}
  </section>`;
}

function accessSection({ components }: Document): Markup {
  const schemes = Object.values(components['securitySchemes'] ?? {}).map(({ description }) =>
    markdown(String(description)),
  );
  return html`<section id="access">
    <h2>Tokens</h2>
    <p>Send a token with each request:</p>
    ${shellBlock('curl "$GEMBA/api/v1/maps" \\\n  -H "Authorization: Bearer $TOKEN"')}
    <p>In the examples, <code>$GEMBA</code> is the address of the server and <code>$TOKEN</code> a token.</p>
    ${schemes}
  </section>`;
}

/** Where the `Link` of a `Deprecation` leads to. */
const deprecations = html`<section id="value_add">
  <h2>Deprecated: value_add</h2>
  <p>
    ${inline('Since 2026-04 stages and steps have a `work_type`: `valuable`, `incidental` or `waste`. Before, `value_add` only told `valuable` from the rest. It is still accepted, and answers carry both. Send `work_type` instead of it; where both are sent, `work_type` wins. An answer to a request that used `value_add` carries `Deprecation`.')}
  </p>
</section>`;

function schemaSections(document: Document): Markup[] {
  const schemas = document.components['schemas'] as Record<string, Schema>;
  return Object.entries(schemas).map(([name, schema]) => {
    const values = schema.enum ? html`<p>${schema.enum.map((value) => html`<code>${value}</code> `)}</p>` : '';
    return html`<article class="schema" id="schema-${name}">
      <h3><a class="anchor" href="#schema-${name}">${name}</a></h3>
      <p>${inline(schema.description ?? '')}</p>
      ${values}${schema.properties ? fieldList(document, schema, { nested: false }) : ''}
    </article>`;
  });
}
