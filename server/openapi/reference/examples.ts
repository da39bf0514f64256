/** Examples to copy: the request as a curl, the answer as JSON. */
import type { ExampleRequest } from '../route-docs.ts';
import { html, type Markup } from './html.ts';

interface CurlRequest {
  method: string;
  path: string;
  access: 'none' | 'token' | 'operator';
  example: ExampleRequest;
  streams: boolean;
}

export function curl({ method, path, access, example, streams }: CurlRequest): string {
  const { path: ids = {}, query = {}, headers = {}, body } = example;
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => String(ids[name] ?? `{${name}}`));
  const parameters = Object.entries(query).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  const target = `"$GEMBA${filled}${parameters.length > 0 ? `?${parameters.join('&')}` : ''}"`;
  const all = {
    ...(access === 'none'
      ? {}
      : { Authorization: `Bearer ${access === 'operator' ? '$GEMBA_ADMIN_TOKEN' : '$TOKEN'}` }),
    ...headers,
    ...(body ? { 'Content-Type': 'application/json' } : {}),
  };
  const lines = [
    ['curl', streams ? '-N' : '', method === 'GET' ? '' : `-X ${method}`, target].filter(Boolean).join(' '),
    ...Object.entries(all).map(([name, value]) => `  -H "${name}: ${value}"`),
    ...(body ? [`  -d ${quoted(JSON.stringify(body, null, 2))}`] : []),
  ];
  return lines.join(' \\\n');
}

/** For a shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

export function shellBlock(code: string): Markup {
  return html`<pre class="code" tabindex="0"><code>${code}</code></pre>`;
}

/** JSON with its keys, texts and other values told apart. */
export function jsonBlock(value: unknown): Markup {
  if (typeof value === 'string') return shellBlock(value.trimEnd());
  const text = JSON.stringify(value, null, 2);
  const parts = text.split(/("(?:[^"\\]|\\.)*"(?::)?|-?\d[\d.eE+-]*|\b(?:true|false|null)\b)/);
  const colored = parts.map((part, index) =>
    index % 2 === 0 ? part : html`<span class="${kindOf(part)}">${part}</span>`,
  );
  return html`<pre class="code" tabindex="0"><code>${colored}</code></pre>`;
}

function kindOf(token: string): string {
  if (token.endsWith('":')) return 'key';
  return token.startsWith('"') ? 'text' : 'value';
}
