/** Delivers the messages that this device carries, one after another, unless its own work goes first. */
import type { Bytes } from '../../shared/relay/byte-reader.ts';
import type { FailedCode } from '../../shared/relay/frames.ts';
import type { CarriedMessages } from './carried-messages.ts';
import { SealedPosts, type PostOptions, type PostOutcome } from './post-sealed.ts';
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

/** `lost_alone`: only a request without content got through, so something on the way refuses this message. */
type Outcome = 'done' | 'declined' | 'lost_alone' | 'unreachable' | 'own_work' | 'not_stored';

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
  readonly #posts: SealedPosts;
  /** How often the server declined each message. */
  readonly #declined = new Map<string, number>();
  readonly #rate: MinuteLimit;
  readonly #newTries: MinuteLimit;
  /** The messages that were tried in the present round. */
  readonly #tried = new Set<string>();
  /** The messages that did not get through while a request without content did, until the next retry. */
  readonly #lostAlone = new Set<string>();
  #isRunning = false;
  #isDue = false;
  #isReachable = true;
  /** The sessions were told this; undefined if a new one may have been told something else. */
  #toldReachable: boolean | undefined = true;
  #cancelRetry: () => void = () => {};

  constructor(options: DeliveriesOptions) {
    this.#options = options;
    this.#posts = new SealedPosts(options, () => void this.deliver());
    this.#rate = new MinuteLimit(deliveriesPerMinuteMax, options.schedule);
    this.#newTries = new MinuteLimit(newTriesPerMinuteMax, options.schedule);
  }

  /** False since a delivery had to wait. */
  get isReachable(): boolean {
    return this.#isReachable;
  }

  /** True if the last request got through to the server, false if it did not, null before the first. */
  get reachesServer(): boolean | null {
    return this.#posts.hasReached;
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
    await this.#posts.post(unopenable);
  }

  /** Delivers what can be delivered now. A call while it does so lets it go on with what has not been tried yet. */
  async deliver(): Promise<void> {
    this.#isDue = true;
    if (this.#isRunning) return;
    this.#isRunning = true;
    while (this.#isDue && !this.#posts.isStopped) {
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
    const outcome = await this.#posts.post(sealed);
    const isReachable = outcome.kind !== 'unreachable';
    this.#setReachable(isReachable);
    if (!isReachable) this.#retryLater();
    return outcome;
  }

  stop(): void {
    this.#posts.stop();
    this.#rate.stop();
    this.#newTries.stop();
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
    const outcomes = await this.#deliverEach();
    if (this.#posts.isStopped) return;
    const idsOf = (...wanted: Outcome[]) => [...outcomes].flatMap(([id, one]) => (wanted.includes(one) ? [id] : []));
    const declined = idsOf('declined', 'lost_alone');
    // A server that answers others declines these for their own sake.
    const stuck = idsOf('done').length > 0 ? declined.filter((id) => this.#isOftenDeclined(id)) : [];
    for (const id of stuck) await messages.letGiveWay(id);
    if (messages.heldIds.length > 0) this.#retryLater();
    // A clock that was wrong may be set right with the network, so only what was tried in vain counts as old.
    await messages.dropExpired(new Set([...declined, ...idsOf('unreachable')]));
  }

  /** Goes on until nothing is left, or nothing gets through. */
  async #deliverEach(): Promise<Map<string, Outcome>> {
    const outcomes = new Map<string, Outcome>();
    let declinedInARow = 0;
    let hasAnswered = false;
    for (let id = this.#nextId(); id !== undefined; id = this.#nextId()) {
      if (this.#posts.isQuiet) this.#setReachable(false);
      if (this.#posts.isQuiet || !this.#rate.take()) break;
      this.#tried.add(id);
      const outcome = await this.#deliverOne(id).catch(() => this.#notStored(id));
      if (this.#posts.isStopped) break;
      outcomes.set(id, outcome);
      hasAnswered ||= outcome === 'done';
      // A message that is declined again and again, or beside others that are answered, says nothing of these.
      const isOfAll = outcome === 'declined' && !hasAnswered && !this.#isOftenDeclined(id);
      declinedInARow = isOfAll ? declinedInARow + 1 : 0;
      const isHeldUp = outcome === 'unreachable' || outcome === 'own_work' || declinedInARow >= declinedInARowMax;
      this.#setReachable(!isHeldUp);
      if (isHeldUp) break;
    }
    return outcomes;
  }

  /** A full disk stores no answer. The server answers the same again once there is room. */
  #notStored(id: string): Outcome {
    this.#options.onFailed(id, 'later');
    return 'not_stored';
  }

  #isOftenDeclined(id: string): boolean {
    return (this.#declined.get(id) ?? 0) >= declinedMax;
  }

  /**
   * Returns the message that was declined least, so that one that always is holds up no other. One that is swallowed on the
   * way takes minutes, so it waits for the retry.
   */
  #nextId(): string | undefined {
    const { heldIds } = this.#options.messages;
    for (const id of this.#declined.keys()) if (!heldIds.includes(id)) this.#declined.delete(id);
    const timesOf = (id: string) => this.#declined.get(id) ?? 0;
    const isOpen = (id: string) => !this.#tried.has(id) && !this.#lostAlone.has(id);
    return heldIds.filter(isOpen).toSorted((a, b) => timesOf(a) - timesOf(b))[0];
  }

  async #deliverOne(id: string): Promise<Outcome> {
    const { messages, hasOwnWork, onAnswered, onFailed } = this.#options;
    if (hasOwnWork()) return 'own_work';
    const request = messages.requestOf(id);
    const first = await this.#posts.post(request);
    const isOthersWay = first.kind === 'unreachable' && (await this.#posts.post(unopenable)).kind !== 'unreachable';
    // The network may have come back between the two.
    const outcome = isOthersWay ? await this.#posts.post(request) : first;
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
      case 'unreachable':
        if (!isOthersWay) return 'unreachable';
        this.#lostAlone.add(id);
        this.#countDeclined(id);
        return 'lost_alone';
    }
  }

  #countDeclined(id: string): void {
    this.#declined.set(id, (this.#declined.get(id) ?? 0) + 1);
    this.#options.onFailed(id, 'later');
  }

  #setReachable(isReachable: boolean): void {
    this.#isReachable = isReachable;
    if (isReachable === this.#toldReachable) return;
    this.#toldReachable = isReachable;
    this.#options.onReachable(isReachable);
  }

  #retryLater(): void {
    if (this.#posts.isStopped) return;
    this.#cancelRetry();
    this.#cancelRetry = this.#options.schedule(retryMs, () => {
      this.#lostAlone.clear();
      void this.deliver();
    });
  }
}
