/**
 * Answers the requests that were inside of sealed requests. An inner request goes over a stream in memory to an HTTP
 * server without a port, which has the same handler as the server with a port.
 */
import {
  createServer,
  request as sendRequest,
  type IncomingMessage,
  type RequestListener,
  type Server,
} from 'node:http';
import { duplexPair } from 'node:stream';
import { assert } from '../../../shared/domain/assert.ts';
import type { BinaryRequest, BinaryResponse, HttpField } from '../../../shared/relay/binary-http.ts';
import { nextCursorHeader } from '../../../shared/protocol/version.ts';
import type { MessageClasses } from '../message-classes.ts';
import { receiptFactsHeader, parseReceiptFacts, type ReceiptFacts } from '../../sync/receipt-facts.ts';
import { innerHeaderBytesMax } from './inner-header-limit.ts';

/** Requests never reach this limit, since the gateway refuses larger headers first. */
const headerBytesMax = 2 * innerHeaderBytesMax;

export interface InnerRequestServer {
  /** Sets the handler of the inner requests. */
  setHandler(handler: RequestListener, messageClasses: MessageClasses | undefined): void;
  /** `address` is the sender of the outer request, so that guesses at tokens count against the sender. */
  send(request: BinaryRequest, address: string): Promise<InnerResponse>;
}

export interface InnerResponse extends BinaryResponse {
  /** Present if the request was a push and the response has a result for each of its mutations. */
  receiptFacts?: ReceiptFacts;
}

/** The headers that an inner request may have. Others, such as `X-Forwarded-For`, could disguise the caller. */
const allowedRequestHeaders = new Set([
  'accept',
  'accept-encoding',
  'authorization',
  'content-encoding',
  'content-type',
  'gemba-base',
  'gemba-device',
  'gemba-protocol',
  'range',
  'tus-resumable',
  'upload-offset',
  'x-request-id',
]);

/** The response headers that a sealed answer keeps. Others are for browsers or belong to the connection. */
const keptResponseHeaders = [
  'content-encoding',
  'content-range',
  'content-type',
  'date',
  'etag',
  nextCursorHeader.toLowerCase(),
  'ratelimit',
  'ratelimit-policy',
  'retry-after',
  'tus-resumable',
  'upload-expires',
  'upload-length',
  'upload-offset',
  'www-authenticate',
  'x-request-id',
];

/** The sockets of inner requests. `wasSealed` recognizes an inner request by its socket. */
const innerSockets = new WeakSet<object>();

/**
 * Returns true if the request was inside of a sealed request. A carrier may have stored the sealed request for days,
 * and may send it again.
 */
export const wasSealed = ({ socket }: Pick<IncomingMessage, 'socket'>): boolean => innerSockets.has(socket);

export function createInnerRequestServer(): InnerRequestServer {
  let server: Server | undefined;
  return {
    setHandler(handler, messageClasses) {
      server = createServer({ ...messageClasses, maxHeaderSize: headerBytesMax, requireHostHeader: false }, handler);
    },
    async send({ method, path, fields, content }, address) {
      const [near, far] = duplexPair();
      // The quotas read the address of the socket, and the log reads its byte count.
      Object.assign(far, { remoteAddress: address, bytesWritten: 0 });
      innerSockets.add(far);
      // When the server breaks the connection off, `near` does not close by itself, and the request would never end.
      far.once('close', () => near.destroy());
      assert(server, 'the handler was set');
      server.emit('connection', far);
      const headers = Object.fromEntries(fields.filter(([name]) => allowedRequestHeaders.has(name)));
      try {
        return await new Promise<InnerResponse>((resolve, reject) => {
          const outgoing = sendRequest({
            method,
            path,
            headers: { ...headers, Host: 'relay', 'Content-Length': content.length, Connection: 'close' },
            createConnection: () => near,
          });
          outgoing.on('error', reject);
          outgoing.on('response', (incoming) => {
            readResponse(incoming).then(resolve, reject);
          });
          outgoing.end(content);
        });
      } finally {
        near.destroy();
        far.destroy();
      }
    },
  };
}

async function readResponse(incoming: IncomingMessage): Promise<InnerResponse> {
  const pieces: Uint8Array[] = [];
  for await (const piece of incoming) pieces.push(piece as Uint8Array);
  const fields = keptResponseHeaders.flatMap((name): HttpField[] => {
    const value = incoming.headers[name];
    return typeof value === 'string' ? [[name, value]] : [];
  });
  const content = Uint8Array.from(Buffer.concat(pieces));
  const receiptFacts = parseReceiptFacts(incoming.headers[receiptFactsHeader]);
  return { status: incoming.statusCode ?? 500, fields, content, ...(receiptFacts ? { receiptFacts } : {}) };
}
