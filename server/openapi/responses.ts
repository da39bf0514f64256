/** Builds the answers of an operation: the successful one, 304, and the problems. */
import { STATUS_CODES } from 'node:http';
import { ProblemBody } from '../../shared/schema/problem-body.ts';
import { problemKinds, problemOf, type ProblemCode } from '../../shared/protocol/problem.ts';
import type { Route } from '../http/route.ts';
import { exampleResponse } from './example-responses.ts';
import { responseHeaders, headersOfAll, type HeaderName } from './headers.ts';
import type { Json } from './json.ts';
import type { RouteDocs } from './route-docs.ts';
import { problemsOf } from './problem-codes.ts';
import { pascalCase } from './pascal-case.ts';
import { problemMeanings } from './problem-meanings.ts';
import type { Schemas } from './schemas.ts';

export interface Described {
  route: Route;
  docs: RouteDocs;
  schemas: Schemas;
}

export function responsesOf({ route, docs, schemas }: Described): Json {
  const { status, description, schema, contentType = 'application/json' } = docs.response;
  const examples = Object.entries(docs.examples).flatMap(([name, { summary }]) => {
    const answer = exampleResponse(docs.operationId, name);
    return answer ? [[name, { summary, value: answer.body }] as const] : [];
  });
  const content = {
    schema: schemas.show(schema, 'answer'),
    ...(examples.length > 0 ? { examples: Object.fromEntries(examples) } : {}),
  };
  const problems = [...problemsOf(route, docs)].map(([problemStatus, codes]) => {
    const headers = takesDeprecatedField(route) && statusesAfterBody.has(problemStatus) ? deprecationHeaders : [];
    return [String(problemStatus), problemRef(problemStatus, codes, headers)];
  });
  return {
    [String(status)]: {
      description,
      headers: headerRefs(answerHeadersOf(route, docs)),
      content: { [contentType]: content },
    },
    ...(docs.conditionalRead ? { '304': { $ref: '#/components/responses/NotModified' } } : {}),
    ...Object.fromEntries(problems),
  };
}

/** Builds the answers that several operations share. */
export function sharedResponses(schemas: Schemas): Record<string, Json> {
  const single = (Object.keys(problemKinds) as ProblemCode[]).map((code) => {
    return [pascalCase(code), problemResponse(problemKinds[code].status, [code], { schemas })];
  });
  const description = 'What you have is the newest: there is no body.';
  return { NotModified: { description, headers: headerRefs(['ETag']) }, ...Object.fromEntries(single) };
}

/** A request with `value_add` gets these headers, also on a refusal after its body was read. */
const deprecationHeaders: HeaderName[] = ['Deprecation', 'Link'];
/** The statuses of refusals that can come after the body was read. */
const statusesAfterBody = new Set([403, 404, 409, 412, 422, 500, 503]);

const takesDeprecatedField = ({ schemas }: Route): boolean =>
  JSON.stringify(schemas.body ?? {}).includes('"value_add"');

function answerHeadersOf(route: Route, { response, idempotency }: RouteDocs): HeaderName[] {
  return [
    ...(response.headers ?? []),
    ...(idempotency ? (['Idempotency-Replayed'] as const) : []),
    ...(takesDeprecatedField(route) ? deprecationHeaders : []),
  ];
}

/** Refers to the shared answer if the status has only one code, else describes the codes here. */
function problemRef(status: number, codes: ProblemCode[], headers: HeaderName[]): Json {
  const [only] = codes;
  if (codes.length === 1 && only && problemKinds[only].status === status && headers.length === 0) {
    return { $ref: `#/components/responses/${pascalCase(only)}` };
  }
  return problemResponse(status, codes, { headers });
}

function problemResponse(
  status: number,
  codes: ProblemCode[],
  { schemas, headers = [] }: { schemas?: Schemas; headers?: HeaderName[] },
): Json {
  schemas?.show(ProblemBody, 'answer');
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

function headersOfStatus(status: number): HeaderName[] {
  if (status === 401) return ['WWW-Authenticate'];
  return status === 429 || status === 503 ? ['Retry-After'] : [];
}

function problemExample(code: ProblemCode, status: number): Json {
  const { detail, errors, members } = problemMeanings[code];
  const problem = problemOf({ code, detail, ...(errors ? { errors } : {}), ...(members ? { members } : {}) }, status);
  const request_id = responseHeaders['X-Request-Id'].example;
  return { summary: problem.title, value: { ...problem, request_id } };
}

function headerRefs(names: HeaderName[]): Json {
  const all = [...headersOfAll, ...new Set(names)];
  return Object.fromEntries(all.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
