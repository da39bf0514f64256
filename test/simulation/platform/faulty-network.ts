/**
 * The network of one device, with the faults that a request may meet:
 *
 *   lost         it never arrives             late         it arrives some acts after the device gave it up
 *   unanswered   its answer never arrives     held         the request or its answer waits until it is released
 *   doubled      it arrives twice             overtaken    it waits for the next request of any device
 *   cut          its answer breaks off        stale        a cache answers as the server did before
 *   forged       something else answers (forged-answers.ts), or a firewall that dislikes a word of the body
 */
import { pullLimitMax } from '../../../shared/schema/limits.ts';
import { randomOf, pickOne, type Random } from '../../random.ts';
import { cutAnswer, forge, forgedAnswers } from './forged-answers.ts';
import { responseOf, type AppAnswer, type AppRequest } from './in-process.ts';
import type { ServerLog } from './server-log.ts';
import type { FleetServer } from './fleet-server.ts';
import { fingerprint } from './trace.ts';

const lineFaults = [
  'lost',
  'unanswered',
  'doubled',
  'late',
  'held before',
  'held after',
  'overtaken',
  'cut',
  'stale',
] as const;
export const networkFaults = [...lineFaults, ...forgedAnswers] as const;
export type NetworkFault = (typeof networkFaults)[number];

/** Requests that something keeps back, of all devices. */
export interface DelayedRequests {
  /** Requests that arrive late. */
  late: (() => Promise<void>)[];
  /** Requests that the next one overtakes. */
  overtaken: (() => void)[];
}

interface FaultyNetworkOptions {
  server: FleetServer;
  log: ServerLog;
  delayed: DelayedRequests;
  /** The faults that may happen. */
  faults: readonly NetworkFault[];
  /** Whether streams of events hang, and are not refused. */
  letsStreamsOpen: boolean;
  /** How many changes a page of a pull has at most; of a first pull, whose pages a view may show one by one. */
  pageChangesMax: number;
  firstPageChangesMax: number;
  onFault: (fault: NetworkFault | 'firewall', path: string) => void;
  onExchange: (line: string) => void;
}

export class FaultyNetwork {
  isOnline = true;
  /** The probability that a request meets a fault. */
  faultRate = 0;
  /** A firewall refuses each body that has this word. */
  forbiddenWord: string | undefined;
  /** Draws the fault; each act sets a new generator, so that its faults do not depend on earlier acts. */
  random: Random = randomOf(0);
  readonly #options: FaultyNetworkOptions;
  readonly #held = new Set<Held>();
  /** The last answer to each request, as a cache has it. */
  readonly #cache = new Map<string, AppAnswer>();
  /** Called when the next request is held. */
  #onHeld: (() => void)[] = [];

  constructor(options: FaultyNetworkOptions) {
    this.#options = options;
  }

  get holds(): boolean {
    return this.#held.size > 0;
  }

