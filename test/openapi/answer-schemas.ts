/** Checks answers against the document: the status, the media type, the headers and the schema of the body. */
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import type { ApiDocument } from '../../server/openapi/document.ts';
import { resolved, type DocumentedResponse, type Schema } from './shapes.ts';

export interface Answered {
  path: string;
  method: string;
  status: number;
  headers: Headers;
  body: unknown;
}

/** Lists what contradicts the document; empty if nothing does. */
export type AnswerCheck = (answered: Answered) => string[];

export function answerCheck(document: ApiDocument): AnswerCheck {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  formats.default(ajv);
  ajv.addSchema({ $id: 'openapi', components: closedComponents(document.components) });
  const compiled = new Map<string, ValidateFunction>();

  return ({ path, method, status, headers, body }) => {
    const what = `${method} ${path} ${status}`;
    const described = document.paths[path]?.[method.toLowerCase()]?.['responses'] as
      | Record<string, DocumentedResponse>
      | undefined;
    if (!described?.[status]) return [`${what} is not in the document`];
    const { content = {}, headers: named = {} } = resolved<DocumentedResponse>(document, described[status]);
    const type = headers.get('Content-Type')?.split(';')[0] ?? '';
    const schema = content[type]?.schema;
    if (!schema) return [`${what} as ${type} is not in the document`];
    const valid = compiled.get(what) ?? ajv.compile(withAbsoluteRefs(schema));
    compiled.set(what, valid);
    const wrong = valid(body)
      ? []
      : (valid.errors ?? []).map((error) => `${what} ${error.instancePath} ${error.message}`);
    const unnamed = clientHeaders.filter((name) => headers.has(name) && !Object.keys(named).includes(name));
    return [...wrong, ...unnamed.map((name) => `${what} carries ${name}, which the document does not tell`)];
  };
}

/** The headers that a client uses. */
const clientHeaders = [
  'X-Request-Id',
  'RateLimit',
  'RateLimit-Policy',
  'ETag',
  'Link',
  'Location',
  'Idempotency-Replayed',
  'Deprecation',
  'Retry-After',
  'WWW-Authenticate',
];

const withAbsoluteRefs = (schema: Schema): object =>
  JSON.parse(JSON.stringify(schema).replaceAll('"#/components/', '"openapi#/components/')) as object;

/**
 * The document lets answers gain fields; here an undocumented field is an error. A problem may have members of its own.
 */
function closedComponents(components: ApiDocument['components']): unknown {
  const { Problem, ...schemas } = components['schemas']!;
  return { ...components, schemas: { Problem, ...(closedNode(schemas) as object) } };
}

function closedNode(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(closedNode);
  if (typeof node !== 'object' || node === null) return node;
  const parts = Object.fromEntries(Object.entries(node).map(([key, part]) => [key, closedNode(part)]));
  const isObject = typeof parts['properties'] === 'object' && parts['type'] === 'object';
  return isObject ? { ...parts, additionalProperties: false } : parts;
}
