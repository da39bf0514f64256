/** Fields and parameters as lists: name, type, meaning and limits. */
import type { Document } from '../document.ts';
import { html, inline, type Markup } from './html.ts';
import { refName, resolved, type Parameter, type Schema } from './shapes.ts';

export function fieldList(document: Document, schema: Schema, { nested }: { nested: boolean }): Markup {
  const { properties = {}, required = [] } = resolved(document, schema);
  const fields = Object.entries(properties).map(([name, field]) => {
    const marks = [
      ...(required.includes(name) ? [html`<span class="mark required">required</span>`] : []),
      ...(isDeprecated(document, field) ? [html`<span class="mark">deprecated</span>`] : []),
    ];
    return row(
      { name, type: typeOf(field), marks, description: field.description },
      nested ? inner(document, field) : [],
    );
  });
  return html`<dl class="fields">${fields}</dl>`;
}

export function parameterList(parameters: Parameter[]): Markup {
  const rows = parameters.map(({ name, required, description, schema }) => {
    const marks = required ? [html`<span class="mark required">required</span>`] : [];
    const limits = schema.description === description ? undefined : schema.description;
    return row({ name, type: typeOf(schema), marks, description: [description, limits].filter(Boolean).join(' ') }, []);
  });
  return html`<dl class="fields">${rows}</dl>`;
}

interface Row {
  name: string;
  type: Markup;
  marks: Markup[];
  description: string | undefined;
}

function row({ name, type, marks, description }: Row, inside: Markup[]): Markup {
  return html`<div class="field">
    <dt><code>${name}</code> <span class="type">${type}</span> ${marks}</dt>
    <dd>${description ? html`<p>${inline(description)}</p>` : ''}${inside}</dd>
  </div>`;
}

/** The fields of an object within, or of each object of a list. */
function inner(document: Document, field: Schema): Markup[] {
  const one = field.items ?? field;
  const name = refName(one);
  if (name === undefined || !resolved(document, one).properties) return [];
  const summary = field.items ? html`Fields of each <code>${name}</code>` : html`Fields of <code>${name}</code>`;
  return [
    html`<details open>
      <summary>${summary}</summary>
      ${fieldList(document, one, { nested: false })}
    </details>`,
  ];
}

export function typeOf(schema: Schema): Markup {
  const name = refName(schema);
  if (name !== undefined) return html`<a href="#schema-${name}">${name}</a>`;
  if (schema.anyOf) return joined(schema.anyOf.map(typeOf), ' or ');
  if (schema.const !== undefined) return html`<code>${JSON.stringify(schema.const)}</code>`;
  if (schema.enum)
    return joined(
      schema.enum.map((value) => html`<code>${value}</code>`),
      ' or ',
    );
  if (schema.items) return html`list of ${typeOf(schema.items)}`;
  return html`${schema.format === 'date-time' ? 'time' : (schema.type ?? 'any')}`;
}

function joined(parts: Markup[], by: string): Markup {
  return html`${parts.map((part, index) => html`${index > 0 ? by : ''}${part}`)}`;
}

const isDeprecated = (document: Document, field: Schema): boolean => resolved(document, field).deprecated === true;
