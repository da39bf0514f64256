/**
 * Sends the requests of the sync loop and of photos, sealed, to a carrier that is online, and opens their answers.
 * Nothing is stored on either side. A request that the carrier cannot take or does not answer goes to the device's own
 * network.
 */
import { decodeResponse, encodeRequest, type HttpField } from '../../../shared/relay/binary-http.ts';
import { carriedKindOf, type CarriedKind } from '../../../shared/relay/carried-requests.ts';
import { ByteQueue } from '../../../shared/relay/byte-queue.ts';
import type { Bytes } from '../../../shared/relay/byte-reader.ts';
import { messageIdOf, type FailedCode, type Frame, type PartFrame } from '../../../shared/relay/frames.ts';
import { relayKeysHeader, sealedAnswerBytesMax, sealedRequestBytesMax } from '../../../shared/relay/media-types.ts';
import { openAnswer, type AnswerSecret } from '../../../shared/relay/sealing.ts';
import type { Clock } from '../../core/clock.ts';
import { uploadTimeoutMsOf } from '../../sync/net/timeouts.ts';
import type { Fetch } from '../../sync/net/transport.ts';
import type { LiveFailures } from './live-failures.ts';
import { PhotoTurn } from './photo-turn.ts';
import type { RelayKeys } from '../relay-keys.ts';
import { sealToAny, textOf } from '../sealed-exchange.ts';
import { innerPathOf } from '../stored-pull.ts';

export interface LiveFetchOptions {
  keys: RelayKeys;
  /** The address of the server. */
  url: string;
  /** Sends a request over this device's own network. */
  network: Fetch;
  schedule: Clock['schedule'];
  send: (frame: Frame) => Promise<void>;
  failures: LiveFailures;
  onClosed: () => void;
}

interface LiveRequest {
  id: string;
  kind: CarriedKind;
  sealed: Bytes;
  secret: AnswerSecret;
}

interface PendingRequest extends Pick<LiveRequest, 'kind' | 'secret'> {
  received: ByteQueue;
  cancelTimer: () => void;
  /** Called with the response, or with undefined if the carrier brings none. */
  resolve: (response: Response | undefined) => void;
}

/** How long a carrier may be silent. Half of a request's timeout of 30 s then remains for the device's own network. */
const answerSilenceMsMax = 15_000;
/** The size of a part of a request. A recording waits at most for one part of a photo: 2 s at 8 KiB a second. */
const partBytes = 16 * 1024;
/** How long the device sends no photos to a busy carrier. A carrier limits the live requests of each minute. */
const photosPauseMs = 60_000;

const busyAnswer = (): Response =>
  new Response(null, { status: 429, headers: { 'Retry-After': String(photosPauseMs / 1000) } });

export class LiveFetch {
  readonly #options: LiveFetchOptions;
  readonly #pending = new Map<string, PendingRequest>();
  /** Resolves when all earlier requests are sent, so that the parts of two requests do not mix. */
  #sending: Promise<void> = Promise.resolve();
  #isClosed = false;
  readonly #photoTurn: PhotoTurn;
  #arePhotosBusy = false;
  #cancelPause = () => {};

  constructor(options: LiveFetchOptions) {
    this.#options = options;
    this.#photoTurn = new PhotoTurn(options.schedule);
  }

  /** True after `close`, or after the carrier failed too many requests. */
  get isClosed(): boolean {
    return this.#isClosed;
  }

