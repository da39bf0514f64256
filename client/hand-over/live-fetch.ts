/**
 * Sends the requests of the sync loop over the channel to a carrier that is online, sealed, and opens their answers. Nothing
 * is stored on either side: a request whose channel goes has failed, as over a network.
 */
import { decodeResponse, encodeRequest, type Field } from '../../shared/relay/binary-http.ts';
import { concat, type Bytes } from '../../shared/relay/byte-reader.ts';
import { messageIdOf, partBytesMax, type Frame, type Part } from '../../shared/relay/frames.ts';
import { relayKeysHeader, sealedRequestBytesMax } from '../../shared/relay/media-types.ts';
import { openAnswer, type AnswerSecret } from '../../shared/relay/sealing.ts';
import type { Fetch } from '../sync/net/transport.ts';
import type { RelayKeys } from './relay-keys.ts';
import { sealToAny, textOf } from './sealed-exchange.ts';
import { innerPathOf } from './stored-pull.ts';

interface LiveFetchOptions {
  keys: RelayKeys;
  /** The address of the server. */
  url: string;
  send: (frame: Frame) => Promise<void>;
  onClosed: () => void;
}

interface Asked {
  secret: AnswerSecret;
  parts: Bytes[];
  have: number;
  resolve: (response: Response) => void;
  reject: (error: Error) => void;
}

/** The gateway takes nothing else. */
const carriedPaths = ['POST /api/v1/sync/push', 'GET /api/v1/sync/pull'];
/** A carrier could fill the memory with an answer that has no end. */
const answerBytesMax = 16 * 1024 * 1024;

export class LiveFetch {
  readonly #options: LiveFetchOptions;
  readonly #asked = new Map<string, Asked>();
  /** Lets each request go out whole before the next. */
  #sending: Promise<void> = Promise.resolve();
  #isClosed = false;

  constructor(options: LiveFetchOptions) {
    this.#options = options;
  }

  readonly fetch: Fetch = async (input, init) => {
    const { url, keys } = this.#options;
    const { method = 'GET', signal } = init ?? {};
    const path = innerPathOf(String(input), url);
    if (this.#isClosed || !carriedPaths.includes(`${method} ${path.split('?', 1)[0]}`)) throw notCarried();
    const content = new Uint8Array(await new Response(init?.body ?? null).arrayBuffer());
    const request = encodeRequest({ method, scheme: 'https', authority: '', path, fields: fieldsOf(init), content });
    const { sealed, answerSecret } = await sealToAny(keys.known, request);
    if (sealed.length > sealedRequestBytesMax) throw notCarried();
    const id = await messageIdOf(sealed);
    signal?.throwIfAborted();
    if (this.#isClosed) throw notCarried();
    return new Promise<Response>((resolve, reject) => {
      this.#asked.set(id, { secret: answerSecret, parts: [], have: 0, resolve, reject });
      signal?.addEventListener('abort', () => this.fail(id), { once: true });
      this.#sending = this.#sending.then(() => this.#send(id, sealed)).catch(() => void this.fail(id));
    });
  };

  /** Returns false if the part answers no request of this channel. */
  async take({ id, total, offset, bytes }: Part): Promise<boolean> {
    const asked = this.#asked.get(id);
    if (!asked) return false;
    if (offset !== asked.have || total > answerBytesMax) return this.fail(id);
    asked.parts.push(bytes);
    asked.have += bytes.length;
    if (asked.have < total) return true;
    const opened = await openAnswer(asked.secret, concat(...asked.parts));
    const response = opened && (await this.#responseIn(opened));
    if (!response) return this.fail(id);
    this.#asked.delete(id);
    asked.resolve(response);
    return true;
  }

  /** Returns false if no request of this channel has the id. */
  fail(id: string): boolean {
    const asked = this.#asked.get(id);
    this.#asked.delete(id);
    asked?.reject(new TypeError('The carrier brought no answer.'));
    return asked !== undefined;
  }

  close(): void {
    this.#isClosed = true;
    this.#options.onClosed();
    for (const id of this.#asked.keys()) this.fail(id);
  }

  async #send(id: string, sealed: Bytes): Promise<void> {
    const total = sealed.length;
    for (let offset = 0; offset < total && !this.#isClosed; offset += partBytesMax) {
      await this.#options.send({ type: 'ask', id, total, offset, bytes: sealed.slice(offset, offset + partBytesMax) });
    }
  }

  async #responseIn(opened: Bytes): Promise<Response | undefined> {
    const decoded = decodeResponse(opened);
    if (!decoded) return undefined;
    const fields = new Headers(decoded.fields.map(([name, value]) => [name, value]));
    await this.#options.keys.rememberAnswered(fields);
    const text = await textOf(decoded.content, fields);
    for (const name of [relayKeysHeader, 'content-encoding']) fields.delete(name);
    const isEmpty = [204, 205, 304].includes(decoded.status);
    return new Response(isEmpty ? null : text, { status: decoded.status, headers: fields });
  }
}

function fieldsOf(init: RequestInit | undefined): Field[] {
  const fields = new Headers(init?.headers);
  if (typeof DecompressionStream === 'function') fields.set('accept-encoding', 'gzip');
  return [...fields];
}

const notCarried = (): Error => new TypeError('A carrier does not take this request.');
