/** Carries for devices that come over any number of channels, and delivers what they gave. */
import type { Observable } from 'rxjs';
import type { Clock } from '../core/clock.ts';
import type { CarriedMessages } from './carried-messages.ts';
import { CarrierSession } from './carrier-session.ts';
import type { Carrying, CarryOptions, CarryResult } from './carrier-verbs.ts';
import { Deliveries, type DeliveriesOptions } from './delivery/deliveries.ts';
import { FrameLink, type ByteChannel } from './frame-link.ts';
import { AnswerRoom, type PostLive } from './live-requests.ts';
import { MinuteLimit } from './minute-limit.ts';

interface StationOptions extends Omit<DeliveriesOptions, 'onAnswered' | 'onFailed' | 'onReachable' | 'schedule'> {
  messages: CarriedMessages;
  /** The name of the server, as frames have it. */
  server: string;
  /** The id of this device as a carrier. */
  carrierId: string;
  clock: Pick<Clock, 'schedule'>;
}

interface StationCarryOptions extends CarryOptions {
  /** The ids of the messages that came from the address of the device. One limit holds for them all. */
  broughtIds?: Set<string>;
}

/** A device that says nothing takes a place from others. */
const greetingMsMax = 10_000;
/** More than a device asks that syncs all it has. All sessions of one address share it. */
const asksPerMinuteMax = 120;
/** Leaves deliveries their part of the quota of this device's token. */
const allAsksPerMinuteMax = 300;
/** The part of both that photos leave to recordings. */
const partWithoutPhotos = 2 / 3;
/** Bounds the memory for answers that devices have not read yet. */
const unreadBytesMax = 64 * 1024 * 1024;

export class CarrierStation {
  readonly #options: StationOptions;
  readonly #deliveries: Deliveries;
  readonly #sessions = new Set<CarrierSession>();
  readonly #links = new Set<FrameLink>();
  readonly #room = new AnswerRoom(unreadBytesMax);
  readonly #allAsks: MinuteLimit;
  readonly #asksOfOrigins = new WeakMap<object, MinuteLimit>();

  constructor(options: StationOptions) {
    this.#options = options;
    this.#allAsks = new MinuteLimit(allAsksPerMinuteMax, options.clock.schedule);
    // A session whose channel broke ends by itself.
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

  /** False since a delivery had to wait. */
  get isReachable(): boolean {
    return (globalThis.navigator?.onLine ?? true) && this.#deliveries.isReachable;
  }

  /** True if the last request got through to the server, false if it did not, null before the first. */
  get reachesServer(): boolean | null {
    return this.#deliveries.reachesServer;
  }

  /** Asks the server whether it takes requests with this token. `reachesServer` has the answer. */
  check(): Promise<void> {
    return this.#deliveries.check();
  }

  /** Resolves when the channel has ended, whoever ended it. All sessions of one address pass the same `broughtIds`. */
  async carry(channel: ByteChannel, { broughtIds, onProgress }: StationCarryOptions = {}): Promise<CarryResult> {
    const { clock, messages, server, carrierId } = this.#options;
    const link = new FrameLink(channel, clock.schedule);
    const isOnline = () => this.isReachable;
    const onHeld = () => this.deliver();
    const asks = this.#asksOf(broughtIds);
    const post: PostLive = async (sealed, { isPhoto }) => {
      const part = isPhoto ? partWithoutPhotos : 0;
      const mayPost =
        asks.take(1, { leaving: asksPerMinuteMax * part }) &&
        this.#allAsks.take(1, { leaving: allAsksPerMinuteMax * part });
      return mayPost ? this.#deliveries.postNow(sealed) : { kind: 'busy' };
    };
    const own = { link, messages, server, carrierId, isOnline, room: this.#room };
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
