/** One operation: what it takes, what it answers, and examples of both. */
import type { Document } from '../document.ts';
import type { RouteDocs } from '../route-docs.ts';
import { curl, jsonBlock, shellBlock } from './examples.ts';
import { fieldList, parameterList, typeOf } from './fields.ts';
import { html, inline, markdown, type Markup } from './html.ts';
import { resolved, type Content, type Parameter, type Place, type Response } from './shapes.ts';

export function operationSection(document: Document, place: Place, docs: RouteDocs): Markup {
  const { method, path, operation } = place;
  const parameters = (operation.parameters ?? []).map((parameter) => resolved<Parameter>(document, parameter));
  return html`<article class="operation" id="${operation.operationId}">
    <h3><a class="anchor" href="#${operation.operationId}">${operation.summary}</a></h3>
    <p class="endpoint">
      <span class="method ${method.toLowerCase()}">${method}</span> <code>${breakable(path)}</code>
    </p>
    ${markdown(operation.description)} ${parameterSections(parameters)}
    ${bodySection(document, operation.requestBody?.content['application/json'])} ${answerSection(document, place)}
    ${exampleSections(place, docs.examples)}
  </article>`;
}

/** A long path may break before each of its parts. */
function breakable(path: string): Markup {
  return html`${path.split(/(?=\/)/).map((part) => html`<wbr />${part}`)}`;
}

const titles = { path: 'Path', query: 'Query', header: 'Headers' } as const;

function parameterSections(parameters: Parameter[]): Markup[] {
  return (['path', 'query', 'header'] as const).flatMap((where) => {
    const those = parameters.filter((parameter) => parameter.in === where);
    return those.length > 0
      ? [
          html`<h4>${titles[where]}</h4>
            ${parameterList(those)}`,
        ]
      : [];
  });
}

function bodySection(document: Document, content: Content | undefined): Markup {
  if (!content) return html``;
  return html`<h4>Body <span class="type">${typeOf(content.schema)}</span></h4>
    ${fieldList(document, content.schema, { nested: true })}`;
}

function answerSection(document: Document, { operation }: Place): Markup {
  const rows = Object.entries(operation.responses).map(([status, reference]) => {
    const response = resolved<Response>(document, reference);
    const problem = response.content?.['application/problem+json'];
    const words = problem ? problemLinks(Object.keys(problem.examples ?? {})) : successWords(response);
    return html`<div class="answer">
      <dt class="status s${status[0]}">${status}</dt>
      <dd>${words}</dd>
    </div>`;
  });
  return html`<h4>Answers</h4>
    <dl class="answers">${rows}</dl>`;
}

function successWords({ description, content, headers }: Response): Markup {
  const schema = Object.values(content ?? {})[0]?.schema;
  const own = Object.keys(headers ?? {}).filter((name) => !/^(X-Request-Id|RateLimit)/.test(name));
  const type =
    schema && schema.type !== 'string' && !schema.properties ? html` <span class="type">${typeOf(schema)}</span>` : '';
  const also =
    own.length > 0 ? html`<span class="headers">${own.map((name) => html` <code>${name}</code>`)}</span>` : '';
  return html`${inline(description)}${type}${also}`;
}

function problemLinks(codes: string[]): Markup {
  return html`${codes.map((code) => html`<a class="code-link" href="#${code}"><code>${code}</code></a> `)}`;
}

/** The examples as they are sent; the document has only room for their bodies. */
function exampleSections({ method, path, operation }: Place, examples: RouteDocs['examples']): Markup[] {
  return Object.entries(examples).map(([name, example]) => {
    const success = Object.values(operation.responses)[0];
    const answer = Object.values(success?.content ?? {})[0]?.examples?.[name];
    const access = operation.security.some((scheme) => 'operator' in scheme) ? 'operator' : 'token';
    const streams = success?.content?.['text/event-stream'] !== undefined;
    const code = curl({ method, path, access: operation.security.length === 0 ? 'none' : access, example, streams });
    return html`<section class="example">
      <h4>Example: ${lowerFirst(example.summary)}</h4>
      ${shellBlock(code)}${
        answer
          ? html`<p class="answered">answers</p>
              ${jsonBlock(answer.value)}`
          : ''
      }
    </section>`;
  });
}

const lowerFirst = (text: string): string => `${text[0]?.toLowerCase()}${text.slice(1)}`;
