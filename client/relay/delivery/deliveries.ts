/** Delivers the carried messages, one after another, unless this device's own unsent work goes first. */
import type { Bytes } from '../../../shared/relay/byte-reader.ts';
import type { FailedCode } from '../../../shared/relay/frames.ts';
import type { CarriedMessages } from '../carried-messages.ts';
import { SealedRequestSender, type PostOptions, type PostOutcome } from './post-sealed.ts';
import { DeliveryAttempts } from './delivery-attempts.ts';
import { MinuteLimit } from '../minute-limit.ts';

export interface DeliveriesOptions extends PostOptions {
  messages: CarriedMessages;
  /** True while this device's own unsent work goes first. */
  hasOwnWork: () => boolean;
  onAnswered: () => void;
  /** Called when a message got no answer. The code is `refused` if the server will never answer the message. */
  onFailed: (id: string, code: FailedCode) => void;
  /** Called with false when deliveries must wait, for the server or for own work, and with true when they go on. */
  onReachable: (isReachable: boolean) => void;
}

/** `lost_alone`: the network loses this message, although a probe reaches the server. */
type SendOutcome = 'done' | 'declined' | 'lost_alone' | 'unreachable' | 'own_work' | 'not_stored';

const retryMs = 60_000;
/** A request up to this length reaches the server if any request does. */
const smallBytesMax = 64 * 1024;
/** Probes the network: the server checks the token, and then refuses this single byte, which is no sealed request. */
const probe = new Uint8Array(1);
/** After this many declined messages in a row, the server is likely to decline every message, so the round ends. */
const declinedInARowMax = 3;
/** Limits the tries that connecting devices cause, so that these tries do not use up a minute's deliveries. */
const triesOnArrivalPerMinuteMax = 12;
/** After this many rounds in vain, the first message may itself break the connection, so a probe goes before it. */
const roundsInVainMax = 3;
/** Limits the deliveries, so that live requests get more than half of the token's quota of 600 requests a minute. */
const deliveriesPerMinuteMax = 240;

export class Deliveries {
  readonly #options: DeliveriesOptions;
  readonly #requestSender: SealedRequestSender;
  readonly #attempts = new DeliveryAttempts();
  /** How many rounds in a row ended because their first message did not reach the server. */
  #roundsInVain = 0;
  readonly #rate: MinuteLimit;
  readonly #triesOnArrival: MinuteLimit;
  /** The messages that the present round has tried. */
  readonly #tried = new Set<string>();
  #running: Promise<void> | undefined;
  #isDue = false;
  #isReachable = true;
  /** The last value given to `onReachable`; undefined if a new session may have read another one in `isReachable`. */
  #toldReachable: boolean | undefined = true;
  #cancelRetry: () => void = () => {};
  #cancelPostponed: () => void = () => {};

  constructor(options: DeliveriesOptions) {
    this.#options = options;
    this.#requestSender = new SealedRequestSender(options, () => void this.deliver());
    this.#rate = new MinuteLimit(deliveriesPerMinuteMax, options.schedule);
    this.#triesOnArrival = new MinuteLimit(triesOnArrivalPerMinuteMax, options.schedule);
  }

  /** Turns false when a delivery must wait, and true when a request reaches the server. */
  get isReachable(): boolean {
    return this.#isReachable;
  }

  /** True if the server took the last request with this token, false if it did not, null before any request. */
  get reachesServer(): boolean | null {
    return this.#requestSender.hasReachedServer;
  }

