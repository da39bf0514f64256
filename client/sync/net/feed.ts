/** Listens to the server's event stream and asks for a pull when there is news. Hints only: a lost one costs a poll's wait. */
import type { Clock } from '../../core/clock.ts';
import { backoffMs } from '../cycle/backoff.ts';
import type { Transport } from './transport.ts';

/** The server sends a comment at least every 20 s; a stream that is silent for longer is dead. */
const silenceMsMax = 45_000;

interface FeedOptions {
  transport: Transport;
  clock: Clock;
  random: () => number;
  /** The cursor of what is here. */
  cursor: () => string | undefined;
  onNews: () => void;
  /** The stream broke and could not be opened again: an idle device does not know why yet. */
  onLost: () => void;
}

export class Feed {
  readonly #options: FeedOptions;
  #failures = 0;
  #stream: AbortController | undefined;
  #cancelTimer: () => void = () => {};

  constructor(options: FeedOptions) {
    this.#options = options;
  }

  start(): void {
    if (!this.#stream) this.#listen();
  }

  stop(): void {
    this.#cancelTimer();
    this.#stream?.abort();
    this.#stream = undefined;
  }

  #listen(): void {
    const { transport, cursor, onNews } = this.#options;
    const stream = new AbortController();
    this.#stream = stream;
    const awaitNext = () => this.#schedule(stream, silenceMsMax, () => stream.abort());
    awaitNext();
    const listener = {
      onAlive: () => {
        this.#failures = 0;
        awaitNext();
      },
      onCursor: (newest: string) => {
        if (newest !== cursor()) onNews();
      },
    };
    const again = () => this.#again(stream);
    transport.events(stream.signal, listener).then(again, again);
  }

  #again(stream: AbortController): void {
    if (this.#stream !== stream) return;
    const { random, onLost } = this.#options;
    this.#schedule(stream, backoffMs(this.#failures++, random()), () => this.#listen());
    // Not at once: a server that is followed by another breaks all streams, and most devices need nothing then.
    if (this.#failures > 1) onLost();
  }

  #schedule(stream: AbortController, ms: number, call: () => void): void {
    if (this.#stream !== stream) return;
    this.#cancelTimer();
    this.#cancelTimer = this.#options.clock.schedule(ms, call);
  }
}
