/** Reads and writes the fields of binary messages: fixed integers, and variable-length integers (RFC 9000, 16). */

/** Bytes in an `ArrayBuffer` that is not shared, as WebCrypto requires. */
export type Bytes = Uint8Array<ArrayBuffer>;

/** Thrown inside decoders for bytes that no encoder makes. Callers of a decoder get undefined instead. */
class MalformedBytes extends Error {
  override name = 'MalformedBytes';
}

export function throwMalformed(what: string): never {
  throw new MalformedBytes(what);
}

/** Returns the result of `decode`, or undefined if it called `throwMalformed`. */
export function decodeOrUndefined<Value>(decode: () => Value): Value | undefined {
  try {
    return decode();
  } catch (error) {
    if (error instanceof MalformedBytes) return undefined;
    throw error;
  }
}

export class ByteReader {
  readonly #bytes: Bytes;
  readonly #view: DataView;
  #at = 0;

  constructor(bytes: Bytes) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  get isAtEnd(): boolean {
    return this.#at === this.#bytes.length;
  }

  uint8(): number {
    return this.#view.getUint8(this.#take(1));
  }

  uint16(): number {
    return this.#view.getUint16(this.#take(2));
  }

  uint32(): number {
    return this.#view.getUint32(this.#take(4));
  }

  /** Reads a variable-length integer. A number from 2^53 on is malformed, since no message is so long. */
  varint(): number {
    const first = this.uint8();
    const bytesAfter = 2 ** (first >> 6) - 1;
    let value = first & 0x3f;
    for (let index = 0; index < bytesAfter; index++) value = value * 256 + this.uint8();
    return Number.isSafeInteger(value) ? value : throwMalformed('a number is too large');
  }

  bytes(length: number): Bytes {
    const from = this.#take(length);
    return this.#bytes.subarray(from, from + length);
  }

  /** Reads a variable-length integer and then that many bytes. */
  lengthPrefixed(): Bytes {
    return this.bytes(this.varint());
  }

  rest(): Bytes {
    return this.bytes(this.#bytes.length - this.#at);
  }

  #take(length: number): number {
    const from = this.#at;
    if (length > this.#bytes.length - from) throwMalformed('the bytes end too early');
    this.#at = from + length;
    return from;
  }
}

export function concat(...parts: readonly Uint8Array[]): Bytes {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

export const uint8 = (value: number): Bytes => Uint8Array.of(value);
export const uint16 = (value: number): Bytes => Uint8Array.of(value >> 8, value & 255);

export function uint32(value: number): Bytes {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setUint32(0, value);
  return bytes;
}

/** Writes the shortest form of the number. */
export function varint(value: number): Bytes {
  if (value < 2 ** 6) return uint8(value);
  if (value < 2 ** 14) return uint16(value + 2 ** 14);
  if (value < 2 ** 30) return uint32(value + 2 ** 31);
  return concat(uint32(Math.floor(value / 2 ** 32) + 3 * 2 ** 30), uint32(value % 2 ** 32));
}

export const lengthPrefixed = (bytes: Uint8Array): Bytes => concat(varint(bytes.length), bytes);

export const utf8 = (text: string): Bytes => new TextEncoder().encode(text);
