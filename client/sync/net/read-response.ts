/** Reads the responses of the server; a response that is broken, refused or not from Gemba becomes a `SyncFailure`. */
import { createParser } from 'eventsource-parser';
import { problemKinds, problemOf, type Problem } from '../../../shared/protocol/problem.ts';
import { failureOfProblem, SyncFailure } from '../cycle/failure.ts';
import type { Fields } from './parse-response.ts';

/** The body of a 200 that `isOurs` recognizes. */
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
  /** Something came, if only a heartbeat. */
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

/** undefined when it is no JSON object: a captive portal answers 200 with a page of its own. */
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

/** Not every browser can iterate over a stream itself. */
async function* textsOf(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  const reader = body.getReader();
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    yield decoder.decode(read.value, { stream: true });
  }
  yield decoder.decode();
}

/** An error response. One that is no problem of ours, a proxy's page, counts by its status alone. */
async function refusalOf(response: Response): Promise<SyncFailure> {
  const { status } = response;
  const problem = await problemIn(response);
  if (problem) return new SyncFailure(failureOfProblem({ ...problem, status }, retryAfterMs(response)));
  const isFamiliar = status === 413 || status === 429 || status >= 500;
  if (!isFamiliar) return notOurs(response);
  const unavailable = problemOf({ code: 'unavailable', detail: `The answer was ${status}.` }, status);
  const failure = failureOfProblem(unavailable, retryAfterMs(response));
  return new SyncFailure(failure.kind === 'busy' ? { ...failure, isForeign: true } : failure);
}

/** The problem of a response; undefined where it is not one of Gemba's, such as a firewall's JSON. */
async function problemIn(response: Response): Promise<Problem | undefined> {
  const body = await bodyOf(response, () => {});
  if (typeof body?.['code'] !== 'string' || typeof body['detail'] !== 'string') return undefined;
  const isOurs =
    Object.hasOwn(problemKinds, body['code']) || /^application\/problem\+json\b/.test(contentType(response));
  return isOurs ? (body as Problem) : undefined;
}

function notOurs(response: Response): SyncFailure {
  const { status } = response;
  const type = contentType(response) || 'no type';
  return new SyncFailure({ kind: 'unreachable', detail: `The answer (${status}, ${type}) is not from Gemba.`, status });
}

export function unreachable(error: unknown): SyncFailure {
  if (error instanceof SyncFailure) return error;
  return new SyncFailure({ kind: 'unreachable', detail: error instanceof Error ? error.message : String(error) });
}

/** RFC 9110, section 10.2.3: seconds, or a date, which is left aside since this clock may be wrong. */
function retryAfterMs(response: Response): number | null {
  const secs = Number(response.headers.get('Retry-After') ?? Number.NaN);
  return Number.isFinite(secs) && secs >= 0 ? secs * 1000 : null;
}

const contentType = ({ headers }: Response): string => headers.get('Content-Type') ?? '';
const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null;
