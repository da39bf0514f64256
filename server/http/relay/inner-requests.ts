/**
 * Answers the requests that were inside of sealed ones. An inner request takes the same way as any other: it is sent over a
 * stream in memory to an HTTP server without a port, whose handler is that of all requests.
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
import type { BinaryRequest, BinaryResponse, Field } from '../../../shared/relay/binary-http.ts';
import { nextCursorHeader } from '../../../shared/protocol/version.ts';
import type { MessageTypes } from '../message-types.ts';
import { receiptFactsHeader, parseReceiptFacts, type ReceiptFacts } from '../../sync/receipt-facts.ts';
import { innerHeaderBytesMax } from './inner-header-limit.ts';

/** The gateway refuses larger ones before they come here. */
const headerBytesMax = 2 * innerHeaderBytesMax;

export interface InnerRequests {
  /** Sets the handler of the inner requests. */
  serve(handler: RequestListener, messageTypes: MessageTypes | undefined): void;
  /** `address` is that of the outer request, so that guesses at tokens count for whoever sends them. */
  send(request: BinaryRequest, address: string): Promise<InnerResponse>;
}

export interface InnerResponse extends BinaryResponse {
  /** Set for a push whose numbers were all answered. */
  receiptFacts?: ReceiptFacts;
}

/** Others, such as `X-Forwarded-For`, could change who the caller seems to be. */
const requestHeaders = new Set([
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

/** Others are for browsers or belong to the connection. */
const responseHeaders = [
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

/** The sockets of inner requests, by which the handler of all requests tells them from others. */
const innerSockets = new WeakSet<object>();

/** Tells whether a request was inside of a sealed one: a carrier may have kept it for days, and may send it again. */
export const wasSealed = ({ socket }: Pick<IncomingMessage, 'socket'>): boolean => innerSockets.has(socket);

export function createInnerRequests(): InnerRequests {
  let server: Server | undefined;
  return {
    serve(handler, messageTypes) {
      server = createServer({ ...messageTypes, maxHeaderSize: headerBytesMax, requireHostHeader: false }, handler);
    },
    async send({ method, path, fields, content }, address) {
      const [near, far] = duplexPair();
      // Node reads these two of a socket: the address for quotas, the count for the log.
      Object.assign(far, { remoteAddress: address, bytesWritten: 0 });
      innerSockets.add(far);
      // `near` does not close by itself when the server breaks the connection off, and the request would never end.
      far.once('close', () => near.destroy());
      assert(server, 'the handler was set');
      server.emit('connection', far);
      const headers = Object.fromEntries(fields.filter(([name]) => requestHeaders.has(name)));
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
  const fields = responseHeaders.flatMap((name): Field[] => {
    const value = incoming.headers[name];
    return typeof value === 'string' ? [[name, value]] : [];
  });
  const content = Uint8Array.from(Buffer.concat(pieces));
  const receiptFacts = parseReceiptFacts(incoming.headers[receiptFactsHeader]);
  return { status: incoming.statusCode ?? 500, fields, content, ...(receiptFacts ? { receiptFacts } : {}) };
}
