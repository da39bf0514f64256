/**
 * Encodes and decodes the frames between a device that hands over and a carrier, on any channel that keeps bytes in
 * order.
 *
 *   frame    length of type and payload (4 bytes, at most 64 KiB) │ type (1 byte) │ payload
 *   hello    JSON: v, role, server, online, free_bytes; a carrier also sends id and live
 *   give     id (16 bytes) │ total (4) │ offset (4) │ bytes of a sealed request       device → carrier
 *   have     id │ offset: the sender has stored the bytes before the offset           both ways
 *            A device also asks for the answer from this offset on; 0 asks for the whole answer.
 *   answer   id │ total │ offset │ bytes of a sealed answer                           carrier → device
 *   kept     id: the answer is stored, so the carrier may forget it and its request  device → carrier
 *   bye      a code, in ASCII
 *   failed   id │ a code, in ASCII: do not wait for the answer now                    carrier → device
 *   ask      id │ total │ offset │ bytes of a sealed request, which is not stored     device → carrier
 *   photo    id: the ask frames of this id, which follow, are about a photo          device → carrier
 *
 * The id of a message is the first 16 bytes of the SHA-256 of its sealed request, so a repeated message is recognized.
 */
import { ByteQueue } from './byte-queue.ts';
import {
  ByteReader,
  concat,
  decodeOrUndefined,
  throwMalformed,
  uint32,
  uint8,
  utf8,
  type Bytes,
} from './byte-reader.ts';
import { fromHex, toHex } from './hex.ts';
import { decodeHello, type Hello } from './hello.ts';

export const frameVersion = 1;
export const frameBytesMax = 64 * 1024;
/** A smaller frame costs more to read than to send, so `takeSmallFrames` counts it. */
const smallFrameBytesMax = 1024;
const lengthBytes = 4;
const idBytes = 16;
/** The bytes of a frame before a part of a message: type, id, total and offset. */
const partHeaderBytes = 1 + idBytes + 4 + 4;
export const partBytesMax = frameBytesMax - partHeaderBytes;

/**
 * A part of a message: of a sealed request to store (`give`) or to deliver at once (`ask`), or of a sealed answer
 * (`answer`).
 */
export interface PartFrame {
  type: 'give' | 'answer' | 'ask';
  id: string;
  total: number;
  offset: number;
  bytes: Bytes;
}

export interface HaveFrame {
  type: 'have';
  id: string;
  offset: number;
}

/**
 * A frame that only names a message. With `photo`, a carrier can limit photo requests more than requests of the sync. A
 * carrier of an earlier version ignores `photo`.
 */
export interface MessageFrame {
  type: 'kept' | 'photo';
  id: string;
}

/**
 * Why the device should not wait for an answer now. An earlier version reads `busy` as `later`.
 *
 *   later     no answer now: the carrier keeps a given message and tries it again, and drops an asked message
 *   refused   the server will never open the message, and the carrier has dropped it
 *   busy      the carrier has too many asked requests, in this minute or at the same time; this is no failure
 */
export const failedCodes = ['later', 'refused', 'busy'] as const;
export type FailedCode = (typeof failedCodes)[number];

export interface FailedFrame {
  type: 'failed';
  id: string;
  code: FailedCode;
}

export const byeCodes = ['done', 'other_server', 'full', 'too_new', 'busy', 'malformed'] as const;
export type ByeCode = (typeof byeCodes)[number];

export interface ByeFrame {
  type: 'bye';
  code: ByeCode;
}

export type Frame = Hello | PartFrame | HaveFrame | MessageFrame | ByeFrame | FailedFrame;

const typeNumbers = {
  hello: 1,
  give: 2,
  have: 3,
  answer: 4,
  kept: 5,
  bye: 6,
  failed: 7,
  ask: 8,
  photo: 9,
} satisfies Record<Frame['type'], number>;

export function encodeFrame(frame: Frame): Bytes {
  const payload = payloadOf(frame);
  return concat(uint32(payload.length + 1), uint8(typeNumbers[frame.type]), payload);
}

function payloadOf(frame: Frame): Bytes {
  switch (frame.type) {
    case 'hello': {
      const { type: _type, ...fields } = frame;
      return utf8(JSON.stringify(fields));
    }
    case 'give':
    case 'answer':
    case 'ask':
      return concat(fromHex(frame.id), uint32(frame.total), uint32(frame.offset), frame.bytes);
    case 'have':
      return concat(fromHex(frame.id), uint32(frame.offset));
    case 'kept':
    case 'photo':
      return fromHex(frame.id);
    case 'bye':
      return utf8(frame.code);
    case 'failed':
      return concat(fromHex(frame.id), utf8(frame.code));
  }
}

