/** Reads responses. Throws a `RequestError` if a response has an error status, breaks off, or is not from Gemba. */
import { problemTypeOf, type Problem } from '../../../shared/protocol/problem.ts';
import { deviceProblemOf } from '../../core/device-problem.ts';
import { failureOfProblem, RequestError } from './failure.ts';
import { isObject, type JsonObject } from '../../core/json-object.ts';

/**
 * Turns a packed or brief body into the body of the documented JSON form. Returns other bodies unchanged, and throws if
 * the packed form is damaged.
 */
export type Unpack = (body: JsonObject) => JsonObject;

interface ReadOptions {
  isExpected: (body: JsonObject) => boolean;
  onAlive: () => void;
  unpack: Unpack | undefined;
}

/** Reads the body of a successful response. Throws if `isExpected` rejects it. */
export async function readBody(response: Response, { isExpected, onAlive, unpack }: ReadOptions): Promise<JsonObject> {
  if (!response.ok) throw await errorOfResponse(response);
  const body = await jsonBodyOf(response, onAlive, unpack);
  if (!body || !isExpected(body)) throw notFromGembaError(response);
  return body;
}

/** Returns undefined for a body that is not a JSON object, such as a captive portal's login page with status 200. */
async function jsonBodyOf(response: Response, onAlive: () => void, unpack?: Unpack): Promise<JsonObject | undefined> {
  const isJson = /^application\/((problem|vnd\.gemba\.packed)\+)?json\b/.test(contentType(response));
  if (!isJson) return undefined;
  try {
    let text = '';
    for await (const part of response.body ? textChunksOf(response.body) : [await response.text()]) {
      onAlive();
      text += part;
    }
    const body: unknown = JSON.parse(text);
    return isObject(body) ? (unpack?.(body) ?? body) : undefined;
  } catch (error) {
    throw unreachableError(error);
  }
}

/** Reads the stream through a reader, since some browsers cannot iterate over a stream with `for await`. */
export async function* textChunksOf(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  const reader = body.getReader();
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    yield decoder.decode(read.value, { stream: true });
  }
  yield decoder.decode();
}

/**
 * Builds the error of a response with an error status. If the body is not from Gemba, such as a proxy's page, builds it
 * from the status alone.
 */
export async function errorOfResponse(response: Response): Promise<RequestError> {
  const { status } = response;
  const problem = await problemIn(response);
  if (problem) return new RequestError(failureOfProblem({ ...problem, status }, retryAfterMsOf(response)));
  const isServerStatus = status === 413 || status === 429 || status >= 500;
  if (!isServerStatus) return notFromGembaError(response);
  const unavailable = deviceProblemOf({ code: 'unavailable', detail: `The answer was ${status}.` }, status);
  const failure = failureOfProblem(unavailable, retryAfterMsOf(response));
  return new RequestError(failure.kind === 'busy' ? { ...failure, isNotGemba: true } : failure);
}

/** Returns undefined if the body is not a problem (RFC 9457) of Gemba, such as a firewall's JSON. */
async function problemIn(response: Response): Promise<Problem | undefined> {
  const body = await jsonBodyOf(response, () => {});
  if (typeof body?.['code'] !== 'string' || typeof body['detail'] !== 'string') return undefined;
  // Checks the problem's type, too, since a proxy may change the content type. Does not compare titles, since a list of
  // all titles would make the start of the app larger.
  const isGembas =
    body['type'] === problemTypeOf(body['code']) || /^application\/problem\+json\b/.test(contentType(response));
  return isGembas ? (body as Problem) : undefined;
}

export function notFromGembaError(response: Response): RequestError {
  const { status } = response;
  const type = contentType(response) || 'no type';
  return new RequestError({
    kind: 'unreachable',
    detail: `The answer (${status}, ${type}) is not from Gemba.`,
    status,
  });
}

export function unreachableError(error: unknown): RequestError {
  if (error instanceof RequestError) return error;
  return new RequestError({ kind: 'unreachable', detail: error instanceof Error ? error.message : String(error) });
}

/** Reads `Retry-After` in seconds (RFC 9110, 10.2.3). Ignores a date, since the device's clock may be wrong. */
function retryAfterMsOf(response: Response): number | null {
  const secs = Number(response.headers.get('Retry-After') ?? Number.NaN);
  return Number.isFinite(secs) && secs >= 0 ? secs * 1000 : null;
}

export const contentType = ({ headers }: Response): string => headers.get('Content-Type') ?? '';
