/**
 * Sends and receives frames over a channel of bytes, until either side ends it, or the other one is silent or takes nothing.
 */
import { encodeFrame, FrameReader, type ByeCode, type Frame } from '../../shared/relay/frames.ts';
import type { Clock } from '../core/clock.ts';
import { MinuteLimit } from './minute-limit.ts';

/** Any pair of streams that keeps bytes in order, such as that of a data channel. */
export interface ByteChannel {
  readable: ReadableStream<Uint8Array>;
  writable: WritableStream<Uint8Array>;
}

export const silenceMsMax = 30_000;
/** Frames to a side that gives and never takes would stay in memory. A slow one takes a frame in this time. */
const unreadMsMax = 120_000;
/** More than both sides say of the largest hand-over. */
const smallFramesPerMinuteMax = 2_000;

export class FrameLink {
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  readonly #writer: WritableStreamDefaultWriter<Uint8Array>;
  readonly #schedule: Clock['schedule'];
  readonly #smallFrames: MinuteLimit;
  /** How often bytes went through, in either direction. */
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
   * Rejects if the channel is broken, if the other side takes nothing and gives nothing for 30 s, or if it takes nothing for
   * 2 minutes. The last two end the channel.
   */
  send(frame: Frame): Promise<void> {
    const writing = this.#writer.write(encodeFrame(frame)).then(() => void this.#writtenFrames++);
    return this.#untilSilence(writing, { isWriting: true });
  }

  /** True once the other side broke the format, or sent so many small frames that they cost more than they bring. */
  get isMisused(): boolean {
    return this.#isMisused;
  }

  /** Yields the frames in their order. Ends when the channel ends, breaks or is misused. */
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

  /** Rejects when nothing went through for 30 s. A channel that goes on in the other direction is slow, for a while. */
  #untilSilence<Value>(work: Promise<Value>, { isWriting = false } = {}): Promise<Value> {
    return new Promise((resolve, reject) => {
      let cancelTimer = () => {};
      let unreadMs = 0;
      const wait = () => {
        const [progress, writtenFrames] = [this.#progress, this.#writtenFrames];
        cancelTimer = this.#schedule(silenceMsMax, () => {
          unreadMs = this.#writtenFrames > writtenFrames ? 0 : unreadMs + silenceMsMax;
          const isUnread = isWriting && unreadMs >= unreadMsMax;
          if (this.#progress > progress && !isUnread) return wait();
          this.giveUp();
          // The reader of the frames may not know that something is to be sent.
          void this.#reader.cancel().catch(() => {});
          reject(new Error(isUnread ? 'The other side takes nothing.' : 'The other side is silent.'));
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
