/**
 * Sends and receives frames over a channel of bytes. The link ends when either side ends it, or when the other side is
 * silent or reads nothing for too long.
 */
import { encodeFrame, FrameReader, type ByeCode, type Frame } from '../../shared/relay/frames.ts';
import type { Clock } from '../core/clock.ts';
import { MinuteLimit } from './minute-limit.ts';

/** Any pair of streams that keeps bytes in order, such as a data channel's. */
export interface ByteChannel {
  readable: ReadableStream<Uint8Array>;
  writable: WritableStream<Uint8Array>;
}

export const silenceMsMax = 30_000;
/** The link ends if the other side reads no frame for this long, since unread frames fill the memory. */
const stalledMsMax = 120_000;
/** Limits the small frames of a minute. The largest hand-over needs fewer. */
const smallFramesPerMinuteMax = 2_000;

export class FrameLink {
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  readonly #writer: WritableStreamDefaultWriter<Uint8Array>;
  readonly #schedule: Clock['schedule'];
  readonly #smallFrames: MinuteLimit;
  /** Counts the reads and writes that have ended. */
  #progress = 0;
  #writtenFrames = 0;
  #isStuck = false;
  #isMisused = false;

  constructor({ readable, writable }: ByteChannel, schedule: Clock['schedule']) {
    this.#reader = readable.getReader();
    this.#writer = writable.getWriter();
    this.#schedule = schedule;
    this.#smallFrames = new MinuteLimit(smallFramesPerMinuteMax, schedule);
  }

  /**
   * Rejects if the channel is broken. Ends the channel and rejects if the other side neither reads nor sends for 30 s,
   * or reads nothing for 2 minutes.
   */
  send(frame: Frame): Promise<void> {
    const writing = this.#writer.write(encodeFrame(frame)).then(() => void this.#writtenFrames++);
    return this.#untilSilence(writing, { isWriting: true });
  }

  /** True once the other side sent a malformed frame, or too many small frames. */
  get isMisused(): boolean {
    return this.#isMisused;
  }

  /** Yields the received frames in order. Ends when the channel ends, breaks or is misused. */
  async *frames(): AsyncGenerator<Frame> {
    const frames = new FrameReader();
    for (;;) {
      const bytes = await this.#read();
      if (!bytes) return;
      const read = frames.push(bytes);
      const emptyReads = bytes.length === 0 ? 1 : 0;
      this.#isMisused = !read || !this.#smallFrames.take(frames.takeSmallFrames() + emptyReads);
      if (!read || this.#isMisused) return;
      yield* read;
    }
  }

  /** Sends the other side the reason, and closes the channel. A second call has no effect. */
  async end(code: ByeCode): Promise<void> {
    void this.#discardRest();
    await this.send({ type: 'bye', code }).catch(() => {});
    await this.close();
  }

  /** Makes `close` drop the frames that are not sent yet. */
  giveUp(): void {
    this.#isStuck = true;
  }

  async close(): Promise<void> {
    this.#smallFrames.stop();
    // Errors are ignored, since a broken channel may be closed already. A stuck stream may never confirm its abort.
    const abort = () => void this.#writer.abort().catch(() => {});
    const closed = this.#isStuck ? abort() : this.#untilSilence(this.#writer.close()).catch(abort);
    await Promise.allSettled([closed, this.#untilSilence(this.#reader.cancel())]);
  }

  /** Resolves to undefined when the channel has ended. */
  #read(): Promise<Uint8Array | undefined> {
    const reading = this.#reader.read();
    return this.#untilSilence(reading).then(
      ({ value }) => value,
      () => undefined,
    );
  }

  /** Reads and drops the rest, since the other side may have to finish writing before it reads. */
  async #discardRest(): Promise<void> {
    let { done } = await failureAsEnd(this.#reader.read());
    while (!done) ({ done } = await failureAsEnd(this.#reader.read()));
  }

  /**
   * Rejects after 30 s without any bytes. While bytes still flow in the other direction, a write may wait for up to 2
   * minutes.
   */
  #untilSilence<Value>(work: Promise<Value>, { isWriting = false } = {}): Promise<Value> {
    return new Promise((resolve, reject) => {
      let cancelTimer = () => {};
      let stalledMs = 0;
      const wait = () => {
        const [progress, writtenFrames] = [this.#progress, this.#writtenFrames];
        cancelTimer = this.#schedule(silenceMsMax, () => {
          stalledMs = this.#writtenFrames > writtenFrames ? 0 : stalledMs + silenceMsMax;
          const isStalled = isWriting && stalledMs >= stalledMsMax;
          if (this.#progress > progress && !isStalled) return wait();
          this.giveUp();
          // Also end the reading of frames, since `frames` does not notice this failed write.
          void this.#reader.cancel().catch(() => {});
          reject(new Error(isStalled ? 'The other side takes nothing.' : 'The other side is silent.'));
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

const failureAsEnd = (reading: Promise<{ done: boolean }>): Promise<{ done: boolean }> =>
  reading.catch(() => ({ done: true }));
