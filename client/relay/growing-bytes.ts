/** Collects the parts of one message. Copies each byte a few times at most, however small the parts are. */
import type { Bytes } from '../../shared/relay/byte-reader.ts';

export class GrowingBytes {
  #buffer: Bytes = new Uint8Array();
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** The bytes so far, as a view that the next part may leave behind. */
  get bytes(): Bytes {
    return this.#buffer.subarray(0, this.#length);
  }

  append(part: Uint8Array): void {
    const length = this.#length + part.length;
    if (length > this.#buffer.length) {
      const grown = new Uint8Array(Math.max(length, 2 * this.#buffer.length));
      grown.set(this.bytes);
      this.#buffer = grown;
    }
    this.#buffer.set(part, this.#length);
    this.#length = length;
  }
}
