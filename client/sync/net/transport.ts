/** The sync protocol over HTTP. Answers are taken apart here; whatever is wrong with them becomes a `SyncFailure`. */
import { createParser } from 'eventsource-parser';
import { problemKinds, problemOf, type Problem } from '../../../shared/protocol/problem.ts';
import type { PullResponse, RecordKind } from '../../../shared/protocol/pull.ts';
import type { PushRequest, PushResponse } from '../../../shared/protocol/push.ts';
import { protocolHeader, protocolVersion } from '../../../shared/protocol/version.ts';
import { credentialCalls, type AccessTransport } from './device-requests.ts';
import { isPullResponse, isPushResponse, type Fields } from './parse-response.ts';
import { isoTime } from '../../core/clock.ts';
import { failureOfProblem, SyncFailure } from '../cycle/failure.ts';

export type Fetch = typeof globalThis.fetch;

interface TransportOptions {
  url: string;
  fetch: Fetch;
  token: () => string | null;
  /** Calls once after `ms`; the answer cancels. */
  schedule: (ms: number, call: () => void) => () => void;
  /** The server's time, as an answer of its own told it. */
  onTime: (at: string) => void;
}

export interface Transport extends AccessTransport {
  push(request: PushRequest, signal: AbortSignal): Promise<PushResponse>;
  pull(query: PullQuery, signal: AbortSignal): Promise<PullResponse>;
  /** Listens until the stream ends; rejects when it breaks or `signal` aborts. */
  events(signal: AbortSignal, listener: FeedListener): Promise<void>;
}

interface PullQuery {
  /** Left out, the pull brings no client's record. */
  clientId?: string;
  accountId?: string;
  /** The client is that of an earlier token, carried on. */
  carried?: boolean;
  cursor: string;
  limit: number;
  kinds: readonly RecordKind[];
}

interface FeedListener {
  /** The account has changed up to this cursor. */
  onCursor(cursor: string): void;
  /** Something came, if only a heartbeat. */
  onAlive(): void;
}

/** An exchange in which nothing comes for so long is given up and tried again. */
const silenceMsMax = 30_000;
const patienceMax = 4;
/** However steadily it comes: less than the watchdog's patience, so that it is known as slow. */
const exchangeMsMax = 80_000;
/** Of a line that is slow: what is too much for it goes in smaller batches. */
const uploadBytesPerMs = 16;
/** What cannot be split has all the time that the server gives it, at the slowest that it takes. */
const uploadBytesPerMsMin = 1;
const uploadMsMax = 20 * 60_000;

export function httpTransport({ url, fetch, token, schedule, onTime }: TransportOptions): Transport {
  /** A line that was too slow is given more time. */
  let patience = 1;
  const api = new URL('api/v1/', url.endsWith('/') ? url : `${url}/`);

  async function send(path: string, init: Exchange): Promise<Response> {
    const bearer = token();
    const headers = {
      [protocolHeader]: String(protocolVersion),
      ...(bearer === null ? {} : { Authorization: `Bearer ${bearer}` }),
      ...(init.body === undefined ? {} : { 'Content-Type': 'application/json' }),
    };
    try {
      return await fetch(new URL(path, api), { ...init, headers, cache: 'no-store', redirect: 'error' });
    } catch (error) {
      throw unreachable(error);
    }
  }

  /** The body of a 200 that `isAnswer` knows as one of ours, within the time that an exchange may take. */
  async function json<Body>(
    path: string,
    { signal, isAlone = false, ...init }: Exchange,
    isAnswer: (body: Fields) => boolean,
  ) {
    const exchange = new AbortController();
    const abort = () => exchange.abort();
    signal.addEventListener('abort', abort, { once: true });
    if (signal.aborted) abort();
    let timedOut = false;
    const giveUp = () => {
      timedOut = true;
      patience = Math.min(patience * 2, patienceMax);
      abort();
    };
    const sendingMs = typeof init.body === 'string' ? uploadMs(init.body.length, isAlone) : 0;
    const silenceMs = Math.min(silenceMsMax * patience, exchangeMsMax);
    const cancelAnswer = schedule(sendingMs + exchangeMsMax, giveUp);
    let cancelSilence = schedule(sendingMs + silenceMs, giveUp);
    const onAlive = () => {
      cancelSilence();
      cancelSilence = schedule(silenceMs, giveUp);
    };
    try {
      const response = await send(path, { ...init, signal: exchange.signal });
      onAlive();
      if (!response.ok) throw await refusalOf(response);
      const body = await bodyOf(response, onAlive);
      if (!body || !isAnswer(body)) throw notOurs(response);
      patience = Math.max(1, patience / 2);
      const date = Date.parse(response.headers.get('Date') ?? '');
      if (!Number.isNaN(date)) onTime(isoTime(date));
      return body as Body;
    } catch (error) {
      if (timedOut) throw new SyncFailure({ kind: 'unreachable', detail: 'The server took too long.', timedOut });
      throw error;
    } finally {
      cancelAnswer();
      cancelSilence();
      signal.removeEventListener('abort', abort);
    }
  }

  const post = <Body>(path: string, body: object, exchange: Exchange, isAnswer: (body: Fields) => boolean) =>
    json<Body>(path, { ...exchange, method: 'POST', body: JSON.stringify(body) }, isAnswer);

  return {
    push: (request, signal) => {
      const lastSent = request.mutations.at(-1)?.seq ?? 0;
      const isAlone = request.mutations.length === 1;
      return post('sync/push', request, { signal, isAlone }, (body) => isPushResponse(body, lastSent));
    },
    pull: ({ clientId, accountId, carried = false, cursor, limit, kinds }, signal) => {
      const query = new URLSearchParams({ cursor, limit: String(limit), kinds: kinds.join(',') });
      if (clientId !== undefined) query.set('client_id', clientId);
      if (accountId !== undefined) query.set('account_id', accountId);
      if (carried) query.set('carried', 'true');
      return json<PullResponse>(`sync/pull?${query}`, { signal }, (body) => isPullResponse(body, cursor));
    },
    events: async (signal, listener) => {
      const response = await send('sync/events', { signal });
      if (!response.ok) throw await refusalOf(response);
      const isStream = /^text\/event-stream\b/.test(response.headers.get('Content-Type') ?? '');
      if (!isStream || !response.body) throw notOurs(response);
      await readEvents(response.body, listener);
    },
    ...credentialCalls({ json, post }),
  };
}

