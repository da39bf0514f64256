/** One side of a channel of bytes that writes numbered bytes and reads those of the other side. Also runs in pages. */
import type { ByteChannel } from '../../../client/client.ts';

export interface ReadBytes {
  bytes: number;
  /** False if bytes were lost, doubled or swapped. */
  isInOrder: boolean;
  /** `open` if there may be more to read. */
  ended: 'open' | 'closed' | 'broken';
}

export class ChannelSide {
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  readonly #writer: WritableStreamDefaultWriter<Uint8Array>;
  #nextWritten = 0;
  #nextRead = 0;
  #takenBytes = 0;
  #writing: Promise<unknown> = Promise.resolve();

  constructor({ readable, writable }: ByteChannel) {
    this.#reader = readable.getReader();
    this.#writer = writable.getWriter();
  }

  /** Begins to write pieces of these lengths. */
  beginWriting(lengths: number[]): void {
    const writes = lengths.map((length) => {
      const from = this.#nextWritten;
      this.#nextWritten += length;
      const piece = Uint8Array.from({ length }, (_, index) => byteAt(from + index));
      return this.#writer.write(piece).then(() => void (this.#takenBytes += length));
    });
    this.#writing = Promise.all(writes);
    this.#writing.catch(() => undefined);
  }

  /** Resolves to whether the channel took all that this side began to write. */
  untilTaken(): Promise<boolean> {
    return settles(this.#writing);
  }

  /** Returns how many bytes the channel took so far. */
  takenBytes(): number {
    return this.#takenBytes;
  }

  /** Reads so many bytes or some more, or up to the end. */
  async read(bytesMin = Infinity): Promise<ReadBytes> {
    let [bytes, isInOrder] = [0, true];
    while (bytes < bytesMin) {
      const { done, value, isBroken } = await this.#readPiece();
      if (done) return { bytes, isInOrder, ended: isBroken ? 'broken' : 'closed' };
      for (const byte of value) isInOrder &&= byte === byteAt(this.#nextRead++);
      bytes += value.length;
    }
    return { bytes, isInOrder, ended: 'open' };
  }

  /** Resolves to whether the channel ended without a break. */
  close(): Promise<boolean> {
    return settles(this.#writer.close());
  }

  abort(): Promise<boolean> {
    return settles(this.#writer.abort());
  }

  stopReading(): Promise<boolean> {
    return settles(this.#reader.cancel());
  }

  async #readPiece(): Promise<
    { done: false; value: Uint8Array; isBroken: false } | { done: true; value?: undefined; isBroken: boolean }
  > {
    try {
      const { value } = await this.#reader.read();
      return value ? { done: false, value, isBroken: false } : { done: true, isBroken: false };
    } catch {
      return { done: true, isBroken: true };
    }
  }
}

/** Neighbouring bytes, and those of neighbouring messages, are different ones. */
const byteAt = (index: number): number => (index * 7 + (index >> 8) * 31 + (index >> 14) * 5) & 255;

const settles = (work: Promise<unknown>): Promise<boolean> =>
  work.then(
    () => true,
    () => false,
  );
