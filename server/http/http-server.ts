/**
 * The HTTP server of Node that calls the Express app. Sets timeouts and limits, and replies to messages that are not
 * valid requests and so never reach the app.
 */
import { createServer, STATUS_CODES, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { Duplex } from 'node:stream';
import type { Socket } from 'node:net';
import type { Refusal } from '../../shared/protocol/problem.ts';
import { problemOfAnyCode } from '../../shared/protocol/problems/all-problems.ts';
import { randomUuid, type World } from '../core/world.ts';
import type { RateLimits } from '../store/limits/rate-limits.ts';
import { watchBodyArrival } from './arrival.ts';
import { handleInOrder } from './limits/handle-in-order.ts';
import { keepAliveMsMax } from './limits/keep-alive.ts';
import { rateLimitRefusal, rateLimitHeaders } from './limits/rate-limit.ts';
import type { MessageClasses } from './message-classes.ts';
import { requestIdHeader } from './request-id.ts';
import type { Services } from './services.ts';
import { watchStalledReaders, type StalledReaderMonitor } from './limits/stalled-readers.ts';
import { addressQuotaKey } from './limits/client-address.ts';

/** Limits how long a slow client may hold a connection. */
export interface ClientTimeouts {
  /** Limits how long the headers may take to arrive. */
  headersMsMax: number;
  /** Limits how long the body of a request may arrive at a lower speed than `bytesPerSecMin`. */
  requestMsMax: number;
  bytesPerSecMin: number;
  /** Limits how long a whole request may take to arrive, even if its body is fast enough. */
  slowRequestMsMax: number;
  /** Limits how long a client may leave a response unread before the connection is closed. */
  stalledMsMax: number;
  /** Replaces `stalledMsMax` while the server shuts down. */
  drainingStalledMsMax: number;
}

const timeoutsDefault: ClientTimeouts = {
  headersMsMax: 20_000,
  requestMsMax: 120_000,
  bytesPerSecMin: 1_000,
  slowRequestMsMax: 20 * 60_000,
  stalledMsMax: 60_000,
  drainingStalledMsMax: 2_000,
};
/** Includes the request line, whose URL is long if it has the cursor of a long list of stages. */
const headerBytesMax = 64 * 1024;
const timeoutCheckIntervalMs = 5_000;

/**
 * The handler of all requests. While the server starts, the handler refuses all requests except `/healthz`. Once the
 * server has started, `server/app.ts` replaces both fields.
 */
export interface ActiveHandler {
  app: RequestListener;
  limits: RateLimits;
}

export interface HttpServer {
  server: Server;
  stalledReaders: StalledReaderMonitor;
}

/** The certificate chain and its private key, as PEM texts. */
export interface TlsCredentials {
  cert: string;
  key: string;
}

interface HttpServerOptions {
  world: World;
  messageClasses: MessageClasses;
  timeouts?: Partial<ClientTimeouts> | undefined;
  /** Without a certificate, the server speaks plain HTTP. */
  tls?: TlsCredentials | undefined;
}

export function createHttpServer(
  activeHandler: ActiveHandler,
  { world, messageClasses, timeouts = {}, tls }: HttpServerOptions,
): HttpServer {
  const allTimeouts = { ...timeoutsDefault, ...timeouts };
  const { headersMsMax, requestMsMax, bytesPerSecMin, slowRequestMsMax } = allTimeouts;
  const handler = handleInOrder((req, res) => {
    const onTooSlow = () => void server.emit('clientError', requestTimeoutError(), req.socket);
    watchBodyArrival(req, res, { checkIntervalMs: requestMsMax, bytesPerSecMin, onTooSlow });
    activeHandler.app(req, res);
  });
  const options = {
    ...messageClasses,
    headersTimeout: headersMsMax,
    requestTimeout: Math.max(requestMsMax, slowRequestMsMax),
    connectionsCheckingInterval: Math.min(timeoutCheckIntervalMs, headersMsMax / 2),
    maxHeaderSize: headerBytesMax,
    // The app refuses requests without a host, since the refusal of Node would lack our common headers.
    requireHostHeader: false,
  };
  const server: Server = tls ? createTlsServer({ ...options, ...tls }) : createServer(options);
  server.keepAliveTimeout = keepAliveMsMax;
  server.on('request', handler);
  // After an early refusal, a client with `Expect: 100-continue` may or may not send the body. The server could not
  // tell where the next request begins, so a refusal closes the connection.
  server.on('checkContinue', (req, res) => {
    res.setHeader('Connection', 'close');
    handler(req, res);
  });
  // Requests with an unknown `Expect` header are handled like other requests.
  server.on('checkExpectation', handler);
  const responseBySocket = new WeakMap<Duplex, ServerResponse>();
  server.prependListener('request', (req, res) => void responseBySocket.set(req.socket, res));
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    void refuseOnSocket(
      { limits: activeHandler.limits, world },
      { socket, refusal: refusalOfNodeError(error.code), response: responseBySocket.get(socket) },
    );
  });
  // Without a handler for CONNECT, Node would close the connection without a response.
  server.on(
    'connect',
    ({ socket }) => void refuseOnSocket({ limits: activeHandler.limits, world }, { socket, refusal: connectRefusal }),
  );
  return { server, stalledReaders: watchStalledReaders(server, allTimeouts, tls ? 'secureConnection' : 'connection') };
}

/** Creates the error that Node emits for a request that takes too long. */
const requestTimeoutError = () => Object.assign(new Error('too slow'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });

function refusalOfNodeError(code: string | undefined): Refusal {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    return { code: 'request_timeout', detail: 'The request did not arrive in time.' };
  }
  if (code === 'HPE_HEADER_OVERFLOW') {
    return { code: 'headers_too_large', detail: `The headers may have ${headerBytesMax} bytes.` };
  }
  return { code: 'malformed_request', detail: 'This is not HTTP/1.1 (RFC 9112).' };
}

const allowedMethodsText = 'GET, HEAD, POST, PATCH, DELETE, OPTIONS';
const connectRefusal: Refusal = {
  code: 'method_not_allowed',
  detail: `CONNECT is for proxies; ${allowedMethodsText} are for this server.`,
};

interface BrokenRequest {
  socket: Duplex;
  refusal: Refusal;
  /** The connection's latest response. It may belong to the broken request or to an earlier request. */
  response?: ServerResponse | undefined;
}

async function refuseOnSocket(
  { limits, world }: Pick<Services, 'limits' | 'world'>,
  { socket, refusal, response }: BrokenRequest,
): Promise<void> {
  const state = await limits.count(addressQuotaKey((socket as Socket).remoteAddress));
  const isResponding = response !== undefined && !response.writableFinished && response.headersSent;
  if (!socket.writable || isResponding) return void socket.destroy();
  const { error } = state.ok ? { error: refusal } : rateLimitRefusal(limits, state);
  const problem = problemOfAnyCode(error);
  const requestId = randomUuid(world);
  const body = JSON.stringify({ ...problem, request_id: requestId });
  const headers = {
    'Content-Type': 'application/problem+json',
    'Content-Length': String(Buffer.byteLength(body)),
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    [requestIdHeader]: requestId,
    ...rateLimitHeaders(limits, state),
    ...(error.code === 'method_not_allowed' ? { Allow: allowedMethodsText } : {}),
    ...(state.ok ? {} : { 'Retry-After': String(state.resetSecs) }),
    Connection: 'close',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const { status } = problem;
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`, () => socket.destroy());
}
