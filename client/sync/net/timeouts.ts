/** Aborts requests to the server that take too long. */
import type { Clock } from '../../core/clock.ts';
import { RequestError } from './failure.ts';

/** A request that receives no byte for this long is aborted. */
const responseSilenceMsMax = 30_000;
const silenceFactorMax = 4;
/**
 * Limits the time of a whole response. The watchdog's limit (`stallMsMax`) is longer, so that only a hanging storage
 * triggers the watchdog.
 */
const responseTimeoutMs = 80_000;
/** The lowest accepted upload speed of a batch. A slower upload is aborted, and the next batch is smaller. */
const batchBytesPerMsMin = 16;
/**
 * The lowest accepted upload speed of a single mutation, which cannot be split. The server aborts slower uploads, too.
 */
const mutationBytesPerMsMin = 1;
const uploadMsMax = 20 * 60_000;

export const uploadTimeoutMsOf = (bytes: number, isSingle: boolean): number =>
  isSingle ? Math.min(bytes / mutationBytesPerMsMin, uploadMsMax) : bytes / batchBytesPerMsMin;

interface TimedRequest {
  signal: AbortSignal;
  /** Restarts the timeout for silence. Must be called whenever a part of the response arrives. */
  onAlive: () => void;
}

export class RequestTimeouts {
  readonly #schedule: Clock['schedule'];
  /** Multiplies `responseSilenceMsMax`: doubles when a request times out, and halves when a request succeeds. */
  #silenceFactor = 1;

  constructor(schedule: Clock['schedule']) {
    this.#schedule = schedule;
  }

  async run<Result>(
    { signal, sendingMs }: { signal: AbortSignal; sendingMs: number },
    request: (timed: TimedRequest) => Promise<Result>,
  ): Promise<Result> {
    const controller = new AbortController();
    let timedOut = false;
    const giveUp = () => {
      timedOut = true;
      this.#silenceFactor = Math.min(this.#silenceFactor * 2, silenceFactorMax);
      controller.abort();
    };
    const silenceMs = Math.min(responseSilenceMsMax * this.#silenceFactor, responseTimeoutMs);
    const cancelResponse = this.#schedule(sendingMs + responseTimeoutMs, giveUp);
    let cancelSilence = this.#schedule(sendingMs + silenceMs, giveUp);
    const onAlive = () => {
      cancelSilence();
      cancelSilence = this.#schedule(silenceMs, giveUp);
    };
    const abort = () => controller.abort();
    signal.addEventListener('abort', abort, { once: true });
    if (signal.aborted) abort();
    try {
      const result = await request({ signal: controller.signal, onAlive });
      this.#silenceFactor = Math.max(1, this.#silenceFactor / 2);
      return result;
    } catch (error) {
      if (timedOut) throw new RequestError({ kind: 'unreachable', detail: 'The server took too long.', timedOut });
      throw error;
    } finally {
      cancelResponse();
      cancelSilence();
      signal.removeEventListener('abort', abort);
    }
  }
}
