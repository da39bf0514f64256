/**
 * Listens to the server's event stream for changes. If the device misses an event, the next poll of the sync state
 * machine finds the changes.
 */
import type { Clock } from '../../core/clock.ts';
import { backoffMsAfter } from './backoff.ts';
import type { Transport } from './transport.ts';

/** The server sends a heartbeat at least every 20 s, so a stream that is silent for longer than this is broken. */
const streamSilenceMsMax = 45_000;

interface FeedOptions {
  transport: Transport;
  clock: Clock;
  random: () => number;
  /** Tells whether this device has all changes up to the newest cursor, or is about to write them. */
  isKnown: (newest: string) => boolean;
  onChanges: () => void;
  /** Called when the stream broke and another attempt to open it failed. The next round finds the cause. */
  onLost: () => void;
}

export class EventFeed {
  readonly #options: FeedOptions;
  /** Counts streams in a row that ended before an event or a heartbeat. */
  #failures = 0;
  #stream: AbortController | undefined;
  #cancelTimer: () => void = () => {};
  /** The last cursor that the event stream announced. */
  #newest: string | undefined;

  constructor(options: FeedOptions) {
    this.#options = options;
  }

  /** Whether the event stream has announced changes that this device does not have. */
  get hasNews(): boolean {
    return this.#newest !== undefined && !this.#options.isKnown(this.#newest);
  }

  start(): void {
    if (!this.#stream) this.#listen();
  }

  stop(): void {
    this.#cancelTimer();
    this.#stream?.abort();
    this.#stream = undefined;
    this.#newest = undefined;
  }

  #listen(): void {
    const { transport, isKnown, onChanges } = this.#options;
    const stream = new AbortController();
    this.#stream = stream;
    const restartTimeout = () => this.#schedule(stream, streamSilenceMsMax, () => stream.abort());
    restartTimeout();
    const listener = {
      onAlive: () => {
        this.#failures = 0;
        restartTimeout();
      },
      onCursor: (newest: string) => {
        this.#newest = newest;
        if (!isKnown(newest)) onChanges();
      },
    };
    const reopen = () => this.#reopenLater(stream);
    transport.events(stream.signal, listener).then(reopen, reopen);
  }

  #reopenLater(stream: AbortController): void {
    if (this.#stream !== stream) return;
    const { random, onLost } = this.#options;
    // Forgets the announced cursor, since pulls may move on to a later cursor before the next stream opens. The next
    // stream begins with the newest cursor.
    this.#newest = undefined;
    this.#schedule(stream, backoffMsAfter(this.#failures++, random()), () => this.#listen());
    // Does not report the first failure: a restart of the server breaks all streams, and the next attempt usually
    // succeeds.
    if (this.#failures > 1) onLost();
  }

  #schedule(stream: AbortController, ms: number, call: () => void): void {
    if (this.#stream !== stream) return;
    this.#cancelTimer();
    this.#cancelTimer = this.#options.clock.schedule(ms, call);
  }
}
