/**
 * Node's HTTP server below the app. It sets timeouts and limits, and also replies to messages that are not valid
 * requests.
 */
import { createServer, STATUS_CODES, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Socket } from 'node:net';
import { problemOf, type Refusal } from '../../shared/protocol/problem.ts';
import { randomUuid, type World } from '../core/world.ts';
import type { RateLimits } from '../store/limits/rate-limits.ts';
import { watchArrival } from './arrival.ts';
import { handleInOrder } from './limits/in-turn.ts';
import { rateLimited, rateLimitHeaders } from './limits/rate-limit.ts';
import { requestIdHeader } from './request-id.ts';
import type { Services } from './services.ts';
import { closeStalledReaders, type StalledReaders } from './limits/stalled-readers.ts';
import { addressKey } from './limits/client-address.ts';

/** Timeouts for slow clients, so that a client cannot hold a connection without using it. */
export interface ClientTimeouts {
  /** For the headers of a request. */
  headersMsMax: number;
  /** For a whole request. Extended by the same time as long as the body arrives at `bytesPerSecMin` or faster. */
  requestMsMax: number;
  bytesPerSecMin: number;
  /** For a whole request, even if its body keeps arriving. */
  slowRequestMsMax: number;
  /** For a response of which the client reads nothing. */
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
/**
 * Exceeds the idle timeout of common load balancers, so that the load balancer closes an idle connection and not this
 * server.
 */
const keepAliveMsMax = 75_000;
/** Leaves room for the cursor of a list of thousands of stages. */
const headerBytesMax = 64 * 1024;
const checkMsMax = 5_000;

/** The handler that replies now. It is replaced when the server has started. */
export interface ActiveHandler {
  app: RequestListener;
  limits: RateLimits;
}

export interface HttpServer {
  server: Server;
  stalledReaders: StalledReaders;
}

export function createHttpServer(
  activeHandler: ActiveHandler,
  world: World,
  timeouts: Partial<ClientTimeouts> = {},
): HttpServer {
  const allTimeouts = { ...timeoutsDefault, ...timeouts };
  const { headersMsMax, requestMsMax, bytesPerSecMin, slowRequestMsMax } = allTimeouts;
  const app = handleInOrder((req, res) => {
    const onTooSlow = () => void server.emit('clientError', requestTimeoutError(), req.socket);
    watchArrival(req, res, { spanMs: requestMsMax, bytesPerSecMin, onTooSlow });
    activeHandler.app(req, res);
  });
  const server = createServer({
    headersTimeout: headersMsMax,
    requestTimeout: Math.max(requestMsMax, slowRequestMsMax),
    connectionsCheckingInterval: Math.min(checkMsMax, headersMsMax / 2),
    maxHeaderSize: headerBytesMax,
    // The app itself refuses requests without a host, so that the refusal has the headers of every response.
    requireHostHeader: false,
  });
  server.keepAliveTimeout = keepAliveMsMax;
  server.on('request', app);
  // `readJsonBody` sends `100 Continue` when it wants the body. After an earlier refusal the client may leave out the
  // body, so the connection closes: the server could not tell where the next request begins.
  server.on('checkContinue', (req, res) => {
    res.setHeader('Connection', 'close');
    app(req, res);
  });
  // An unknown `Expect` header is ignored, and the request is handled as usual.
  server.on('checkExpectation', app);
  const answering = new WeakMap<Duplex, ServerResponse>();
  server.prependListener('request', (req, res) => void answering.set(req.socket, res));
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    void refuseOnSocket(
      { limits: activeHandler.limits, world },
      { socket, refusal: refusalOf(error.code), answering: answering.get(socket) },
    );
  });
  // Without this handler, Node would close the connection without a response.
  server.on(
    'connect',
    ({ socket }) => void refuseOnSocket({ limits: activeHandler.limits, world }, { socket, refusal: noTunnel }),
  );
  return { server, stalledReaders: closeStalledReaders(server, allTimeouts) };
}

/** Makes the error that Node itself emits for a request that took too long. */
const requestTimeoutError = () => Object.assign(new Error('too slow'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });

function refusalOf(code: string | undefined): Refusal {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    return { code: 'request_timeout', detail: 'The request did not arrive in time.' };
  }
  if (code === 'HPE_HEADER_OVERFLOW') {
    return { code: 'headers_too_large', detail: `The headers may have ${headerBytesMax} bytes.` };
  }
  return { code: 'malformed_request', detail: 'This is not HTTP/1.1 (RFC 9112).' };
}

const methods = 'GET, HEAD, POST, PATCH, OPTIONS';
const noTunnel: Refusal = {
  code: 'method_not_allowed',
  detail: `CONNECT is for proxies; ${methods} are for this server.`,
};

interface BrokenRequest {
  socket: Duplex;
  refusal: Refusal;
  /** The response to an earlier request of the connection, or to the head of this broken request. */
  answering?: ServerResponse | undefined;
}

async function refuseOnSocket(
  { limits, world }: Pick<Services, 'limits' | 'world'>,
  { socket, refusal, answering }: BrokenRequest,
): Promise<void> {
  const state = await limits.count(addressKey((socket as Socket).remoteAddress));
  const underWay = answering !== undefined && !answering.writableFinished && answering.headersSent;
  if (!socket.writable || underWay) return void socket.destroy();
  const { error } = state.ok ? { error: refusal } : rateLimited(limits, state);
  const problem = problemOf(error);
  const requestId = randomUuid(world);
  const body = JSON.stringify({ ...problem, request_id: requestId });
  const headers = {
    'Content-Type': 'application/problem+json',
    'Content-Length': String(Buffer.byteLength(body)),
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    [requestIdHeader]: requestId,
    ...rateLimitHeaders(limits, state),
    ...(error.code === 'method_not_allowed' ? { Allow: methods } : {}),
    ...(state.ok ? {} : { 'Retry-After': String(state.resetSecs) }),
    Connection: 'close',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const { status } = problem;
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`, () => socket.destroy());
}
