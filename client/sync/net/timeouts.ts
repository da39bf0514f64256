/** How long a request to the server may take, and the signal that ends it. */
import type { Clock } from '../../core/clock.ts';
import { SyncFailure } from '../cycle/failure.ts';

/** An exchange in which nothing arrives for so long is given up and tried again. */
const silenceMsMax = 30_000;
const silenceFactorMax = 4;
/** The whole answer has less time than the watchdog of a round, so that the line is known as slow. */
const exchangeMsMax = 80_000;
/** The least speed of an upload that can be split: what takes longer goes in smaller batches. */
const uploadBytesPerMs = 16;
/** The least speed that the server takes, for an upload that cannot be split. */
const uploadBytesPerMsMin = 1;
const uploadMsMax = 20 * 60_000;

/** How long so many bytes may be on their way to the server. */
export const uploadMs = (bytes: number, isAlone: boolean): number =>
  isAlone ? Math.min(bytes / uploadBytesPerMsMin, uploadMsMax) : bytes / uploadBytesPerMs;

/** The signal and the heartbeat of one request. */
interface Timed {
  signal: AbortSignal;
  /** Something arrived, so the silence starts again from zero. */
  onAlive: () => void;
}

export class Timeouts {
  readonly #schedule: Clock['schedule'];
  /** Doubles with each request that was too slow, and halves with each that was not. */
  #silenceFactor = 1;

  constructor(schedule: Clock['schedule']) {
    this.#schedule = schedule;
  }

  /** Runs `request` until it ends, `signal` aborts or its time is over. */
  async within<Result>(
    { signal, sendingMs }: { signal: AbortSignal; sendingMs: number },
    request: (timed: Timed) => Promise<Result>,
  ): Promise<Result> {
    const exchange = new AbortController();
    let timedOut = false;
    const giveUp = () => {
      timedOut = true;
      this.#silenceFactor = Math.min(this.#silenceFactor * 2, silenceFactorMax);
      exchange.abort();
    };
    const silenceMs = Math.min(silenceMsMax * this.#silenceFactor, exchangeMsMax);
    const cancelExchange = this.#schedule(sendingMs + exchangeMsMax, giveUp);
    let cancelSilence = this.#schedule(sendingMs + silenceMs, giveUp);
    const onAlive = () => {
      cancelSilence();
      cancelSilence = this.#schedule(silenceMs, giveUp);
    };
    const abort = () => exchange.abort();
    signal.addEventListener('abort', abort, { once: true });
    if (signal.aborted) abort();
    try {
      const result = await request({ signal: exchange.signal, onAlive });
      this.#silenceFactor = Math.max(1, this.#silenceFactor / 2);
      return result;
    } catch (error) {
      if (timedOut) throw new SyncFailure({ kind: 'unreachable', detail: 'The server took too long.', timedOut });
      throw error;
    } finally {
      cancelExchange();
      cancelSilence();
      signal.removeEventListener('abort', abort);
    }
  }
}