  readonly fetch: Fetch = async (input, init) => {
    const request = await this.#seal(input, init);
    const answerTo = async () => request && this.#answerTo(request, init?.signal);
    const answer = await (request?.kind === 'photo' ? this.#photoTurn.take(answerTo, init?.signal) : answerTo());
    if (answer) return answer;
    init?.signal?.throwIfAborted();
    const own = this.#options.network(input, init);
    // If the carrier is busy and there is no network, answer 429, so that the photo sender waits instead of reporting
    // no network.
    return this.#arePhotosBusy && this.#kindOf(input, init) === 'photo' ? own.catch(busyAnswer) : own;
  };

  /** Receives a part of an answer. Returns false if it answers no request of this channel. */
  async take({ id, total, offset, bytes }: PartFrame): Promise<boolean> {
    const pending = this.#pending.get(id);
    const isPhotoLeft = offset + bytes.length === total && this.#photoTurn.onLeft(id);
    if (!pending) return isPhotoLeft;
    const { received, secret, kind } = pending;
    if (offset !== received.length || total > sealedAnswerBytesMax) return this.#fail(id);
    received.append(bytes);
    this.#restartTimer(id, pending);
    if (received.length < total) return true;
    const opened = await openAnswer(secret, received.bytes);
    const response = opened && (await this.#responseIn(opened));
    if (!response) return this.#fail(id);
    if (!this.#pending.delete(id)) return true;
    pending.cancelTimer();
    this.#options.failures.onAnswered(kind);
    pending.resolve(response);
    return true;
  }

  /** Must be called when the carrier reports that it brings no answer. Returns false if the id is unknown. */
  fail(id: string, code: FailedCode): boolean {
    const isPhotoLeft = this.#photoTurn.onLeft(id);
    return this.#fail(id, code) || isPhotoLeft;
  }

  #fail(id: string, code?: FailedCode): boolean {
    const pending = this.#pending.get(id);
    if (!pending) return false;
    const { failures } = this.#options;
    if (code !== 'busy') failures.onFailed(pending.kind);
    else if (pending.kind === 'photo') this.#pausePhotos();
    else failures.onGivenBack();
    this.#giveBack(id, pending);
    if (failures.areTooMany) this.close();
    return true;
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#options.onClosed();
    this.#photoTurn.end();
    this.#cancelPause();
    for (const [id, pending] of this.#pending) {
      this.#options.failures.onGivenBack();
      this.#giveBack(id, pending);
    }
  }

  /** Sends the request over the device's own network instead. This does not count as a failure of the carrier. */
  #giveBack(id: string, { cancelTimer, resolve }: PendingRequest): void {
    this.#pending.delete(id);
    cancelTimer();
    resolve(undefined);
  }

  #kindOf(input: Parameters<Fetch>[0], init: RequestInit | undefined): CarriedKind | undefined {
    return carriedKindOf({ method: init?.method ?? 'GET', path: innerPathOf(String(input), this.#options.url) });
  }

  /** Sends no photos to the carrier for a minute, so that recordings can use all requests that the carrier allows. */
  #pausePhotos(): void {
    this.#arePhotosBusy = true;
    this.#cancelPause();
    this.#cancelPause = this.#options.schedule(photosPauseMs, () => (this.#arePhotosBusy = false));
  }

  /** Seals the request. Resolves to undefined if it must go over the device's own network. */
  async #seal(input: Parameters<Fetch>[0], init: RequestInit | undefined): Promise<LiveRequest | undefined> {
    const { url, keys } = this.#options;
    const { method = 'GET' } = init ?? {};
    const path = innerPathOf(String(input), url);
    const kind = this.#kindOf(input, init);
    if (this.#isClosed || !kind || this.#options.failures.areTooManyOf(kind)) return undefined;
    const content = new Uint8Array(await new Response(init?.body ?? null).arrayBuffer());
    const request = encodeRequest({ method, scheme: 'https', authority: '', path, fields: fieldsOf(init), content });
    const sent = await sealToAny(keys.known, request).catch(() => undefined);
    if (!sent || sent.sealed.length > sealedRequestBytesMax) return undefined;
    return { id: await messageIdOf(sent.sealed), kind, sealed: sent.sealed, secret: sent.answerSecret };
  }

  async #answerTo(
    { id, kind, sealed, secret }: LiveRequest,
    signal: RequestInit['signal'],
  ): Promise<Response | undefined> {
    signal?.throwIfAborted();
    if (this.#isClosed || (kind === 'photo' && this.#arePhotosBusy)) return undefined;
    return new Promise((resolve) => {
      const pending: PendingRequest = { kind, secret, received: new ByteQueue(), cancelTimer: () => {}, resolve };
      this.#pending.set(id, pending);
      signal?.addEventListener('abort', () => this.#giveBack(id, pending), { once: true });
      // Start the timer only when this request is sent, since the request may wait for earlier requests.
      const send = () => {
        if (this.#pending.has(id)) this.#restartTimer(id, pending, uploadTimeoutMsOf(sealed.length, false));
        return this.#send({ id, kind, sealed });
      };
      this.#sending = this.#sending.then(send).catch(() => void this.#fail(id));
    });
  }

  #restartTimer(id: string, pending: PendingRequest, sendingMs = 0): void {
    pending.cancelTimer();
    pending.cancelTimer = this.#options.schedule(answerSilenceMsMax + sendingMs, () => void this.#fail(id));
  }

  async #send({ id, kind, sealed }: Omit<LiveRequest, 'secret'>): Promise<void> {
    const total = sealed.length;
    if (kind === 'photo') await this.#options.send({ type: 'photo', id });
    // Stop between two parts if the request was given up. Otherwise a push would wait for the rest of a photo.
    for (let offset = 0; offset < total && this.#pending.has(id); offset += partBytes) {
      if (kind === 'photo' && offset + partBytes >= total) this.#photoTurn.onSent(id);
      await this.#options.send({ type: 'ask', id, total, offset, bytes: sealed.slice(offset, offset + partBytes) });
    }
  }

  async #responseIn(opened: Bytes): Promise<Response | undefined> {
    const decoded = decodeResponse(opened);
    if (!decoded) return undefined;
    const fields = new Headers(decoded.fields.map(([name, value]) => [name, value]));
    await this.#options.keys.rememberAnswered(fields);
    const content = fields.has('content-encoding') ? await textOf(decoded.content, fields) : decoded.content;
    for (const name of [relayKeysHeader, 'content-encoding']) fields.delete(name);
    const isEmpty = [204, 205, 304].includes(decoded.status);
    return new Response(isEmpty ? null : content, { status: decoded.status, headers: fields });
  }
}

function fieldsOf(init: RequestInit | undefined): HttpField[] {
  const fields = new Headers(init?.headers);
  if (typeof DecompressionStream === 'function') fields.set('accept-encoding', 'gzip');
  return [...fields];
}
