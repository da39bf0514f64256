/** Reads the server's responses; throws a `RequestError` for a broken response, an error, or a response not from Gemba. */
import { createParser } from 'eventsource-parser';
import { problemKinds, problemOf, type Problem } from '../../../shared/protocol/problem.ts';
import { failureOfProblem, RequestError } from './failure.ts';
import type { Fields } from './parse-response.ts';

/** Returns the body of a success that `isOurs` recognizes as Gemba's. */
export async function readAnswer(
  response: Response,
  isOurs: (body: Fields) => boolean,
  onAlive: () => void,
): Promise<Fields> {
  if (!response.ok) throw await refusalOf(response);
  const body = await bodyOf(response, onAlive);
  if (!body || !isOurs(body)) throw notOurs(response);
  return body;
}

export interface FeedListener {
  /** The account has changed up to this cursor. */
  onCursor(cursor: string): void;
  /** Something arrived on the stream: an event or a heartbeat. */
  onAlive(): void;
}

/** Reads until the stream ends; rejects when it breaks. */
export async function readEvents(response: Response, { onCursor, onAlive }: FeedListener): Promise<void> {
  if (!response.ok) throw await refusalOf(response);
  if (!/^text\/event-stream\b/.test(contentType(response)) || !response.body) throw notOurs(response);
  const parser = createParser({
    onEvent: ({ event, data }) => {
      onAlive();
      if (event === 'cursor') onCursor((JSON.parse(data) as { cursor: string }).cursor);
    },
    onComment: onAlive,
  });
  try {
    for await (const text of textsOf(response.body)) parser.feed(text);
  } catch (error) {
    throw unreachable(error);
  }
}

/** Returns undefined if the body is not a JSON object, such as the login page that a captive portal sends with status 200. */
async function bodyOf(response: Response, onAlive: () => void): Promise<Fields | undefined> {
  const isJson = /^application\/(problem\+)?json\b/.test(contentType(response));
  if (!isJson) return undefined;
  try {
    let text = '';
    for await (const part of response.body ? textsOf(response.body) : []) {
      onAlive();
      text += part;
    }
    const body: unknown = JSON.parse(text);
    return isFields(body) ? body : undefined;
  } catch (error) {
    throw unreachable(error);
  }
}

/** Reads the stream through its reader, since not every browser can iterate over a stream with `for await`. */
async function* textsOf(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  const reader = body.getReader();
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    yield decoder.decode(read.value, { stream: true });
  }
  yield decoder.decode();
}

/** The failure of an error response. If its body is not from Gemba, such as a proxy's page, only the status counts. */
async function refusalOf(response: Response): Promise<RequestError> {
  const { status } = response;
  const problem = await problemIn(response);
  if (problem) return new RequestError(failureOfProblem({ ...problem, status }, retryAfterMs(response)));
  const isFamiliar = status === 413 || status === 429 || status >= 500;
  if (!isFamiliar) return notOurs(response);
  const unavailable = problemOf({ code: 'unavailable', detail: `The answer was ${status}.` }, status);
  const failure = failureOfProblem(unavailable, retryAfterMs(response));
  return new RequestError(failure.kind === 'busy' ? { ...failure, isNotGemba: true } : failure);
}

/** The problem in the body; undefined if the body is not a problem of Gemba's, such as a firewall's JSON. */
async function problemIn(response: Response): Promise<Problem | undefined> {
  const body = await bodyOf(response, () => {});
  if (typeof body?.['code'] !== 'string' || typeof body['detail'] !== 'string') return undefined;
  const isOurs =
    Object.hasOwn(problemKinds, body['code']) || /^application\/problem\+json\b/.test(contentType(response));
  return isOurs ? (body as Problem) : undefined;
}

function notOurs(response: Response): RequestError {
  const { status } = response;
  const type = contentType(response) || 'no type';
  return new RequestError({
    kind: 'unreachable',
    detail: `The answer (${status}, ${type}) is not from Gemba.`,
    status,
  });
}

export function unreachable(error: unknown): RequestError {
  if (error instanceof RequestError) return error;
  return new RequestError({ kind: 'unreachable', detail: error instanceof Error ? error.message : String(error) });
}

/** `Retry-After` holds seconds or a date (RFC 9110, 10.2.3); a date is ignored, since the device's clock may be wrong. */
function retryAfterMs(response: Response): number | null {
  const secs = Number(response.headers.get('Retry-After') ?? Number.NaN);
  return Number.isFinite(secs) && secs >= 0 ? secs * 1000 : null;
}

const contentType = ({ headers }: Response): string => headers.get('Content-Type') ?? '';
const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null;
