/** Delivers the messages that this device carries, one after another, unless its own work goes first. */
import type { Bytes } from '../../shared/relay/byte-reader.ts';
import type { FailedCode } from '../../shared/relay/frames.ts';
import type { CarriedMessages } from './carried-messages.ts';
import { postSealed, type PostOptions, type PostOutcome } from './post-sealed.ts';
import { MinuteLimit } from './minute-limit.ts';

export interface DeliveriesOptions extends PostOptions {
  messages: CarriedMessages;
  /** True while this device has work of its own that goes first. */
  hasOwnWork: () => boolean;
  onAnswered: () => void;
  /** Called when the server did not answer a message, and `refused` if it never will. */
  onFailed: (id: string, code: FailedCode) => void;
  /** Called when a delivery has to wait, and when one has come through again. */
  onReachable: (isReachable: boolean) => void;
}

const retryMs = 60_000;
/** The server refuses it as no sealed request, once it has accepted the token. */
const unopenable = new Uint8Array(1);
/** A server that declines so many messages in a row would decline the others, too. */
const declinedInARowMax = 3;
/** So often the server declines a message that it may decline for ever, if it answers others meanwhile. */
const declinedMax = 3;
/** Leaves live requests more than half of the 600 that the token's relay quota has a minute. */
const deliveriesPerMinuteMax = 240;

export class Deliveries {
  readonly #options: DeliveriesOptions;
  readonly #stopped = new AbortController();
  /** How often the server declined each message. */
  readonly #declined = new Map<string, number>();
  readonly #rate: MinuteLimit;
  #isRunning = false;
  #isReachable = true;
  /** The sessions were told this; undefined if a new one may have been told something else. */
  #toldReachable: boolean | undefined = true;
  #reachesServer: boolean | null = null;
  #cancelRetry: () => void = () => {};

  constructor(options: DeliveriesOptions) {
    this.#options = options;
    this.#rate = new MinuteLimit(deliveriesPerMinuteMax, options.schedule);
  }

  /** False since a delivery had to wait. */
  get isReachable(): boolean {
    return this.#isReachable;
  }

  /** True if the last request got through to the server, false if it did not, null before the first. */
  get reachesServer(): boolean | null {
    return this.#reachesServer;
  }

  /** Must be called when a device comes: the network may be back since the last delivery. */
  async tryAgain(): Promise<void> {
    if (!this.#isReachable) {
      this.#isReachable = true;
      this.#toldReachable = undefined;
    }
    await this.deliver();
  }

  /** Asks the server whether it takes requests with this token. */
  async check(): Promise<void> {
    await this.#post(unopenable);
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

  /** Sends a request that a device at this one's side waits for. */
  async postNow(sealed: Bytes): Promise<PostOutcome> {
    if (this.#options.hasOwnWork()) {
      this.#setReachable(false);
      this.#retryLater();
      return { kind: 'declined' };
    }
    const outcome = await this.#post(sealed);
    const isReachable = outcome.kind !== 'unreachable';
    this.#setReachable(isReachable);
    if (!isReachable) this.#retryLater();
    return outcome;
  }

  stop(): void {
    this.#stopped.abort();
    this.#rate.stop();
    this.#cancelRetry();
  }

  async #deliverAll(): Promise<void> {
    const { messages, hasOwnWork } = this.#options;
    await messages.dropExpired();
    // Only a request shows whether the network is back. A device at this one's side may have one.
    if (messages.heldIds.length === 0) {
      const isReachable = !hasOwnWork();
      this.#setReachable(isReachable);
      if (!isReachable) this.#retryLater();
    }
    const tried = new Set<string>();
    const declined: string[] = [];
    let hasAnswered = false;
    let declinedInARow = 0;
    for (let id = this.#nextId(tried); id !== undefined; id = this.#nextId(tried)) {
      if (!this.#rate.take()) break;
      tried.add(id);
      const outcome = await this.#deliverOne(id);
      if (this.#stopped.signal.aborted) return;
      if (outcome === 'declined') declined.push(id);
      hasAnswered ||= outcome === 'done';
      declinedInARow = outcome === 'declined' ? declinedInARow + 1 : 0;
      const isReachable = outcome !== 'unreachable' && declinedInARow < declinedInARowMax;
      this.#setReachable(isReachable);
      if (!isReachable) break;
    }
    // A server that answers others declines these for their own sake.
    const isStuck = (id: string) => hasAnswered && (this.#declined.get(id) ?? 0) >= declinedMax;
    for (const id of declined.filter(isStuck)) await messages.letGiveWay(id);
    if (messages.heldIds.length > 0) this.#retryLater();
  }

  /** Returns the message that was declined least, so that one that always is holds up no other. */
  #nextId(tried: ReadonlySet<string>): string | undefined {
    const { heldIds } = this.#options.messages;
    for (const id of this.#declined.keys()) if (!heldIds.includes(id)) this.#declined.delete(id);
    const timesOf = (id: string) => this.#declined.get(id) ?? 0;
    return heldIds.filter((id) => !tried.has(id)).toSorted((a, b) => timesOf(a) - timesOf(b))[0];
  }

  async #deliverOne(id: string): Promise<'done' | 'declined' | 'unreachable'> {
    const { messages, hasOwnWork, onAnswered, onFailed } = this.#options;
    if (hasOwnWork()) return 'unreachable';
    const outcome = await this.#post(messages.requestOf(id));
    switch (outcome.kind) {
      case 'answered':
        await messages.storeAnswer(id, outcome.answer, outcome.receipt);
        onAnswered();
        return 'done';
      case 'refused':
        await messages.refuse(id);
        onFailed(id, 'refused');
        return 'done';
      case 'declined':
        this.#declined.set(id, (this.#declined.get(id) ?? 0) + 1);
        onFailed(id, 'later');
        return 'declined';
      case 'unreachable':
        return 'unreachable';
    }
  }

  async #post(sealed: Bytes): Promise<PostOutcome> {
    const outcome = await postSealed(this.#options, sealed, this.#stopped.signal);
    this.#reachesServer = outcome.kind !== 'unreachable';
    return outcome;
  }

  #setReachable(isReachable: boolean): void {
    this.#isReachable = isReachable;
    if (isReachable === this.#toldReachable) return;
    this.#toldReachable = isReachable;
    this.#options.onReachable(isReachable);
  }

  #retryLater(): void {
    if (this.#stopped.signal.aborted) return;
    this.#cancelRetry();
    this.#cancelRetry = this.#options.schedule(retryMs, () => void this.deliver());
  }
}
