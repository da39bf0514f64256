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
/** Devices that come one after another must use up neither the deliveries of a minute nor the patience of the others. */
const newTriesPerMinuteMax = 12;
/** Leaves live requests more than half of the 600 that the token's relay quota has a minute. */
const deliveriesPerMinuteMax = 240;

export class Deliveries {
  readonly #options: DeliveriesOptions;
  readonly #stopped = new AbortController();
  /** How often the server declined each message. */
  readonly #declined = new Map<string, number>();
  readonly #rate: MinuteLimit;
  readonly #newTries: MinuteLimit;
  /** The messages that were tried in the present round. */
  readonly #tried = new Set<string>();
  #isRunning = false;
  #isDue = false;
  #isReachable = true;
  /** The sessions were told this; undefined if a new one may have been told something else. */
  #toldReachable: boolean | undefined = true;
  #reachesServer: boolean | null = null;
  #cancelRetry: () => void = () => {};
  /** Ends the wait that the server asked for; undefined if it asked for none. */
  #cancelQuiet: (() => void) | undefined;

  constructor(options: DeliveriesOptions) {
    this.#options = options;
    this.#rate = new MinuteLimit(deliveriesPerMinuteMax, options.schedule);
    this.#newTries = new MinuteLimit(newTriesPerMinuteMax, options.schedule);
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
      if (!this.#newTries.take()) return;
      this.#isReachable = true;
      this.#toldReachable = undefined;
      this.#tried.clear();
    }
    await this.deliver();
  }

  /** Asks the server whether it takes requests with this token. */
  async check(): Promise<void> {
    await this.#post(unopenable);
  }

  /** Delivers what can be delivered now. A call while it does so lets it go on with what has not been tried yet. */
  async deliver(): Promise<void> {
    this.#isDue = true;
    if (this.#isRunning) return;
    this.#isRunning = true;
    while (this.#isDue && !this.#stopped.signal.aborted) {
      this.#isDue = false;
      this.#cancelRetry();
      this.#tried.clear();
      try {
        await this.#deliverAll();
      } catch {
        // The storage is full, or was closed meanwhile.
        this.#retryLater();
      }
      this.#isDue &&= this.#options.messages.heldIds.some((id) => !this.#tried.has(id));
    }
    this.#isRunning = false;
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
    this.#newTries.stop();
    this.#cancelQuiet?.();
    this.#cancelRetry();
  }

  async #deliverAll(): Promise<void> {
    const { messages, hasOwnWork } = this.#options;
    // Only a request shows whether the network is back. A device at this one's side may have one.
    if (messages.heldIds.length === 0) {
      const isReachable = !hasOwnWork();
      this.#setReachable(isReachable);
      if (!isReachable) this.#retryLater();
    }
    const declined: string[] = [];
    let hasAnswered = false;
    let declinedInARow = 0;
    // A full disk stores no answer. The server answers the same again once there is room.
    const deliver = (id: string) => this.#deliverOne(id).catch(() => 'not_stored' as const);
    for (let id = this.#nextId(); id !== undefined; id = this.#nextId()) {
      if (!this.#rate.take()) break;
      this.#tried.add(id);
      const outcome = await deliver(id);
      if (this.#stopped.signal.aborted) return;
      if (outcome === 'declined' || outcome === 'lost_alone') declined.push(id);
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
    // A clock that was wrong may be set right with the network, so what was not tried yet does not count as old.
    await messages.dropExpired(this.#tried);
  }

  /** Returns the message that was declined least, so that one that always is holds up no other. */
  #nextId(): string | undefined {
    const { heldIds } = this.#options.messages;
    for (const id of this.#declined.keys()) if (!heldIds.includes(id)) this.#declined.delete(id);
    const timesOf = (id: string) => this.#declined.get(id) ?? 0;
    return heldIds.filter((id) => !this.#tried.has(id)).toSorted((a, b) => timesOf(a) - timesOf(b))[0];
  }

  /** `lost_alone`: nothing got through but a request without content, so something on the way refuses this message. */
  async #deliverOne(id: string): Promise<'done' | 'declined' | 'lost_alone' | 'unreachable'> {
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
        this.#countDeclined(id);
        return 'declined';
      case 'unreachable': {
        const waitsAnother = messages.heldIds.some((other) => other !== id && !this.#tried.has(other));
        const isLostAlone = waitsAnother && (await this.#post(unopenable)).kind !== 'unreachable';
        if (!isLostAlone) return 'unreachable';
        this.#countDeclined(id);
        return 'lost_alone';
      }
    }
  }

  #countDeclined(id: string): void {
    this.#declined.set(id, (this.#declined.get(id) ?? 0) + 1);
    this.#options.onFailed(id, 'later');
  }

  async #post(sealed: Bytes): Promise<PostOutcome> {
    if (this.#cancelQuiet) return { kind: 'unreachable' };
    const outcome = await postSealed(this.#options, sealed, this.#stopped.signal);
    this.#reachesServer = outcome.kind !== 'unreachable';
    if (outcome.kind === 'unreachable' && outcome.retryAfterMs !== undefined) this.#beQuiet(outcome.retryAfterMs);
    return outcome;
  }

  #beQuiet(ms: number): void {
    if (this.#stopped.signal.aborted) return;
    this.#cancelQuiet = this.#options.schedule(ms, () => {
      this.#cancelQuiet = undefined;
      void this.deliver();
    });
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