/** Splits the bytes of a channel into frames. */
export class FrameReader {
  readonly #waiting = new ByteQueue();
  #smallFrames = 0;

  /**
   * Takes received bytes, and returns the frames that they complete. Returns undefined if the bytes are malformed,
   * which makes the channel useless. Frames of unknown types are left out.
   */
  push(bytes: Uint8Array): Frame[] | undefined {
    this.#waiting.append(bytes);
    return decodeOrUndefined(() => {
      const frames: Frame[] = [];
      for (;;) {
        const payload = this.#takePayload();
        if (!payload) return frames;
        const frame = decodePayload(new ByteReader(payload));
        if (frame) frames.push(frame);
      }
    });
  }

  /** Returns how many small frames came since the last call, including frames of unknown types. */
  takeSmallFrames(): number {
    const count = this.#smallFrames;
    this.#smallFrames = 0;
    return count;
  }

  #takePayload(): Bytes | undefined {
    if (this.#waiting.length < lengthBytes) return undefined;
    const length = new ByteReader(this.#waiting.bytes).uint32();
    if (length === 0 || length > frameBytesMax) throwMalformed('a frame has no such length');
    if (this.#waiting.length < lengthBytes + length) return undefined;
    if (length < smallFrameBytesMax) this.#smallFrames++;
    this.#waiting.take(lengthBytes);
    return this.#waiting.take(length);
  }
}

function decodePayload(reader: ByteReader): Frame | undefined {
  const number = reader.uint8();
  switch (number) {
    case typeNumbers.hello:
      return decodeHello(reader.rest());
    case typeNumbers.give:
      return decodePart('give', reader);
    case typeNumbers.answer:
      return decodePart('answer', reader);
    case typeNumbers.ask:
      return decodePart('ask', reader);
    case typeNumbers.have:
      return requireFrameEnd(reader, { type: 'have', id: readId(reader), offset: reader.uint32() });
    case typeNumbers.kept:
      return requireFrameEnd(reader, { type: 'kept', id: readId(reader) });
    case typeNumbers.photo:
      return requireFrameEnd(reader, { type: 'photo', id: readId(reader) });
    case typeNumbers.bye:
      return decodeBye(reader.rest());
    case typeNumbers.failed:
      return decodeFailed(reader);
    default:
      return undefined;
  }
}

function decodePart(type: PartFrame['type'], reader: ByteReader): PartFrame {
  const id = readId(reader);
  const total = reader.uint32();
  const offset = reader.uint32();
  const bytes = reader.rest();
  if (bytes.length === 0 || offset + bytes.length > total) throwMalformed('a part does not fit into its message');
  return { type, id, total, offset, bytes };
}

/** Decodes a `bye`. An unknown code of a later version counts as `done`. */
function decodeBye(bytes: Bytes): ByeFrame {
  const text = new TextDecoder().decode(bytes);
  return { type: 'bye', code: byeCodes.find((code) => code === text) ?? 'done' };
}

/** Decodes a `failed`. An unknown code of a later version counts as `later`. */
function decodeFailed(reader: ByteReader): FailedFrame {
  const id = readId(reader);
  const text = new TextDecoder().decode(reader.rest());
  return { type: 'failed', id, code: failedCodes.find((code) => code === text) ?? 'later' };
}

function requireFrameEnd<Value>(reader: ByteReader, value: Value): Value {
  return reader.isAtEnd ? value : throwMalformed('a frame is too long');
}

const readId = (reader: ByteReader): string => toHex(reader.bytes(idBytes));

/** Returns the id of a message, in hex. */
export async function messageIdOf(sealedRequest: Bytes): Promise<string> {
  return toHex(new Uint8Array(await crypto.subtle.digest('SHA-256', sealedRequest)).slice(0, idBytes));
}

const nameBytes = 8;

/** Returns the name of a server in frames. `origin` is the origin of its address, such as `https://gemba.example`. */
export const serverNameOf = (origin: string): Promise<string> => shortHashOf(origin);

/** Returns the id of a carrier. It reveals nothing about the device, and stays the same at each meeting. */
export const carrierIdOf = (deviceId: string): Promise<string> => shortHashOf(`carrier ${deviceId}`);

async function shortHashOf(text: string): Promise<string> {
  return toHex(new Uint8Array(await crypto.subtle.digest('SHA-256', utf8(text))).slice(0, nameBytes));
}
