/** Delivers the messages that this device carries, one after another, when it has nothing of its own to send. */
import { sealedAnswerMediaType, sealedRequestMediaType } from '../../shared/relay/media-types.ts';
import { receiptHeader, receiptPattern } from '../../shared/relay/receipt.ts';
import type { Clock } from '../core/clock.ts';
import type { CarriedMessages } from './carried-messages.ts';

export interface DeliveriesOptions {
  messages: CarriedMessages;
  /** The address of the server. */
  url: string;
  fetch: typeof globalThis.fetch;
  /** The token of this device; null if it is not paired. */
  token: () => string | null;
  /** True while this device has work of its own to send, which goes first. */
  hasOwnWork: () => boolean;
  schedule: Clock['schedule'];
  onAnswered: () => void;
  /** Called when a delivery has to wait, and when one has come through again. */
  onReachable: (isReachable: boolean) => void;
}

const retryMs = 60_000;
const requestMsMax = 120_000;

type Outcome = 'answered' | 'refused' | 'later';

export class Deliveries {
  readonly #options: DeliveriesOptions;
  readonly #stopped = new AbortController();
  #isRunning = false;
  #isReachable = true;
  #cancelRetry: () => void = () => {};

  constructor(options: DeliveriesOptions) {
    this.#options = options;
  }

  /** False since a delivery had to wait. */
  get isReachable(): boolean {
    return this.#isReachable;
  }

  /** Must be called when a device comes: the network may be back since the last delivery. */
  async tryAgain(): Promise<void> {
    this.#isReachable = true;
    await this.deliver();
  }

  /** Delivers what can be delivered now. Has no effect while it does so already. */
  async deliver(): Promise<void> {
    if (this.#isRunning || this.#stopped.signal.aborted) return;
    this.#isRunning = true;
    this.#cancelRetry();
    try {
      await this.#deliverAll();
    } catch {
      // The storage is full, or was closed meanwhile.
      this.#retryLater();
    } finally {
      this.#isRunning = false;
    }
  }

  stop(): void {
    this.#stopped.abort();
    this.#cancelRetry();
  }

  async #deliverAll(): Promise<void> {
    const { messages, hasOwnWork, onAnswered } = this.#options;
    await messages.dropExpired();
    for (let id = messages.heldIds[0]; id !== undefined; id = messages.heldIds[0]) {
      const outcome = hasOwnWork() ? 'later' : await this.#send(id);
      if (this.#stopped.signal.aborted) return;
      this.#setReachable(outcome !== 'later');
      if (outcome === 'later') {
        this.#retryLater();
        return;
      }
      if (outcome === 'refused') await messages.forget(id);
      else onAnswered();
    }
  }

  #setReachable(isReachable: boolean): void {
    if (isReachable === this.#isReachable) return;
    this.#isReachable = isReachable;
    this.#options.onReachable(isReachable);
  }

  #retryLater(): void {
    if (this.#stopped.signal.aborted) return;
    this.#cancelRetry = this.#options.schedule(retryMs, () => void this.deliver());
  }

  async #send(id: string): Promise<Outcome> {
    const { messages, url, fetch, token, schedule } = this.#options;
    const bearer = token();
    if (bearer === null) return 'later';
    const controller = new AbortController();
    const abort = () => controller.abort();
    const cancelTimeout = schedule(requestMsMax, abort);
    this.#stopped.signal.addEventListener('abort', abort);
    try {
      const response = await fetch(new URL('api/v1/relay', url.endsWith('/') ? url : `${url}/`), {
        method: 'POST',
        headers: { Authorization: `Bearer ${bearer}`, 'Content-Type': sealedRequestMediaType },
        body: messages.requestOf(id),
        cache: 'no-store',
        redirect: 'error',
        signal: controller.signal,
      });
      const isAnswer = response.ok && response.headers.get('Content-Type') === sealedAnswerMediaType;
      if (isAnswer) await messages.storeAnswer(id, new Uint8Array(await response.arrayBuffer()), receiptIn(response));
      if (isAnswer) return 'answered';
      return (await isRefusedForGood(response)) ? 'refused' : 'later';
    } catch {
      // No network, or a server that does not answer.
      return 'later';
    } finally {
      cancelTimeout();
      this.#stopped.signal.removeEventListener('abort', abort);
    }
  }
}

function receiptIn({ headers }: Response): string | undefined {
  const receipt = headers.get(receiptHeader) ?? '';
  return receiptPattern.test(receipt) ? receipt : undefined;
}

/** A proxy or a captive portal may answer with any status, so only these words of the server count. */
async function isRefusedForGood(response: Response): Promise<boolean> {
  const problem = (await response.json().catch(() => null)) as { code?: unknown } | null;
  return problem?.code === 'relay_malformed' || problem?.code === 'relay_key_unknown';
}
