/**
 * The network of one device, with the faults that a request may meet:
 *
 *   lost         it never arrives             late         it arrives some acts after the device gave it up
 *   unanswered   its answer never arrives     held         the request or its answer waits until it is released
 *   doubled      it arrives twice             refused      a proxy answers 503 with its own page
 */
import { randomOf, pickOne, type Random } from '../../random.ts';
import type { AppRequest } from './in-process.ts';
import type { ServerLog } from './server-log.ts';
import type { FleetServer } from './server.ts';

export const networkFaults = ['lost', 'unanswered', 'doubled', 'late', 'held before', 'held after', 'refused'] as const;
export type NetworkFault = (typeof networkFaults)[number];

interface FaultyNetworkOptions {
  server: FleetServer;
  log: ServerLog;
  /** Requests that arrive late. */
  lateRequests: (() => Promise<void>)[];
  onFault: (fault: NetworkFault, path: string) => void;
}

export class FaultyNetwork {
  isOnline = true;
  /** The probability that a request meets a fault. */
  faultRate = 0;
  /** Draws the fault; each act sets a new generator, so that its faults do not depend on earlier acts. */
  random: Random = randomOf(0);
  readonly #options: FaultyNetworkOptions;
  readonly #held = new Set<Held>();
  #tellHeld: () => void = () => {};

  constructor(options: FaultyNetworkOptions) {
    this.#options = options;
  }

  get holds(): boolean {
    return this.#held.size > 0;
  }

  /** Resolves when the next request is held. */
  untilHeld(): Promise<void> {
    return new Promise((resolve) => (this.#tellHeld = resolve));
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
    if (path === 'sync/events') throw new TypeError('no stream in the simulation');
    if (!this.isOnline) throw new TypeError('no network');
    const request = {
      method: init?.method ?? 'GET',
      target: pathname + search,
      headers: Object.fromEntries(new Headers(init?.headers)),
      body: init?.body instanceof ArrayBuffer ? init.body : String(init?.body ?? ''),
    };
    const ask = () => this.#ask(path, request);
    const isUnlucky = path.startsWith('sync/') && this.random() < this.faultRate;
    if (!isUnlucky) return ask();
    const fault = pickOne(this.random, networkFaults);
    this.#options.onFault(fault, path);
    return this.#requestWithFault(fault, ask, init?.signal ?? undefined);
  };

  #ask(path: string, request: AppRequest): Promise<Response> {
    const { server, log } = this.#options;
    const ask = () => server.ask(request);
    return path === 'sync/push' ? log.push(request, ask) : ask();
  }

  async #requestWithFault(
    fault: NetworkFault,
    ask: () => Promise<Response>,
    signal: AbortSignal | undefined,
  ): Promise<Response> {
    switch (fault) {
      case 'lost':
        throw new TypeError('the request was lost');
      case 'unanswered':
        await ask();
        throw new TypeError('the answer was lost');
      case 'doubled':
        await ask();
        return ask();
      case 'late':
        this.#options.lateRequests.push(async () => void (await ask().catch(() => {})));
        throw new TypeError('the request is late');
      case 'held before':
        await this.#hold(signal);
        return ask();
      case 'held after': {
        const answer = await ask();
        await this.#hold(signal);
        return answer;
      }
      case 'refused':
        return new Response('<h1>503</h1>', { status: 503, headers: { 'Content-Type': 'text/html' } });
    }
  }

  async #hold(signal: AbortSignal | undefined): Promise<void> {
    let held: Held | undefined;
    const gone = new Promise<void>((go, broke) => {
      held = { go, break: broke };
      this.#held.add(held);
      signal?.addEventListener('abort', () => broke(new TypeError('given up')), { once: true });
    });
    this.#tellHeld();
    try {
      await gone;
    } finally {
      if (held) this.#held.delete(held);
    }
  }
}

interface Held {
  go: () => void;
  break: (error: Error) => void;
}