interface Exchange extends RequestInit {
  signal: AbortSignal;
  /** It carries what cannot be split. */
  isAlone?: boolean;
}

async function readEvents(body: ReadableStream<Uint8Array>, { onCursor, onAlive }: FeedListener): Promise<void> {
  const parser = createParser({
    onEvent: ({ event, data }) => {
      onAlive();
      if (event === 'cursor') onCursor((JSON.parse(data) as { cursor: string }).cursor);
    },
    onComment: onAlive,
  });
  const decoder = new TextDecoder();
  const reader = body.getReader();
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      parser.feed(decoder.decode(read.value, { stream: true }));
    }
  } catch (error) {
    throw unreachable(error);
  }
}

/** How long so many bytes may be on their way to the server. */
export const uploadMs = (bytes: number, isAlone: boolean): number =>
  isAlone ? Math.min(bytes / uploadBytesPerMsMin, uploadMsMax) : bytes / uploadBytesPerMs;

/** undefined when it is no JSON object: a captive portal answers 200 with a page of its own. */
async function bodyOf(response: Response, onAlive: () => void = () => {}): Promise<Fields | undefined> {
  const isJson = /^application\/(problem\+)?json\b/.test(response.headers.get('Content-Type') ?? '');
  try {
    const body: unknown = isJson ? JSON.parse(await textOf(response, onAlive)) : undefined;
    return typeof body === 'object' && body !== null ? (body as Fields) : undefined;
  } catch (error) {
    throw unreachable(error);
  }
}

async function textOf({ body }: Response, onAlive: () => void): Promise<string> {
  const decoder = new TextDecoder();
  const reader = body?.getReader();
  let text = '';
  for (let read = await reader?.read(); read && !read.done; read = await reader!.read()) {
    onAlive();
    text += decoder.decode(read.value, { stream: true });
  }
  return text + decoder.decode();
}

/** An error answer. One that is no problem of ours, a proxy's page, counts by its status alone. */
async function refusalOf(response: Response): Promise<SyncFailure> {
  const { status } = response;
  const body = (await bodyOf(response)) as Partial<Problem> | undefined;
  if (isOurs(response, body)) {
    return new SyncFailure(failureOfProblem({ ...(body as Problem), status }, retryAfterMs(response)));
  }
  const isFamiliar = status === 413 || status === 429 || status >= 500;
  if (!isFamiliar) return notOurs(response);
  const problem = problemOf({ code: 'unavailable', detail: `The answer was ${status}.` }, status);
  const failure = failureOfProblem(problem, retryAfterMs(response));
  return new SyncFailure(failure.kind === 'busy' ? { ...failure, isForeign: true } : failure);
}

/** A firewall's JSON has no code of ours. */
const isOurs = ({ headers }: Response, { code, detail }: Partial<Problem> = {}): boolean =>
  typeof code === 'string' &&
  typeof detail === 'string' &&
  (Object.hasOwn(problemKinds, code) || /^application\/problem\+json\b/.test(headers.get('Content-Type') ?? ''));

function notOurs({ status, headers }: Response): SyncFailure {
  const type = headers.get('Content-Type') ?? 'no type';
  return new SyncFailure({ kind: 'unreachable', detail: `The answer (${status}, ${type}) is not from Gemba.`, status });
}

function unreachable(error: unknown): SyncFailure {
  if (error instanceof SyncFailure) return error;
  return new SyncFailure({ kind: 'unreachable', detail: error instanceof Error ? error.message : String(error) });
}

/** RFC 9110, section 10.2.3: seconds, or a date, which is left aside since this clock may be wrong. */
function retryAfterMs(response: Response): number | null {
  const secs = Number(response.headers.get('Retry-After') ?? Number.NaN);
  return Number.isFinite(secs) && secs >= 0 ? secs * 1000 : null;
}
