/** Builds the responses of an operation: the success, 304 and the problems. */
import { STATUS_CODES } from 'node:http';
import { fieldsOf } from '../../shared/domain/fields-of.ts';
import { packedMediaType } from '../../shared/packed/column.ts';
import { ProblemBody } from '../../shared/schema/problem-body.ts';
import type { ProblemCode } from '../../shared/protocol/problem.ts';
import { allProblemKinds, problemOfAnyCode } from '../../shared/protocol/problems/all-problems.ts';
import type { Route } from '../http/route.ts';
import { readExampleResponse } from './example-responses.ts';
import { responseHeaders, commonResponseHeaders, type ResponseHeaderName } from '../../shared/protocol/http-headers.ts';
import type { JsonObject } from './json.ts';
import type { RouteDocs } from './route-docs.ts';
import { problemCodesByStatus } from './problem-codes.ts';
import { pascalCase } from './pascal-case.ts';
import { problemMeanings } from '../../shared/protocol/meanings/problem-meanings.ts';
import type { Schemas } from './schemas.ts';

export interface DocumentedRoute {
  route: Route;
  docs: RouteDocs;
  schemas: Schemas;
}

export function responsesOf({ route, docs, schemas }: DocumentedRoute): JsonObject {
  const { status, description, schema, contentType = 'application/json' } = docs.response;
  const examples = Object.entries(docs.examples).flatMap(([name, { summary }]) => {
    const response = readExampleResponse(docs.operationId, name);
    return response ? [[name, { summary, value: response.body }] as const] : [];
  });
  const content = schema && {
    [contentType]: {
      schema: schemas.convert(schema, 'response'),
      ...(examples.length > 0 ? { examples: Object.fromEntries(examples) } : {}),
    },
    ...(docs.response.packed ? { [packedMediaType]: packedContent } : {}),
  };
  const problems = [...problemCodesByStatus(route, docs)].map(([problemStatus, codes]) => {
    const headers = takesDeprecatedField(route) && statusesAfterBody.has(problemStatus) ? deprecationHeaders : [];
    return [String(problemStatus), problemResponseOrRef(problemStatus, codes, headers)];
  });
  return {
    [String(status)]: {
      description,
      headers: headerRefs(successHeadersOf(route, docs)),
      ...(content ? { content } : {}),
    },
    ...(docs.takesRange && content ? { '206': partialResponse(content) } : {}),
    ...(docs.conditionalRead ? { '304': { $ref: '#/components/responses/NotModified' } } : {}),
    ...Object.fromEntries(problems),
  };
}

const partialResponse = (content: JsonObject): JsonObject => ({
  description: 'The part that `Range` asked for.',
  headers: headerRefs(['ETag', 'Content-Range']),
  content,
});

const packedContent: JsonObject = {
  schema: {
    type: 'object',
    description:
      'The same body, but each list of two or more items is an object with `packed`, its length, and `column`. docs/sync-protocol.md describes the columns.',
  },
};

/** Builds the responses that several operations refer to. */
export function sharedResponses(schemas: Schemas): Record<string, JsonObject> {
  const problemResponses = fieldsOf(allProblemKinds).map((code) => {
    return [pascalCase(code), problemResponse(allProblemKinds[code].status, [code], { schemas })];
  });
  const description = 'What you have is the newest: there is no body.';
  return { NotModified: { description, headers: headerRefs(['ETag']) }, ...Object.fromEntries(problemResponses) };
}

/**
 * If a request contains `value_add` and the server has read its body, the response has these headers, even a refusal.
 */
const deprecationHeaders: ResponseHeaderName[] = ['Deprecation', 'Link'];
/** The statuses of refusals that the server may send after it has read the body, and thus with `deprecationHeaders`. */
const statusesAfterBody = new Set([403, 404, 409, 412, 422, 500, 503]);

const takesDeprecatedField = ({ schemas }: Route): boolean =>
  JSON.stringify(schemas.body ?? {}).includes('"value_add"');

function successHeadersOf(route: Route, { response, idempotency }: RouteDocs): ResponseHeaderName[] {
  return [
    ...(response.headers ?? []),
    ...(idempotency === 'key' || idempotency === 'session' ? (['Idempotency-Replayed'] as const) : []),
    ...(takesDeprecatedField(route) ? deprecationHeaders : []),
  ];
}

/** Refers to a shared response if the operation has only one code with this status. */
function problemResponseOrRef(status: number, codes: ProblemCode[], headers: ResponseHeaderName[]): JsonObject {
  const [only] = codes;
  if (codes.length === 1 && only && allProblemKinds[only].status === status && headers.length === 0) {
    return { $ref: `#/components/responses/${pascalCase(only)}` };
  }
  return problemResponse(status, codes, { headers });
}

function problemResponse(
  status: number,
  codes: ProblemCode[],
  { schemas, headers = [] }: { schemas?: Schemas; headers?: ResponseHeaderName[] },
): JsonObject {
  schemas?.convert(ProblemBody, 'response');
  const words = codes.map((code) => `\`${code}\`: ${problemMeanings[code].meaning}`);
  return {
    description:
      codes.length === 1 ? words[0] : `${STATUS_CODES[status]}.\n\n${words.map((word) => `- ${word}`).join('\n')}`,
    headers: headerRefs([...headersOfStatus(status), ...headers]),
    content: {
      'application/problem+json': {
        schema: {
          allOf: [
            { $ref: '#/components/schemas/Problem' },
            { type: 'object', properties: { status: { const: status }, code: { type: 'string', enum: codes } } },
          ],
        },
        examples: Object.fromEntries(codes.map((code) => [code, problemExample(code, status)])),
      },
    },
  };
}

function headersOfStatus(status: number): ResponseHeaderName[] {
  if (status === 401) return ['WWW-Authenticate'];
  return status === 429 || status === 503 ? ['Retry-After'] : [];
}

function problemExample(code: ProblemCode, status: number): JsonObject {
  const { detail, errors, members } = problemMeanings[code];
  const problem = problemOfAnyCode(
    { code, detail, ...(errors ? { errors } : {}), ...(members ? { members } : {}) },
    status,
  );
  const request_id = responseHeaders['X-Request-Id'].example;
  return { summary: problem.title, value: { ...problem, request_id } };
}

function headerRefs(names: ResponseHeaderName[]): JsonObject {
  const all = [...commonResponseHeaders, ...new Set(names)];
  return Object.fromEntries(all.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
