/** The sync protocol over HTTP. Answers are taken apart here; whatever is wrong with them becomes a `SyncFailure`. */
import { createParser } from 'eventsource-parser';
import { problemOf, type Problem } from '../../shared/protocol/problem.ts';
import type { PullResponse, RecordKind } from '../../shared/protocol/pull.ts';
import type { PushRequest, PushResponse } from '../../shared/protocol/push.ts';
import { protocolHeader, protocolVersion } from '../../shared/protocol/version.ts';
import { failureOfProblem, SyncFailure } from './failure.ts';

export type Fetch = typeof globalThis.fetch;

export interface TransportOptions {
  url: string;
  fetch: Fetch;
  token: () => string | null;
  /** Gives up an exchange after this long. */
  timeout: (ms: number) => AbortSignal;
}

export interface Transport {
  push(request: PushRequest, signal: AbortSignal): Promise<PushResponse>;
  pull(query: PullQuery, signal: AbortSignal): Promise<PullResponse>;
  /** Listens until the stream ends; rejects when it breaks or `signal` aborts. */
  events(signal: AbortSignal, listener: FeedListener): Promise<void>;
  pair(request: PairRequest): Promise<{ token: string }>;
}

export interface PullQuery {
  clientId: string;
  cursor: string;
  limit: number;
  kinds: readonly RecordKind[];
}

export interface FeedListener {
  /** The account has changed up to this cursor. */
  onCursor(cursor: string): void;
  /** Something came, if only a heartbeat. */
  onAlive(): void;
}

export interface PairRequest {
  code: string;
  device_id: string;
  device_name: string;
  device_kind: 'wearable' | 'phone';
}

/** A push or a page of a pull that takes longer is given up and tried again. */
const exchangeMsMax = 30_000;

export function httpTransport({ url, fetch, token, timeout }: TransportOptions): Transport {
  const api = new URL('api/v1/', url.endsWith('/') ? url : `${url}/`);

  async function send(path: string, init: RequestInit & { signal: AbortSignal }): Promise<Response> {
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

  async function json<Body>(path: string, init: RequestInit & { signal: AbortSignal }): Promise<Body> {
    const signal = AbortSignal.any([init.signal, timeout(exchangeMsMax)]);
    const response = await send(path, { ...init, signal });
    if (!response.ok) throw await refusalOf(response);
    return (await bodyOf(response)) as Body;
  }

  return {
    push: (request, signal) => json('sync/push', { method: 'POST', body: JSON.stringify(request), signal }),
    pull: ({ clientId, cursor, limit, kinds }, signal) => {
      const query = new URLSearchParams({ client_id: clientId, cursor, limit: String(limit), kinds: kinds.join(',') });
      return json(`sync/pull?${query}`, { signal });
    },
    events: async (signal, listener) => {
      const response = await send('sync/events', { signal });
      if (!response.ok || !response.body) throw await refusalOf(response);
      await readEvents(response.body, listener);
    },
    pair: (request) =>
      json('auth/pair', { method: 'POST', body: JSON.stringify(request), signal: new AbortController().signal }),
  };
}

async function readEvents(body: ReadableStream<Uint8Array>, { onCursor, onAlive }: FeedListener): Promise<void> {
  const parser = createParser({
    onEvent: ({ event, data }) => {
      if (event === 'cursor') onCursor((JSON.parse(data) as { cursor: string }).cursor);
    },
  });
  const decoder = new TextDecoder();
  const reader = body.getReader();
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      onAlive();
      parser.feed(decoder.decode(read.value, { stream: true }));
    }
  } catch (error) {
    throw unreachable(error);
  }
}

/** The body, which must be a JSON object as Gemba sends it: a captive portal answers 200 with a page of its own. */
async function bodyOf(response: Response): Promise<object> {
  const type = response.headers.get('Content-Type') ?? '';
  let body: unknown;
  try {
    body = /^application\/(problem\+)?json\b/.test(type) ? await response.json() : undefined;
  } catch (error) {
    throw unreachable(error);
  }
  if (typeof body !== 'object' || body === null) {
    throw new SyncFailure({
      kind: 'unreachable',
      detail: `The answer (${response.status}, ${type || 'no type'}) is not from Gemba.`,
    });
  }
  return body;
}

/** An error answer. JSON that is no problem of ours (a proxy's) counts by its status alone. */
async function refusalOf(response: Response): Promise<SyncFailure> {
  const body = (await bodyOf(response)) as Partial<Problem>;
  const problem: Problem =
    typeof body.code === 'string' && typeof body.detail === 'string'
      ? (body as Problem)
      : problemOf({ code: 'unavailable', detail: `The answer was ${response.status}.` }, response.status);
  return new SyncFailure(failureOfProblem({ ...problem, status: response.status }, retryAfterMs(response)));
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
