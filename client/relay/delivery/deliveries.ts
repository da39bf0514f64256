/** Delivers the messages that this device carries, one after another, unless its own work goes first. */
import type { Bytes } from '../../../shared/relay/byte-reader.ts';
import type { FailedCode } from '../../../shared/relay/frames.ts';
import type { CarriedMessages } from '../carried-messages.ts';
import { SealedPosts, type PostOptions, type PostOutcome } from './post-sealed.ts';
import { Attempts } from './attempts.ts';
import { MinuteLimit } from '../minute-limit.ts';

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
/** A request of this length gets through wherever any does. */
const smallBytesMax = 64 * 1024;
/** The server refuses it as no sealed request, once it has accepted the token. */
const unopenable = new Uint8Array(1);
/** A server that declines so many messages in a row would decline the others, too. */
const declinedInARowMax = 3;
/** Devices that come one after another must use up neither the deliveries of a minute nor the patience of the others. */
const newTriesPerMinuteMax = 12;
/** After so many rounds in vain, the first message may be what keeps the others from the server. */
const roundsInVainMax = 3;
/** Leaves live requests more than half of the 600 that the token's relay quota has a minute. */
const deliveriesPerMinuteMax = 240;

export class Deliveries {
  readonly #options: DeliveriesOptions;
  readonly #posts: SealedPosts;
  readonly #attempts = new Attempts();
  /** How many rounds in a row ended at their first message, since nothing got through. */
  #roundsInVain = 0;
  readonly #rate: MinuteLimit;
  readonly #newTries: MinuteLimit;
  /** The messages that were tried in the present round. */
  readonly #tried = new Set<string>();
  #running: Promise<void> | undefined;
  #isDue = false;
  #isReachable = true;
  /** The sessions were told this; undefined if a new one may have been told something else. */
  #toldReachable: boolean | undefined = true;
  #cancelRetry: () => void = () => {};
  #cancelTryLeft: () => void = () => {};

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
  deliver(): Promise<void> {
    this.#isDue = true;
    return (this.#running ??= this.#deliverWhileDue().finally(() => (this.#running = undefined)));
  }

  /** Sends a request that a device at this one's side waits for. */
  async postNow(sealed: Bytes): Promise<PostOutcome> {
    const hasOwnWork = this.#options.hasOwnWork();
    const outcome: PostOutcome = hasOwnWork ? { kind: 'declined' } : await this.#posts.post(sealed);
    // Something on the way may end large requests alone, such as those of photos.
    const mayBeLostAlone = outcome.kind === 'unreachable' && sealed.length > smallBytesMax;
    const isLostAlone = mayBeLostAlone && (await this.#posts.post(unopenable)).kind !== 'unreachable';
    this.#setReachableOrRetry(!hasOwnWork && (outcome.kind !== 'unreachable' || isLostAlone));
    return isLostAlone ? { kind: 'declined' } : outcome;
  }

  stop(): void {
    this.#posts.stop();
    this.#rate.stop();
    this.#newTries.stop();
    this.#cancelRetry();
    this.#cancelTryLeft();
  }

  async #deliverWhileDue(): Promise<void> {
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
  }

  async #deliverAll(): Promise<void> {
    const { messages, hasOwnWork } = this.#options;
    // Only a request shows whether the network is back. A device at this one's side may have one.
    if (messages.heldIds.length === 0) this.#setReachableOrRetry(!hasOwnWork());
    const outcomes = await this.#deliverEach();
    if (this.#posts.isStopped) return;
    const isInVain = [...outcomes.values()].every((outcome) => outcome === 'unreachable');
    if (outcomes.size > 0) this.#roundsInVain = isInVain ? this.#roundsInVain + 1 : 0;
    const idsOf = (...wanted: Outcome[]) => [...outcomes].flatMap(([id, one]) => (wanted.includes(one) ? [id] : []));
    const declined = idsOf('declined', 'lost_alone');
    // A server that answers others, or a request without content, declines these for their own sake.
    const stuck =
      idsOf('done', 'lost_alone').length > 0 ? declined.filter((id) => this.#attempts.isOftenDeclined(id)) : [];
    for (const id of stuck) await messages.letGiveWay(id);
    if (messages.heldIds.length > 0) this.#retryLater();
    // A clock that was wrong may be set right with the network, so only what was tried in vain counts as old.
    await messages.dropExpired(new Set([...declined, ...idsOf('unreachable')]));
  }

  /** Goes on until nothing is left, or nothing gets through. */
  async #deliverEach(): Promise<Map<string, Outcome>> {
    const outcomes = new Map<string, Outcome>();
    // It shows whether the next message is what ends each round, or the network is away.
    if (this.#isDoubtful) await this.#posts.post(unopenable);
    let declinedInARow = 0;
    let hasAnswered = false;
    const nextId = () => this.#attempts.next(this.#options.messages.heldIds, this.#tried);
    for (let id = nextId(); id !== undefined; id = nextId()) {
      if (this.#posts.isQuiet) this.#setReachable(false);
      if (this.#posts.isQuiet || !this.#rate.take()) break;
      this.#tried.add(id);
      const outcome = await this.#deliverOne(id).catch(() => this.#notStored(id));
      if (this.#posts.isStopped) break;
      outcomes.set(id, outcome);
      hasAnswered ||= outcome === 'done';
      // A message that is declined again and again, or beside others that are answered, says nothing of these.
      const isOfAll = outcome === 'declined' && !hasAnswered && !this.#attempts.isOftenDeclined(id);
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

  async #deliverOne(id: string): Promise<Outcome> {
    const { messages, hasOwnWork, onAnswered, onFailed } = this.#options;
    if (hasOwnWork()) return 'own_work';
    const request = messages.requestOf(id);
    const hadReached = this.#posts.hasReached === true;
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
        if (!isOthersWay && hadReached) this.#attempts.countEnding(id);
        if (!isOthersWay) return 'unreachable';
        this.#leaveForLater(id);
        this.#countDeclined(id);
        return 'lost_alone';
    }
  }

  /** True if nothing got through for some rounds, and a request may be sent. */
  get #isDoubtful(): boolean {
    if (this.#roundsInVain < roundsInVainMax || this.#posts.isQuiet) return false;
    return !this.#options.hasOwnWork() && this.#options.messages.heldIds.length > 0;
  }

  /** Devices that come meanwhile must not put the next try off. */
  #leaveForLater(id: string): void {
    if (!this.#attempts.hasLeft) {
      this.#cancelTryLeft = this.#options.schedule(retryMs, () => {
        this.#attempts.tryLeftAgain();
        void this.deliver();
      });
    }
    this.#attempts.leave(id);
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
    if (this.#posts.isStopped) return;
    this.#cancelRetry();
    this.#cancelRetry = this.#options.schedule(retryMs, () => void this.deliver());
  }
}
