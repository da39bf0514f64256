/** Sends the requests of the sync protocol over HTTP. */
import type { PushBase } from '../../../shared/protocol/effects.ts';
import type { PullQuery, PullResponse } from '../../../shared/protocol/pull.ts';
import type { RunScopeQuery } from '../../../shared/protocol/run-scope.ts';
import type { PullableKind } from '../../../shared/protocol/pullable-kinds.ts';
import type { PushRequest, PushResponse } from '../../../shared/protocol/push.ts';
import { deviceProblemOf } from '../../core/device-problem.ts';
import { protocolHeader, protocolVersion } from '../../../shared/protocol/version.ts';
import { apiAddress } from '../../core/api-address.ts';
import { isoTime, type Clock } from '../../core/clock.ts';
import type { AccountTransport } from './account-requests.ts';
import type { Detour } from './detour.ts';
import type { DeviceReporter } from './device-report.ts';
import type { JsonObject } from '../../core/json-object.ts';
import { isPullResponse, isPushResponse } from './parse-response.ts';
import { RequestError, type RequestFailure } from './failure.ts';
import type { FeedListener } from './read-events.ts';
import type { BodyForms } from './body-forms.ts';
import type { BriefSender } from './push-forms.ts';
import type { PageOptions } from './pages/pages-ahead.ts';
import { readBody, unreachableError, type Unpack } from './read-response.ts';
import { RequestTimeouts, uploadTimeoutMsOf } from './timeouts.ts';

export type Fetch = typeof globalThis.fetch;

interface TransportOptions {
  url: string;
  /** Sends the requests. Default: the platform's `fetch`. */
  fetch?: Fetch;
  /** Whether pulls ask for packed pages. The response then tells whether pushes may use the brief form. */
  packedPages: boolean;
  /** If `detour.fetch` is set, it sends the requests instead of `fetch`. */
  detour?: Pick<Detour, 'fetch'>;
  token: () => string | null;
  schedule: Clock['schedule'];
  /** Called with the server's time in each response, in ISO 8601. */
  onTime: (at: string) => void;
  /** Makes the report that each push and pull carries; absent if the device sends none. */
  reporter?: Pick<DeviceReporter, 'current' | 'onPushed'>;
}

export interface Transport {
  /** Loads the requests for pairing, devices and API keys; rejects if their module cannot be loaded. */
  accountRequests(): Promise<AccountTransport>;
  /**
   * Pushes mutations. With `hooks.base`, asks for their effects. Calls `hooks.onSend` before each HTTP request. A push
   * takes several requests if one form of it is refused and another form follows.
   */
  push(request: PushRequest, signal: AbortSignal, hooks?: PushHooks): Promise<PushResponse>;
  pull(query: PullOptions, signal: AbortSignal): Promise<PullResponse>;
  /** Sends the request of a module that is loaded on demand, such as runs-request.ts. */
  requestJson: RequestJson;
  /** Listens to the event stream until the stream ends; rejects when the stream breaks or `signal` aborts. */
  events(signal: AbortSignal, listener: FeedListener): Promise<void>;
}

interface PushHooks {
  base?: PushBase | undefined;
  onSend?: (() => void) | undefined;
}

interface PullOptions {
  /** The device's client id; if absent, the response has no client record. */
  clientId?: string;
  accountId?: string;
  /** True if an earlier token of this device owns the client id. The request then marks the client id as forwarded. */
  isForwarded?: boolean;
  cursor: string;
  limit: number;
  kinds: readonly PullableKind[];
  scope?: RunScopeQuery | undefined;
}

export type RequestJson = <Body>(
  path: string,
  options: RequestOptions,
  isExpected: (body: JsonObject) => boolean,
) => Promise<Body>;

