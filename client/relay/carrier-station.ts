/** Carries messages for any number of devices, one channel each, and delivers their requests to the server. */
import type { Observable } from 'rxjs';
import type { Clock } from '../core/clock.ts';
import type { CarriedMessages } from './carried-messages.ts';
import { CarrierSession } from './carrier-session.ts';
import type { Carrying, CarryOptions, CarryResult } from './carrier-verbs.ts';
import { Deliveries, type DeliveriesOptions } from './delivery/deliveries.ts';
import { FrameLink, type ByteChannel } from './frame-link.ts';
import { AnswerBudget, type PostLive } from './live-requests.ts';
import { MinuteLimit } from './minute-limit.ts';

interface StationOptions extends Omit<DeliveriesOptions, 'onAnswered' | 'onFailed' | 'onReachable' | 'schedule'> {
  messages: CarriedMessages;
  /** The name of the server in frames. */
  server: string;
  /** The id of this device as a carrier. */
  carrierId: string;
  clock: Pick<Clock, 'schedule'>;
}

interface StationCarryOptions extends CarryOptions {
  /** The ids of the messages from the device's address. All sessions of one address share a set and a request limit. */
  broughtIds?: Set<string>;
}

/** A device must send its hello within this time. A silent device would take up a place that other devices need. */
const greetingMsMax = 10_000;
/** Limits the live requests of all sessions of one address. A device needs fewer to sync everything. */
const asksPerMinuteMax = 120;
/** Limits the live requests of all devices, so that a part of the token's quota remains for deliveries. */
const allAsksPerMinuteMax = 300;
/** The share of `asksPerMinuteMax` and of `allAsksPerMinuteMax` that photos leave to recordings. */
const shareLeftByPhotos = 2 / 3;
/** Limits the memory for answers that devices have not read yet. */
const unreadBytesMax = 64 * 1024 * 1024;

export class CarrierStation {
  readonly #options: StationOptions;
  readonly #deliveries: Deliveries;
  readonly #sessions = new Set<CarrierSession>();
  readonly #links = new Set<FrameLink>();
  readonly #answerBudget = new AnswerBudget(unreadBytesMax);
  readonly #allAsks: MinuteLimit;
  readonly #asksOfOrigins = new WeakMap<object, MinuteLimit>();

  constructor(options: StationOptions) {
    this.#options = options;
    this.#allAsks = new MinuteLimit(allAsksPerMinuteMax, options.clock.schedule);
    // Errors are ignored here, since a session with a broken channel ends by itself.
    const tell = (say: (session: CarrierSession) => Promise<void>) => {
      for (const session of this.#sessions) say(session).catch(() => undefined);
    };
    this.#deliveries = new Deliveries({
      ...options,
      schedule: options.clock.schedule,
      onAnswered: () => tell((session) => session.sendAnswers()),
      onFailed: (id, code) => tell((session) => session.onFailed(id, code)),
      onReachable: () => tell((session) => session.sayHello()),
    });
  }

  get carrying$(): Observable<Carrying> {
    return this.#options.messages.carrying$;
  }

  /** False while the browser is offline, or after a delivery had to wait. */
  get isReachable(): boolean {
    return (globalThis.navigator?.onLine ?? true) && this.#deliveries.isReachable;
  }

  /** True if the server took the last request with this token, false if it did not, null before any request. */
  get reachesServer(): boolean | null {
    return this.#deliveries.reachesServer;
  }

  /** Asks the server whether it accepts this token, and stores the result in `reachesServer`. */
  check(): Promise<void> {
    return this.#deliveries.check();
  }

  /**
   * Serves one channel. Resolves when either side has ended it. All sessions of one address pass the same `broughtIds`.
   */
  async carry(channel: ByteChannel, { broughtIds, onProgress }: StationCarryOptions = {}): Promise<CarryResult> {
    const { clock, messages, server, carrierId } = this.#options;
    const link = new FrameLink(channel, clock.schedule);
    const isOnline = () => this.isReachable;
    const onHeld = () => this.deliver();
    const asks = this.#asksOf(broughtIds);
    const post: PostLive = async (sealed, { isPhoto }) => {
      const share = isPhoto ? shareLeftByPhotos : 0;
      const mayPost =
        asks.take(1, { leaving: asksPerMinuteMax * share }) &&
        this.#allAsks.take(1, { leaving: allAsksPerMinuteMax * share });
      return mayPost ? this.#deliveries.postNow(sealed) : { kind: 'busy' };
    };
    const own = { link, messages, server, carrierId, isOnline, answerBudget: this.#answerBudget };
    const session = new CarrierSession({ ...own, onHeld, post, broughtIds, onProgress });
    this.#sessions.add(session);
    this.#links.add(link);
    const cancelGreeting = clock.schedule(greetingMsMax, () => {
      if (!session.isGreeted) void link.end('busy');
    });
    void this.#deliveries.tryAgain();
    const result = await session.run();
    cancelGreeting();
    if (!broughtIds) asks.stop();
    this.#sessions.delete(session);
    this.#links.delete(link);
    return result;
  }

  deliver(): void {
    void this.#deliveries.deliver();
  }

  #asksOf(origin: object = {}): MinuteLimit {
    const asks = this.#asksOfOrigins.get(origin) ?? new MinuteLimit(asksPerMinuteMax, this.#options.clock.schedule);
    this.#asksOfOrigins.set(origin, asks);
    return asks;
  }

  stop(): void {
    this.#deliveries.stop();
    this.#allAsks.stop();
    for (const link of this.#links) void link.close();
  }
}
