/** Limits how long a request to the server may take, and aborts a request that takes longer. */
import type { Clock } from '../../core/clock.ts';
import { RequestError } from './failure.ts';

/** A request during which nothing arrives for this long is aborted and tried again later. */
const silenceMsMax = 30_000;
const silenceFactorMax = 4;
/** The time for the whole response; shorter than the watchdog's, so that a slow line is not taken for a stalled device. */
const exchangeMsMax = 80_000;
/** The least upload speed for several mutations: a batch that uploads more slowly is aborted, and a smaller one is sent. */
const uploadBytesPerMs = 16;
/** The least upload speed for a single mutation, which cannot be split; the server aborts slower uploads. */
const uploadBytesPerMsMin = 1;
const uploadMsMax = 20 * 60_000;

/** How long an upload of `bytes` may take. */
export const uploadMs = (bytes: number, isAlone: boolean): number =>
  isAlone ? Math.min(bytes / uploadBytesPerMsMin, uploadMsMax) : bytes / uploadBytesPerMs;

/** The signal and the heartbeat of one request. */
interface Timed {
  signal: AbortSignal;
  /** Restarts the timeout for silence, because a part of the response arrived. */
  onAlive: () => void;
}

export class Timeouts {
  readonly #schedule: Clock['schedule'];
  /** Lengthens the timeout for silence: it doubles with each request that timed out and halves with each that succeeded. */
  #silenceFactor = 1;

  constructor(schedule: Clock['schedule']) {
    this.#schedule = schedule;
  }

  /** Runs `request`, and aborts it when `signal` aborts or its time is over. */
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
      if (timedOut) throw new RequestError({ kind: 'unreachable', detail: 'The server took too long.', timedOut });
      throw error;
    } finally {
      cancelExchange();
      cancelSilence();
      signal.removeEventListener('abort', abort);
    }
  }
}