  /** Resolves when the next request is held. */
  untilHeld(): Promise<void> {
    return new Promise((resolve) => void this.#onHeld.push(resolve));
  }

  /** Lets the held requests continue. */
  release(): void {
    for (const held of this.#held) held.go();
  }

  /** Breaks the held requests. */
  cut(): void {
    for (const held of this.#held) held.break(new TypeError('the line was cut'));
  }

  fetch: typeof fetch = async (input, init) => {
    const { pathname, search } = new URL(String(input));
    const path = pathname.replace('/api/v1/', '');
    if (!this.isOnline) throw new TypeError('no network');
    if (init?.signal?.aborted) throw new TypeError('given up');
    if (path === 'sync/events') return this.#openStream(init?.signal ?? undefined);
    const request = {
      method: init?.method ?? 'GET',
      target: pathname + this.#withSmallPages(search),
      headers: Object.fromEntries(new Headers(init?.headers)),
      body: init?.body instanceof ArrayBuffer ? init.body : String(init?.body ?? ''),
    };
    const { onExchange } = this.#options;
    onExchange(`→ ${request.method} ${path} #${fingerprint(JSON.stringify({ ...request, body: textOf(request) }))}`);
    try {
      const answer = await unlessGivenUp(this.#request(path, request, init?.signal ?? undefined), init?.signal);
      onExchange(`← ${answer.status} ${path}`);
      return answer;
    } catch (error) {
      onExchange(`← ${path} fails: ${(error as Error).message}`);
      throw error;
    }
  };

  #withSmallPages(search: string): string {
    const { pageChangesMax, firstPageChangesMax } = this.#options;
    const cursor = new URLSearchParams(search).get('cursor');
    const limit = cursor && !isOfFirstPull(cursor) ? pageChangesMax : firstPageChangesMax;
    return search.replace(`limit=${pullLimitMax}`, `limit=${limit}`);
  }

  /** A stream brings nothing, so that a device learns of changes by its polls: some networks keep streams back. */
  #openStream(signal: AbortSignal | undefined): Promise<Response> {
    if (!this.#options.letsStreamsOpen) throw new TypeError('no stream here');
    return new Promise((_resolve, reject) => {
      signal?.addEventListener('abort', () => reject(new TypeError('given up')), { once: true });
    });
  }

  #request(path: string, request: AppRequest, signal: AbortSignal | undefined): Promise<Response> {
    const ask = () => this.#ask(path, request);
    if (this.forbiddenWord !== undefined && textOf(request).includes(this.forbiddenWord)) {
      this.#options.onFault('firewall', path);
      return Promise.resolve(forge('forged 403'));
    }
    const { faults } = this.#options;
    const isUnlucky = path.startsWith('sync/') && this.random() < this.faultRate && faults.length > 0;
    if (!isUnlucky) return ask().then(responseOf);
    const fault = pickOne(this.random, faults);
    this.#options.onFault(fault, path);
    return this.#requestWithFault({ fault, ask, cached: cacheKey(request), signal });
  }

  async #ask(path: string, request: AppRequest): Promise<AppAnswer> {
    const { server, log, delayed } = this.#options;
    const ask = () => server.ask(request);
    const answer = await (path === 'sync/push' ? log.push(request, ask) : ask());
    if (request.method === 'GET') this.#cache.set(cacheKey(request), answer);
    for (const overtaken of delayed.overtaken.splice(0)) overtaken();
    return answer;
  }

  async #requestWithFault({ fault, ask, cached, signal }: FaultyRequest): Promise<Response> {
    const { delayed } = this.#options;
    switch (fault) {
      case 'lost':
        throw new TypeError('the request was lost');
      case 'unanswered':
        await ask();
        throw new TypeError('the answer was lost');
      case 'doubled':
        await ask();
        return responseOf(await ask());
      case 'late':
        delayed.late.push(async () => void (await ask().catch(() => {})));
        throw new TypeError('the request is late');
      case 'held before':
        await this.#hold(signal);
        return responseOf(await ask());
      case 'held after': {
        const answer = await ask();
        await this.#hold(signal);
        return responseOf(answer);
      }
      case 'overtaken': {
        const waiting = this.#hold(signal);
        delayed.overtaken.push(() => this.release());
        await waiting;
        return responseOf(await ask());
      }
      case 'cut':
        return cutAnswer(await ask());
      case 'stale':
        return responseOf(this.#cache.get(cached) ?? (await ask()));
      default:
        return forge(fault);
    }
  }

  async #hold(signal: AbortSignal | undefined): Promise<void> {
    let held: Held | undefined;
    const gone = new Promise<void>((go, broke) => {
      held = { go, break: broke };
      this.#held.add(held);
      signal?.addEventListener('abort', () => broke(new TypeError('given up')), { once: true });
    });
    for (const tell of this.#onHeld.splice(0)) tell();
    try {
      await gone;
    } finally {
      if (held) this.#held.delete(held);
    }
  }
}

/** A request that is given up ends at once, as in a browser, though the server may still work on it. */
function unlessGivenUp<Answer>(answering: Promise<Answer>, signal: AbortSignal | null | undefined): Promise<Answer> {
  const givenUp = new Promise<never>((_resolve, reject) => {
    signal?.addEventListener('abort', () => reject(new TypeError('given up')), { once: true });
  });
  return Promise.race([answering, givenUp]);
}

/** The server's cursors are several numbers between the pages of a first pull, and one otherwise. */
const isOfFirstPull = (cursor: string): boolean => Buffer.from(cursor, 'base64url').includes('.');

/** A cache keeps one answer for each form, since the server varies by `Accept`. */
const cacheKey = ({ target, headers }: AppRequest): string => `${target} ${headers['accept'] ?? ''}`;

/** The body as a firewall reads it, which does not decompress. */
const textOf = ({ body }: AppRequest): string =>
  typeof body === 'string' ? body : Buffer.from(body).toString('latin1');

interface FaultyRequest {
  fault: NetworkFault;
  ask: () => Promise<AppAnswer>;
  /** Names the answer that a cache has. */
  cached: string;
  signal: AbortSignal | undefined;
}

interface Held {
  go: () => void;
  break: (error: Error) => void;
}
