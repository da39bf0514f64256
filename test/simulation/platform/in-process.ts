/** Calls an HTTP app without a network, through a socket in memory. */
import type { RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { createMessageClasses } from '../../../server/http/message-classes.ts';

export interface AppRequest {
  method: string;
  /** The path and the query. */
  target: string;
  headers: Record<string, string>;
  body: string | ArrayBuffer;
}

/** The apps of all lives share them, since V8 would learn about each app's own anew. */
export const messageClasses = createMessageClasses();

/** An answer that can be delivered more than once. */
export interface AppAnswer {
  status: number;
  headers: [name: string, value: string][];
  body: Buffer;
}

export const isSuccess = ({ status }: AppAnswer): boolean => status >= 200 && status < 300;

export const responseOf = ({ status, headers, body }: AppAnswer): Response =>
  new Response(body.length > 0 ? new Uint8Array(body) : null, { status, headers });

export function askApp(app: RequestListener, { method, target, headers, body }: AppRequest): Promise<AppAnswer> {
  const socket = new CapturingSocket();
  const request = new messageClasses.IncomingMessage(socket as unknown as Socket);
  const bytes = typeof body === 'string' ? Buffer.from(body) : Buffer.from(body);
  Object.assign(request, { method, url: target, httpVersion: '1.1', httpVersionMajor: 1, httpVersionMinor: 1 });
  request.headers = { host: 'gemba.test', ...headers };
  if (bytes.length > 0) {
    request.headers['content-length'] = String(bytes.length);
    request.push(bytes);
  }
  request.rawHeaders = Object.entries(request.headers).flatMap(([name, value]) => [name, String(value)]);
  request.push(null);
  request.complete = true;
  const response = new messageClasses.ServerResponse(request);
  response.assignSocket(socket as unknown as Socket);
  return new Promise((resolve) => {
    response.on('finish', () => resolve(answerOf(response, socket.written)));
    app(request, response);
  });
}

class CapturingSocket extends Duplex {
  readonly remoteAddress = '127.0.0.1';
  readonly #chunks: Buffer[] = [];

  get written(): Buffer {
    return Buffer.concat(this.#chunks);
  }

  override _read(): void {}

  override _write(chunk: Buffer | string, encoding: BufferEncoding, done: () => void): void {
    this.#chunks.push(typeof chunk === 'string' ? Buffer.from(chunk, encoding) : chunk);
    done();
  }

  setTimeout(): this {
    return this;
  }
}

/** Only event streams have chunked answers, and the simulation opens none. */
function answerOf(response: ServerResponse, written: Buffer): AppAnswer {
  const headers = Object.entries(response.getHeaders()).map(([name, value]): [string, string] => [name, String(value)]);
  return { status: response.statusCode, headers, body: written.subarray(written.indexOf('\r\n\r\n') + 4) };
}
