/**
 * A queue of bytes, first in, first out. It copies each byte only a few times, however small the appended pieces are.
 */
import type { Bytes } from './byte-reader.ts';

export class ByteQueue {
  #buffer: Bytes = new Uint8Array();
  #from = 0;
  #to = 0;

  get length(): number {
    return this.#to - this.#from;
  }

  /** The queued bytes, as a view that the next call may overwrite. */
  get bytes(): Bytes {
    return this.#buffer.subarray(this.#from, this.#to);
  }

  append(piece: Uint8Array): void {
    const { length } = this;
    if (this.#to + piece.length > this.#buffer.length) {
      // Make twice the room that is needed, so that many appends follow before the next copy.
      const neededBytes = 2 * (length + piece.length);
      const buffer = neededBytes > this.#buffer.length ? new Uint8Array(neededBytes) : this.#buffer;
      buffer.set(this.bytes);
      this.#buffer = buffer;
      this.#from = 0;
      this.#to = length;
    }
    this.#buffer.set(piece, this.#to);
    this.#to += piece.length;
  }

  /** Removes the first bytes and returns a copy of them. */
  take(count: number): Bytes {
    const taken = this.bytes.slice(0, count);
    this.#from += taken.length;
    return taken;
  }
}
