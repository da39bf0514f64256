/** Sends the requests of the sync protocol over HTTP. */
import type { PullResponse } from '../../../shared/protocol/pull.ts';
import type { PullableKind } from '../../../shared/protocol/pullable-kinds.ts';
import type { PushRequest, PushResponse } from '../../../shared/protocol/push.ts';
import { protocolHeader, protocolVersion } from '../../../shared/protocol/version.ts';
import { isoTime, type Clock } from '../../core/clock.ts';
import { credentialCalls, type AccessTransport } from './account-requests.ts';
import { isPullResponse, isPushResponse, type Fields } from './parse-response.ts';
import { readAnswer, readEvents, unreachable, type FeedListener } from './read-response.ts';
import { Timeouts, uploadMs } from './timeouts.ts';

export type Fetch = typeof globalThis.fetch;

interface TransportOptions {
  url: string;
  fetch: Fetch;
  token: () => string | null;
  schedule: Clock['schedule'];
  /** Called with the server's time in each response. */
  onTime: (at: string) => void;
}

export interface Transport extends AccessTransport {
  push(request: PushRequest, signal: AbortSignal): Promise<PushResponse>;
  pull(query: PullQuery, signal: AbortSignal): Promise<PullResponse>;
  /** Listens until the stream ends; rejects when it breaks or `signal` aborts. */
  events(signal: AbortSignal, listener: FeedListener): Promise<void>;
}

interface PullQuery {
  /** The device's client id; if it is left out, the pull brings no client record. */
  clientId?: string;
  accountId?: string;
  /** Whether the client id belongs to an earlier token of this device. */
  isForwarded?: boolean;
  cursor: string;
  limit: number;
  kinds: readonly PullableKind[];
}

export function httpTransport({ url, fetch, token, schedule, onTime }: TransportOptions): Transport {
  const timeouts = new Timeouts(schedule);
  const api = new URL('api/v1/', url.endsWith('/') ? url : `${url}/`);

  async function send(path: string, init: RequestInit): Promise<Response> {
    const headers = headersOf(token(), init);
    try {
      return await fetch(new URL(path, api), { ...init, headers, cache: 'no-store', redirect: 'error' });
    } catch (error) {
      throw unreachable(error);
    }
  }

  /** Sends a request with its timeouts, and returns the body of a success that `isOurs` recognizes as Gemba's. */
  function json<Body>(
    path: string,
    { signal, isAlone = false, ...init }: Exchange,
    isOurs: (body: Fields) => boolean,
  ): Promise<Body> {
    const sendingMs = typeof init.body === 'string' ? uploadMs(init.body.length, isAlone) : 0;
    return timeouts.within({ signal, sendingMs }, async (timed) => {
      const response = await send(path, { ...init, signal: timed.signal });
      timed.onAlive();
      const body = await readAnswer(response, isOurs, timed.onAlive);
      const date = Date.parse(response.headers.get('Date') ?? '');
      if (!Number.isNaN(date)) onTime(isoTime(date));
      return body as Body;
    });
  }

  const post = <Body>(path: string, body: object, exchange: Exchange, isOurs: (body: Fields) => boolean) =>
    json<Body>(path, { ...exchange, method: 'POST', body: JSON.stringify(body) }, isOurs);

  return {
    push: (request, signal) => {
      const lastSent = request.mutations.at(-1)?.seq ?? 0;
      const isAlone = request.mutations.length === 1;
      return post('sync/push', request, { signal, isAlone }, (body) => isPushResponse(body, lastSent));
    },
    pull: (query, signal) =>
      json(`sync/pull?${pullParameters(query)}`, { signal }, (body) => isPullResponse(body, query.cursor)),
    events: async (signal, listener) => readEvents(await send('sync/events', { signal }), listener),
    ...credentialCalls({ json, post }),
  };
}

interface Exchange extends RequestInit {
  signal: AbortSignal;
  /** Whether the body holds a single mutation, which cannot be split into smaller requests. */
  isAlone?: boolean;
}

const headersOf = (token: string | null, { body }: RequestInit): Record<string, string> => ({
  [protocolHeader]: String(protocolVersion),
  ...(token === null ? {} : { Authorization: `Bearer ${token}` }),
  ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
});

function pullParameters({
  clientId,
  accountId,
  isForwarded = false,
  cursor,
  limit,
  kinds,
}: PullQuery): URLSearchParams {
  return new URLSearchParams({
    cursor,
    limit: String(limit),
    kinds: kinds.join(','),
    ...(clientId === undefined ? {} : { client_id: clientId }),
    ...(accountId === undefined ? {} : { account_id: accountId }),
    ...(isForwarded ? { carried: 'true' } : {}),
  });
}
