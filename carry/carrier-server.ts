/**
 * Runs a carrier on a computer instead of a phone. Devices at the site hand over their work to the carrier over
 * WebSocket. The carrier delivers the work when it reaches the server, and sees neither account nor content.
 *
 *   device ─ frames in binary messages, ws(s)://…/carry ─► session ─► SQLite file ─► POST /api/v1/relay
 *   operator ─ GET /healthz ─► what the carrier carries, and whether the carrier reaches the server
 */
import { createServer as createHttpServer, type RequestListener } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { firstValueFrom } from 'rxjs';
import { WebSocketServer, type WebSocket } from 'ws';
import { systemClock } from '../client/core/clock.ts';
import { CarriedMessages } from '../client/relay/carried-messages.ts';
import { CarrierStation } from '../client/relay/carrier-station.ts';
import type { ByteChannel } from '../client/relay/frame-link.ts';
import { MinuteLimit } from '../client/relay/minute-limit.ts';
import { carrierIdOf, frameBytesMax, serverNameOf } from '../shared/relay/frames.ts';
import { Places } from './places.ts';
import { openSqliteRows } from './sqlite-rows.ts';

export interface CarrierServerOptions {
  host: string;
  port: number;
  /** The address of the server. */
  to: string;
  /** A token of the server with the scope record. */
  token: string;
  /** The SQLite file. */
  file: string;
  /** PEM texts. Default: no TLS. */
  tls?: { cert: string; key: string } | undefined;
}

export interface CarrierServer {
  port: number;
  /** Asks the server: false if no request gets through now, or if the server does not take the token. */
  reachesServer(): Promise<boolean>;
  close(): Promise<void>;
}

export const channelPath = '/carry';

/** Limits the sessions, since each takes memory for one message, and for up to four answers to live requests. */
const sessionsMax = 64;
/**
 * The carrier answers no ping on a socket with this many unsent bytes. It may leave out pongs, since RFC 6455, 5.5.3
 * requires a pong only to the newest of several pings.
 */
const pongBytesMax = 64 * 1024;
/** The status that tells a WebSocket client to come again later. */
const tryAgainLater = 1013;
/** A device may send pings to keep its socket alive. The carrier ends a socket with more pings in a minute. */
const pingsPerMinuteMax = 600;
/**
 * Ends a connection that does not send the headers of a request in time. A silent connection takes a file descriptor
 * that other devices need.
 */
const timeouts = { headersTimeout: 10_000, connectionsCheckingInterval: 5_000 };
const checkMsMin = 60_000;
/** Limits the fragments of a message, since each takes memory of its own. The types of `ws` lack `maxFragments`. */
const fragmentLimit = { maxFragments: 64 };
/** If a refused socket does not close within this time, the carrier terminates it. */
const refusedMsMax = 1_000;
/** Limits a WebSocket message. A sender may put several frames into one message, or split a frame. */
const messageBytesMax = 4 * frameBytesMax;

export async function openCarrierServer(options: CarrierServerOptions): Promise<CarrierServer> {
  const { host, port, to, token, file, tls } = options;
  const rows = await openSqliteRows(file);
  const station = new CarrierStation({
    messages: new CarriedMessages(rows, () => systemClock.wallMs()),
    server: await serverNameOf(new URL(to).origin),
    carrierId: await carrierIdOf(rows.deviceId),
    url: to,
    fetch: globalThis.fetch,
    token: () => token,
    hasOwnWork: () => false,
    clock: systemClock,
  });
  let checkedAtMs = -Infinity;
  const check = () => {
    checkedAtMs = systemClock.monotonicMs();
    return station.check();
  };
  const answer: RequestListener = (request, response) => {
    if (request.method !== 'GET' || request.url !== '/healthz') {
      response.writeHead(404).end();
      return;
    }
    // Do not wait for the check, since the server may be out of reach. A later call returns the result.
    if (systemClock.monotonicMs() - checkedAtMs >= checkMsMin) void check();
    void health(station).then((body) => {
      response.writeHead(200, { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' });
      response.end(JSON.stringify(body));
    });
  };
  const server = tls ? createHttpsServer({ ...tls, ...timeouts }, answer) : createHttpServer(timeouts, answer);
  const sockets = new WebSocketServer({
    server,
    path: channelPath,
    maxPayload: messageBytesMax,
    perMessageDeflate: false,
    ...fragmentLimit,
    // The automatic pongs of `ws` would queue without a limit if the device reads nothing from its socket.
    autoPong: false,
  });
  // A connection that sends no request, or half of one, would keep the server from closing.
  const connections = new Set<Socket>();
  server.on('connection', (connection) => {
    connections.add(connection);
    connection.on('close', () => connections.delete(connection));
  });
  const places = new Places(sessionsMax);
  sockets.on('connection', (socket, request) => {
    // After a malformed WebSocket frame, `ws` emits an error and closes the socket. Without a listener, the error would
    // end the process.
    socket.on('error', () => {});
    const pings = new MinuteLimit(pingsPerMinuteMax, systemClock.schedule);
    socket.on('close', () => pings.stop());
    socket.on('ping', (data) => {
      if (!pings.take()) return socket.terminate();
      if (socket.bufferedAmount < pongBytesMax) socket.pong(data);
    });
    const place = places.take(request.socket.remoteAddress ?? '', () => socket.terminate());
    if (!place) {
      socket.close(tryAgainLater);
      systemClock.schedule(refusedMsMax, () => socket.terminate());
      return;
    }
    socket.on('message', (data: Buffer) => {
      if (data.length > 0) place.onHeard();
    });
    void station.carry(channelOf(socket), { broughtIds: place.broughtIds }).finally(() => {
      place.leave();
      socket.close();
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.on('error', reject);
    // The WebSocket server emits each error of its HTTP server again. Without a listener, such an error would end the
    // process.
    sockets.on('error', reject);
    server.listen(port, host, resolve);
  });
  station.deliver();
  return {
    port: (server.address() as AddressInfo).port,
    async reachesServer() {
      await check();
      return station.reachesServer === true;
    },
    async close() {
      station.stop();
      for (const socket of sockets.clients) socket.terminate();
      sockets.close();
      const closed = new Promise((resolve) => server.close(resolve));
      for (const connection of connections) connection.destroy();
      await closed;
      rows.close();
    },
  };
}

async function health(station: CarrierStation) {
  return { status: 'ok', reaches_server: station.reachesServer, ...(await firstValueFrom(station.carrying$)) };
}

/**
 * Returns a channel over the socket. If the socket breaks, both streams of the channel end at once. The stream that
 * `ws` offers does not always end so.
 */
export function channelOf(socket: WebSocket): ByteChannel {
  let isEnded = false;
  const readable = new ReadableStream<Uint8Array>({
    start(controller) {
      socket.on('message', (data: Buffer) => {
        if (isEnded) return;
        controller.enqueue(new Uint8Array(data));
        // The sender waits until these bytes are read.
        if ((controller.desiredSize ?? 0) <= 0) socket.pause();
      });
      socket.on('error', () => {});
      socket.on('close', () => {
        if (!isEnded) controller.close();
        isEnded = true;
      });
    },
    pull: () => socket.resume(),
    cancel: () => {
      isEnded = true;
      socket.resume();
    },
  });
  const writable = new WritableStream<Uint8Array>({
    write: (bytes) =>
      new Promise((resolve, reject) => {
        socket.send(bytes, (error) => (error ? reject(error) : resolve()));
      }),
    close: () => socket.close(),
    abort: () => socket.terminate(),
  });
  return { readable, writable };
}
