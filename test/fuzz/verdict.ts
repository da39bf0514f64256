/** Lists what is wrong with an answer. */
import type { ProblemCode } from '../../shared/protocol/problem.ts';
import { allProblemKinds } from '../../shared/protocol/problems/all-problems.ts';
import type { AnswerCheck } from '../openapi/answer-schemas.ts';
import type { RawAnswer } from './http-answer.ts';
import type { FuzzRequest } from './request.ts';

export interface VerdictOptions {
  check: AnswerCheck;
  /** Marks of other accounts, which the answer must not contain. */
  foreignMarks: string[];
}

export function answerFaults(
  request: FuzzRequest,
  answer: RawAnswer,
  { check, foreignMarks }: VerdictOptions,
): string[] {
  const { status, headers } = answer;
  const text = answer.body.toString();
  const head = JSON.stringify([...headers]);
  const read = bodyOf(answer, text);
  if (!read.ok) return [`the body is not the JSON that it says it is: ${text.slice(0, 100)}`];
  return [
    ...(status >= 500 ? [`status ${status}`] : []),
    ...requiredHeaders.filter((name) => !headers.has(name)).map((name) => `no ${name} in the answer ${status}`),
    ...foreignMarks.filter((mark) => text.includes(mark) || head.includes(mark)).map((mark) => `a leak of ${mark}`),
    ...(internalsPattern.test(text) ? [`the inside of the server: ${internalsPattern.exec(text)?.[0]}`] : []),
    ...(status >= 400 && !request.isHead ? problemFaults(status, headers, read.body) : []),
    ...documentFaults(request, { ...answer, body: read.body }, check),
  ];
}

const requiredHeaders = ['X-Request-Id', 'RateLimit', 'RateLimit-Policy'];

/** Matches stack traces, SQL, and messages of drivers and parsers, which no answer may contain. */
const internalsPattern =
  /\n\s+at \S+|node_modules|\b(SELECT|INSERT|DELETE|UPDATE)\b.{1,80}\b(FROM|INTO|SET)\b|SQLITE_|\b(Type|Syntax|Range|Reference)Error\b|\.ts:\d+/;

function bodyOf({ headers, body }: RawAnswer, text: string): { ok: true; body: unknown } | { ok: false } {
  if (body.length === 0 || headers.get('Content-Type')?.includes('json') !== true) return { ok: true, body: text };
  try {
    return { ok: true, body: JSON.parse(text) as unknown };
  } catch {
    return { ok: false };
  }
}

function problemFaults(status: number, headers: Headers, body: unknown): string[] {
  const type = headers.get('Content-Type');
  if (type !== 'application/problem+json') return [`the refusal ${status} is ${type}`];
  const { code, status: told, request_id } = body as { code: ProblemCode; status: number; request_id: string };
  const inTable = allProblemKinds[code]?.status === status || (code === 'map_deleted' && status === 404);
  return [
    ...(inTable ? [] : [`${code} has the status ${status}`]),
    ...(told === status ? [] : [`the body says ${told}, the status is ${status}`]),
    ...(request_id === headers.get('X-Request-Id') ? [] : ['request_id is not X-Request-Id']),
  ];
}

function documentFaults(request: FuzzRequest, answer: Omit<RawAnswer, 'body'> & { body: unknown }, check: AnswerCheck) {
  const { method, path, operation } = request.place;
  const { status, headers, body } = answer;
  const code = status >= 400 ? (body as { code?: string }).code : undefined;
  // Any request can get a problem of HTTP itself.
  const isOfHttp = code !== undefined && ['malformed_request', 'headers_too_large', 'request_timeout'].includes(code);
  if (request.isHead || !request.isRouted || (isOfHttp && request.kind === 'hostile request')) return [];
  if (status !== 304) return check({ method, path, status, headers, body });
  return operation.responses[304] && body === '' ? [] : [`${method} ${path} 304 is not in the document, or has a body`];
}