  /** Must be called when a device connects. Tries a delivery, since the network may be back. */
  async tryAgain(): Promise<void> {
    if (!this.#isReachable) {
      if (!this.#triesOnArrival.take()) return;
      this.#isReachable = true;
      this.#toldReachable = undefined;
      this.#tried.clear();
    }
    await this.deliver();
  }

  /** Asks the server whether it accepts this token. */
  async check(): Promise<void> {
    await this.#requestSender.post(probe);
  }

  /** Delivers all messages that can be delivered now. A call during a delivery adds a round for untried messages. */
  deliver(): Promise<void> {
    this.#isDue = true;
    return (this.#running ??= this.#deliverWhileDue().finally(() => (this.#running = undefined)));
  }

  /** Sends a live request, whose answer a connected device waits for. */
  async postNow(sealed: Bytes): Promise<PostOutcome> {
    const hasOwnWork = this.#options.hasOwnWork();
    const outcome: PostOutcome = hasOwnWork ? { kind: 'declined' } : await this.#requestSender.post(sealed);
    // A proxy may cut off large requests alone, such as photos. Then the network counts as reachable.
    const mayBeLostAlone = outcome.kind === 'unreachable' && sealed.length > smallBytesMax;
    const isLostAlone = mayBeLostAlone && (await this.#requestSender.post(probe)).kind !== 'unreachable';
    this.#setReachableOrRetry(!hasOwnWork && (outcome.kind !== 'unreachable' || isLostAlone));
    return isLostAlone ? { kind: 'declined' } : outcome;
  }

  stop(): void {
    this.#requestSender.stop();
    this.#rate.stop();
    this.#triesOnArrival.stop();
    this.#cancelRetry();
    this.#cancelPostponed();
  }

  async #deliverWhileDue(): Promise<void> {
    while (this.#isDue && !this.#requestSender.isStopped) {
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
  }

  async #deliverAll(): Promise<void> {
    const { messages, hasOwnWork } = this.#options;
    // Without held messages, assume that the server is reachable. A live request will correct a wrong assumption.
    if (messages.heldIds.length === 0) this.#setReachableOrRetry(!hasOwnWork());
    const outcomes = await this.#deliverEach();
    if (this.#requestSender.isStopped) return;
    const isInVain = [...outcomes.values()].every((outcome) => outcome === 'unreachable');
    if (outcomes.size > 0) this.#roundsInVain = isInVain ? this.#roundsInVain + 1 : 0;
    const idsOf = (...kinds: SendOutcome[]) => [...outcomes].flatMap(([id, one]) => (kinds.includes(one) ? [id] : []));
    const declined = idsOf('declined', 'lost_alone');
    // The server answered other messages or a probe, so the fault is in these messages.
    const stuck =
      idsOf('done', 'lost_alone').length > 0 ? declined.filter((id) => this.#attempts.isOftenDeclined(id)) : [];
    for (const id of stuck) await messages.letGiveWay(id);
    if (messages.heldIds.length > 0) this.#retryLater();
    // Expire only messages that were tried just now. The clock may have been wrong until the network came back.
    await messages.dropExpired(new Set([...declined, ...idsOf('unreachable')]));
  }

  /** Delivers one message after another until none is left, or the server is unreachable. */
  async #deliverEach(): Promise<Map<string, SendOutcome>> {
    const outcomes = new Map<string, SendOutcome>();
    // A probe shows whether the network is lost, or whether the next message breaks the connection.
    if (this.#shouldProbe) await this.#requestSender.post(probe);
    let declinedInARow = 0;
    let hasAnswered = false;
    const nextId = () => this.#attempts.next(this.#options.messages.heldIds, this.#tried);
    for (let id = nextId(); id !== undefined; id = nextId()) {
      if (this.#requestSender.mustWait) this.#setReachable(false);
      if (this.#requestSender.mustWait || !this.#rate.take()) break;
      this.#tried.add(id);
      const outcome = await this.#deliverOne(id).catch(() => this.#onNotStored(id));
      if (this.#requestSender.isStopped) break;
      outcomes.set(id, outcome);
      hasAnswered ||= outcome === 'done';
      // Suspect the message and not the server if the server answered another one, or often declined this one.
      const mayBeServersFault = outcome === 'declined' && !hasAnswered && !this.#attempts.isOftenDeclined(id);
      declinedInARow = mayBeServersFault ? declinedInARow + 1 : 0;
      const isHeldUp = outcome === 'unreachable' || outcome === 'own_work' || declinedInARow >= declinedInARowMax;
      this.#setReachable(!isHeldUp);
      if (isHeldUp) break;
    }
    return outcomes;
  }

  /** Must be called when the disk cannot store an answer. The server gives the same answer to the next delivery. */
  #onNotStored(id: string): SendOutcome {
    this.#options.onFailed(id, 'later');
    return 'not_stored';
  }

  async #deliverOne(id: string): Promise<SendOutcome> {
    const { messages, hasOwnWork, onAnswered, onFailed } = this.#options;
    if (hasOwnWork()) return 'own_work';
    const request = messages.requestOf(id);
    const hadReachedServer = this.#requestSender.hasReachedServer === true;
    const firstOutcome = await this.#requestSender.post(request);
    const isLostAlone =
      firstOutcome.kind === 'unreachable' && (await this.#requestSender.post(probe)).kind !== 'unreachable';
    // Try again, since the network may have come back between the two requests.
    const outcome = isLostAlone ? await this.#requestSender.post(request) : firstOutcome;
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
        if (!isLostAlone && hadReachedServer) this.#attempts.countConnectionLoss(id);
        if (!isLostAlone) return 'unreachable';
        this.#postpone(id);
        this.#countDeclined(id);
        return 'lost_alone';
    }
  }

  /** True if the last rounds reached no server, and this device may send a request. */
  get #shouldProbe(): boolean {
    if (this.#roundsInVain < roundsInVainMax || this.#requestSender.mustWait) return false;
    return !this.#options.hasOwnWork() && this.#options.messages.heldIds.length > 0;
  }

  /** Postpones the message until a timer retries all postponed messages, even if a device connects earlier. */
  #postpone(id: string): void {
    if (!this.#attempts.hasPostponed) {
      this.#cancelPostponed = this.#options.schedule(retryMs, () => {
        this.#attempts.retryPostponed();
        void this.deliver();
      });
    }
    this.#attempts.postpone(id);
  }

  #countDeclined(id: string): void {
    this.#attempts.countDeclined(id);
    this.#options.onFailed(id, 'later');
  }

  #setReachableOrRetry(isReachable: boolean): void {
    this.#setReachable(isReachable);
    if (!isReachable) this.#retryLater();
  }

  #setReachable(isReachable: boolean): void {
    this.#isReachable = isReachable;
    if (isReachable === this.#toldReachable) return;
    this.#toldReachable = isReachable;
    this.#options.onReachable(isReachable);
  }

  #retryLater(): void {
    if (this.#requestSender.isStopped) return;
    this.#cancelRetry();
    this.#cancelRetry = this.#options.schedule(retryMs, () => void this.deliver());
  }
}
