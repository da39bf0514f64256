/** Sends and receives frames over a channel of bytes, until either side ends it or nothing comes for 30 s. */
import { encodeFrame, FrameReader, type ByeCode, type Frame } from '../../shared/relay/frames.ts';
import type { Clock } from '../core/clock.ts';

/** Any pair of streams that keeps bytes in order, such as that of a data channel. */
export interface ByteChannel {
  readable: ReadableStream<Uint8Array>;
  writable: WritableStream<Uint8Array>;
}

export const silenceMsMax = 30_000;

export class FrameLink {
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  readonly #writer: WritableStreamDefaultWriter<Uint8Array>;
  readonly #schedule: Clock['schedule'];

  constructor({ readable, writable }: ByteChannel, schedule: Clock['schedule']) {
    this.#reader = readable.getReader();
    this.#writer = writable.getWriter();
    this.#schedule = schedule;
  }

  async send(frame: Frame): Promise<void> {
    await this.#writer.ready;
    await this.#writer.write(encodeFrame(frame));
  }

  /** Yields the frames in their order. Ends when the channel ends or breaks, also if the other side breaks the format. */
  async *frames(): AsyncGenerator<Frame> {
    const frames = new FrameReader();
    for (;;) {
      const bytes = await this.#read();
      const read = bytes && frames.push(bytes);
      if (!read) return;
      yield* read;
    }
  }

  /** Tells the other side why, as far as it still listens, and ends the channel. A second call has no effect. */
  async end(code: ByeCode): Promise<void> {
    await this.send({ type: 'bye', code }).catch(() => {});
    await this.close();
  }

  async close(): Promise<void> {
    // Either side of a broken channel may be closed already.
    await Promise.allSettled([this.#writer.close(), this.#reader.cancel()]);
  }

  /** Resolves to undefined at the end of the channel. */
  #read(): Promise<Uint8Array | undefined> {
    return new Promise((resolve) => {
      const cancelTimer = this.#schedule(silenceMsMax, () => resolve(undefined));
      this.#reader.read().then(
        ({ value }) => {
          cancelTimer();
          resolve(value);
        },
        () => {
          cancelTimer();
          resolve(undefined);
        },
      );
    });
  }
}
