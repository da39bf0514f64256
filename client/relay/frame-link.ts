/** Sends and receives frames over a channel of bytes, until either side ends it or nothing comes for 30 s. */
import { encodeFrame, FrameReader, type ByeCode, type Frame } from '../../shared/relay/frames.ts';
import type { Clock } from '../core/clock.ts';
import { RequestRate } from './request-rate.ts';

/** Any pair of streams that keeps bytes in order, such as that of a data channel. */
export interface ByteChannel {
  readable: ReadableStream<Uint8Array>;
  writable: WritableStream<Uint8Array>;
}

export const silenceMsMax = 30_000;
/** More than both sides say of the largest hand-over. */
const smallFramesPerMinuteMax = 2_000;

export class FrameLink {
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  readonly #writer: WritableStreamDefaultWriter<Uint8Array>;
  readonly #schedule: Clock['schedule'];
  readonly #smallFrames: RequestRate;
  /** How often bytes went through, in either direction. */
  #progress = 0;
  #isStuck = false;

  constructor({ readable, writable }: ByteChannel, schedule: Clock['schedule']) {
    this.#reader = readable.getReader();
    this.#writer = writable.getWriter();
    this.#schedule = schedule;
    this.#smallFrames = new RequestRate(smallFramesPerMinuteMax, schedule);
  }

  /** Rejects if the channel is broken, or if the other side takes nothing and gives nothing for 30 s. */
  send(frame: Frame): Promise<void> {
    return this.#untilSilence(this.#writer.write(encodeFrame(frame)));
  }

  /**
   * Yields the frames in their order. Ends when the channel ends or breaks, also if the other side breaks the format or
   * sends so many small frames that they cost this device more than they bring.
   */
  async *frames(): AsyncGenerator<Frame> {
    const frames = new FrameReader();
    for (;;) {
      const bytes = await this.#read();
      const read = bytes && frames.push(bytes);
      if (!read || !this.#smallFrames.take(frames.takeSmallFrames())) return;
      yield* read;
    }
  }

  /** Tells the other side why, as far as it still listens, and ends the channel. A second call has no effect. */
  async end(code: ByeCode): Promise<void> {
    void this.#discardRest();
    await this.send({ type: 'bye', code }).catch(() => {});
    await this.close();
  }

  /** Lets `close` drop what is still to be sent. */
  giveUp(): void {
    this.#isStuck = true;
  }

  async close(): Promise<void> {
    this.#smallFrames.stop();
    // Either side of a broken channel may be closed already. A stuck one may never say that it was aborted.
    const abort = () => void this.#writer.abort().catch(() => {});
    const closed = this.#isStuck ? abort() : this.#untilSilence(this.#writer.close()).catch(abort);
    await Promise.allSettled([closed, this.#untilSilence(this.#reader.cancel())]);
  }

  /** Resolves to undefined at the end of the channel. */
  #read(): Promise<Uint8Array | undefined> {
    const reading = this.#reader.read();
    return this.#untilSilence(reading).then(
      ({ value }) => value,
      () => undefined,
    );
  }

  /** The other side may have to finish what it writes before it reads. */
  async #discardRest(): Promise<void> {
    let { done } = await endOf(this.#reader.read());
    while (!done) ({ done } = await endOf(this.#reader.read()));
  }

  /** Rejects when nothing went through for 30 s. A channel that goes on in the other direction is slow, not silent. */
  #untilSilence<Value>(work: Promise<Value>): Promise<Value> {
    return new Promise((resolve, reject) => {
      let cancelTimer = () => {};
      const wait = () => {
        const before = this.#progress;
        cancelTimer = this.#schedule(silenceMsMax, () => {
          if (this.#progress > before) return wait();
          this.#isStuck = true;
          reject(new Error('The other side is silent.'));
        });
      };
      wait();
      const end = () => {
        cancelTimer();
        this.#progress++;
      };
      work.finally(end).then(resolve, reject);
    });
  }
}

const endOf = (reading: Promise<{ done: boolean }>): Promise<{ done: boolean }> =>
  reading.catch(() => ({ done: true }));
