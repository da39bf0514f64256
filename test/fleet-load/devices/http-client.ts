/** Sends requests over a bounded number of kept connections. Failures are values, since a device goes on after each. */
import { Agent, request, type IncomingMessage } from 'node:http';
import { gunzipSync, gzipSync } from 'node:zlib';

export type LoadAnswer =
  | { ok: true; status: number; body: unknown }
  /** `code` has the status and the code of the problem, or the error of the connection. */
  | { ok: false; code: string; retryAfterMs: number };

export interface LoadRequest {
  method: 'GET' | 'POST';
  path: string;
  headers: Record<string, string>;
  body?: string;
  /** Throws the answer away when it begins to arrive, as a network does. */
  losesAnswer?: boolean;
}

const timeoutMs = 30_000;
/** Devices compress pushes from this size on. */
const compressedBytesMin = 1024;
export const lostAnswer = 'answer lost';

export class HttpClient {
  readonly url: string;
  readonly #agent: Agent;
  readonly #address: { host: string; port: number };

  constructor(url: string, { socketsMax }: { socketsMax: number }) {
    const { hostname, port } = new URL(url);
    this.url = url;
    this.#address = { host: hostname, port: Number(port) };
    this.#agent = new Agent({ keepAlive: true, maxSockets: socketsMax, noDelay: true });
  }

  send({ method, path, headers, body, losesAnswer = false }: LoadRequest): Promise<LoadAnswer> {
    const { bytes, head } = encode(body);
    return new Promise((resolve) => {
      const fail = (code: string) => resolve({ ok: false, code, retryAfterMs: 0 });
      const sent = request({
        ...this.#address,
        agent: this.#agent,
        method,
        path,
        headers: { 'Accept-Encoding': 'gzip', ...headers, ...head },
        timeout: timeoutMs,
      });
      sent.on('timeout', () => sent.destroy(Object.assign(new Error('timeout'), { code: 'timeout' })));
      sent.on('error', (error: NodeJS.ErrnoException) => fail(error.code ?? error.message));
      sent.on('response', (response) => {
        if (losesAnswer) {
          fail(lostAnswer);
          sent.destroy();
        } else readAnswer(response, resolve);
      });
      sent.end(bytes);
    });
  }

  close(): void {
    this.#agent.destroy();
  }
}

function encode(body: string | undefined): { bytes?: Buffer; head: Record<string, string> } {
  if (body === undefined) return { head: {} };
  const plain = Buffer.from(body);
  const isLarge = plain.length >= compressedBytesMin;
  const bytes = isLarge ? gzipSync(plain, { level: 1 }) : plain;
  const head = {
    'Content-Type': 'application/json',
    'Content-Length': String(bytes.length),
    ...(isLarge ? { 'Content-Encoding': 'gzip' } : {}),
  };
  return { bytes, head };
}

function readAnswer(response: IncomingMessage, resolve: (answer: LoadAnswer) => void): void {
  const chunks: Buffer[] = [];
  response.on('data', (chunk: Buffer) => chunks.push(chunk));
  response.on('error', (error: NodeJS.ErrnoException) =>
    resolve({ ok: false, code: error.code ?? error.message, retryAfterMs: 0 }),
  );
  response.on('end', () => resolve(parseAnswer(response, Buffer.concat(chunks))));
}

function parseAnswer({ statusCode: status = 0, headers }: IncomingMessage, bytes: Buffer): LoadAnswer {
  try {
    const body: unknown = JSON.parse(String(headers['content-encoding'] === 'gzip' ? gunzipSync(bytes) : bytes));
    if (status >= 200 && status < 300) return { ok: true, status, body };
    const { code = '' } = body as { code?: string };
    return { ok: false, code: `${status} ${code}`, retryAfterMs: Number(headers['retry-after'] ?? 0) * 1000 };
  } catch {
    return { ok: false, code: `${status} without JSON`, retryAfterMs: 0 };
  }
}