export function httpTransport({
  url,
  fetch: givenFetch,
  packedPages,
  detour,
  token,
  schedule,
  onTime,
  reporter,
}: TransportOptions): Transport {
  const fetch = givenFetch ?? globalThis.fetch.bind(globalThis);
  const timeouts = new RequestTimeouts(schedule);
  let loadingForms: Promise<BodyForms | undefined> | undefined;
  /** Resolves to undefined if the module cannot be loaded, such as offline without a cached copy. */
  const loadForms = () =>
    (loadingForms ??= import('./body-forms.ts').then(
      (module) => new module.BodyForms(),
      () => undefined,
    ));
  const api = apiAddress(url, '');

  async function send(path: string, { idempotencyKey, brief, onSend, ...init }: SentRequest): Promise<Response> {
    const sentToken = token();
    // Does not send a sync request without a token: the server would refuse it, and browsers log refusals. An app's own
    // `fetch` may add a token.
    if (sentToken === null && !givenFetch && path.startsWith('sync/')) throw new RequestError(notPairedFailure);
    const fetchWith = (given: RequestInit): Promise<Response> => {
      onSend?.();
      return (detour?.fetch ?? fetch)(new URL(path, api), {
        ...init,
        ...given,
        headers: {
          ...(sentToken === null ? {} : { Authorization: `Bearer ${sentToken}` }),
          ...(given.headers as Record<string, string>),
        },
        // Sets no `cache` for a POST: caches do not answer a POST, and the option adds two headers.
        ...(init.method === 'POST' ? {} : { cache: 'no-store' }),
        redirect: 'error',
      });
    };
    try {
      const report = /^sync\/pu(sh|ll)/.test(path) ? reporter?.current() : undefined;
      const briefResponse = await brief?.send(fetchWith, report);
      if (briefResponse) return briefResponse;
      const headers = {
        ...headersOf(init),
        ...init.headers,
        ...(idempotencyKey === undefined ? {} : { 'Idempotency-Key': idempotencyKey }),
        ...(report && (await loadForms())?.reportHeader(report)),
      };
      const request = (compressed: RequestInit) =>
        fetchWith({ ...compressed, headers: { ...headers, ...compressed.headers } });
      // Sends the body as text through an app's own `fetch`, which may read or sign the body.
      const body = String(init.body);
      const forms = !givenFetch && body.length >= compressibleCharsMin ? await loadForms() : undefined;
      return await (forms?.compression.send(body, request) ?? request({}));
    } catch (error) {
      throw unreachableError(error);
    }
  }

  function requestJson<Body>(
    path: string,
    { signal, isSingle = false, unpack, onHeaders, ...init }: RequestOptions,
    isExpected: (body: JsonObject) => boolean,
  ): Promise<Body> {
    const sendingMs = typeof init.body === 'string' ? uploadTimeoutMsOf(init.body.length, isSingle) : 0;
    return timeouts.run({ signal, sendingMs }, async (request) => {
      const response = await send(path, { ...init, signal: request.signal });
      request.onAlive();
      onHeaders?.(response.headers);
      const body = await readBody(response, { isExpected, onAlive: request.onAlive, unpack });
      const date = Date.parse(response.headers.get('Date') ?? '');
      if (!Number.isNaN(date)) onTime(isoTime(date));
      return body as Body;
    });
  }

  const post = <Body>(path: string, body: object, options: RequestOptions, isExpected: (body: JsonObject) => boolean) =>
    requestJson<Body>(path, { ...options, method: 'POST', body: JSON.stringify(body) }, isExpected);

  return {
    push: async (request, signal, { base, onSend } = {}) => {
      const lastSent = request.mutations.at(-1)?.seq ?? 0;
      const isSingle = request.mutations.length === 1;
      const options = base && (await (await loadForms())?.pushes.optionsFor(base, request));
      const response = await post<PushResponse>(
        'sync/push',
        request,
        { signal, isSingle, onSend, ...options },
        (body) => isPushResponse(body, lastSent),
      );
      reporter?.onPushed(request.client_id, response.last_seq);
      return response;
    },
    pull: async (query, signal) => {
      const request = ({ cursor = query.cursor, ...form }: PageOptions) =>
        requestJson<PullResponse>(`sync/pull?${pullParameters({ ...query, cursor })}`, { signal, ...form }, (body) =>
          isPullResponse(body, cursor),
        );
      const forms = packedPages ? await loadForms() : undefined;
      return forms ? forms.pull(request, { ...query, signal }, reporter) : request({});
    },
    requestJson,
    events: async (signal, listener) => {
      const { readEvents } = await import('./read-events.ts');
      return readEvents(await send('sync/events', { signal }), listener);
    },
    accountRequests: () =>
      import('./account-requests.ts').then(
        ({ accountRequests }) => accountRequests({ requestJson, post }),
        (error: unknown) => {
          throw unreachableError(error);
        },
      ),
  };
}

const notPairedFailure: RequestFailure = {
  kind: 'blocked',
  problem: deviceProblemOf({ code: 'unauthorized', detail: 'This device is not paired.' }),
};

/** A smaller body fits into one packet with or without compression. */
const compressibleCharsMin = 1024;

interface SentRequest extends RequestInit {
  headers?: Record<string, string>;
  /** Lets the server recognize a request that the device sends again. */
  idempotencyKey?: string;
  /** The brief form of this push, sent before the JSON form. The JSON form follows only after a refusal. */
  brief?: BriefSender;
  onSend?: (() => void) | undefined;
}

interface RequestOptions extends SentRequest {
  signal: AbortSignal;
  /** Unpacks a body in the packed or brief form; absent if the request did not ask for one. */
  unpack?: Unpack;
  /** Called when the headers have arrived, before the body, with any status. */
  onHeaders?: ((headers: Headers) => void) | undefined;
  /** Whether the body holds a single mutation, which the device cannot send in smaller requests. */
  isSingle?: boolean;
}

const headersOf = ({ body }: RequestInit): Record<string, string> => ({
  [protocolHeader]: String(protocolVersion),
  ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
});

function pullParameters({
  clientId,
  accountId,
  isForwarded = false,
  cursor,
  limit,
  kinds,
  scope,
}: PullOptions): URLSearchParams {
  const query: { [Field in keyof PullQuery]: string } = {
    cursor,
    limit: String(limit),
    kinds: kinds.join(','),
    ...(clientId === undefined ? {} : { client_id: clientId }),
    ...(accountId === undefined ? {} : { account_id: accountId }),
    ...(isForwarded ? { carried: 'true' } : {}),
    ...(scope as object | undefined),
  };
  return new URLSearchParams(query);
}
