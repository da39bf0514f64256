/**
 * Transfers a sealed request by QR codes, one way: a screen shows the frames in cycles, and a camera collects them in
 * any order.
 *
 *   frame   base45 of: version (1 byte) │ server (4) │ id (4) │ index (2) │ total (2) │ at most 240 bytes of the request
 *
 * The field `server` has the first 4 bytes of the server's name in frames, since another server never opens the
 * request. The field `id` has the first 4 bytes of the message id. A message id is a hash, so the collected bytes can
 * be verified. A frame fits a QR code of version 10 with error correction level L.
 */
import { fromBase45, toBase45 } from './base45.ts';
import { ByteReader, concat, decodeOrUndefined, uint16, uint8, type Bytes } from './byte-reader.ts';
import { messageIdOf } from './frames.ts';
import { fromHex, toHex } from './hex.ts';

const codeVersion = 2;
const serverBytes = 4;
const idBytes = 4;
export const codeDataBytesMax = 240;
/**
 * Limits the messages that are collected at a time: a screen may show all pushes of a hand-over together. One more
 * message replaces the oldest message.
 */
const messagesMax = 32;

export interface CodeFrame {
  /** The first 4 bytes of the server's name, in hex. */
  server: string;
  /** The first 4 bytes of the message's id, in hex. */
  id: string;
  index: number;
  total: number;
  data: Bytes;
}

interface MessageToShow {
  /** The name of the server in frames. */
  server: string;
  id: string;
  request: Bytes;
  dataBytes?: number;
}

/**
 * Returns the texts of a message's QR codes in order. A small screen passes a smaller `dataBytes`, so that the codes'
 * squares are larger.
 */
export function codeTextsOf({ server, id, request, dataBytes = codeDataBytesMax }: MessageToShow): string[] {
  const total = Math.ceil(request.length / dataBytes);
  return Array.from({ length: total }, (_, index) =>
    encodeCode({
      server: shortServerName(server),
      id: id.slice(0, 2 * idBytes),
      index,
      total,
      data: request.slice(index * dataBytes, (index + 1) * dataBytes),
    }),
  );
}

export function encodeCode({ server, id, index, total, data }: CodeFrame): string {
  return toBase45(concat(uint8(codeVersion), fromHex(server), fromHex(id), uint16(index), uint16(total), data));
}

/** Returns undefined if the text is no frame of this version, for example because the camera read another code. */
export function decodeCode(text: string): CodeFrame | undefined {
  const bytes = fromBase45(text);
  if (!bytes) return undefined;
  return decodeOrUndefined(() => {
    const reader = new ByteReader(bytes);
    if (reader.uint8() !== codeVersion) return undefined;
    const server = toHex(reader.bytes(serverBytes));
    const id = toHex(reader.bytes(idBytes));
    const index = reader.uint16();
    const total = reader.uint16();
    const data = reader.rest();
    const isFrame = index < total && data.length > 0 && data.length <= codeDataBytesMax;
    return isFrame ? { server, id, index, total, data } : undefined;
  });
}

/**
 * Returns the indexes of `count` frames in the order of a cycle. The order differs from cycle to cycle, so that a
 * camera out of step with the screen does not miss the same frames each time.
 */
export function orderOfCycle(count: number, cycle: number): number[] {
  const order = Array.from({ length: count }, (_, index) => index);
  let state = (cycle + 1) * 2_654_435_761;
  for (let last = count - 1; last > 0; last--) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    // Use the high digits: in this generator, they are more random than the low digits.
    const other = Math.floor((state / 2 ** 32) * (last + 1));
    [order[last], order[other]] = [order[other] ?? 0, order[last] ?? 0];
  }
  return order;
}

export type CollectResult =
  /** The text is no frame, or repeats a known one. */
  | { kind: 'nothing' }
  | { kind: 'part'; name: string; have: number; total: number }
  /** The message is complete. Each further frame of it returns this again until `finish` is called. */
  | { kind: 'whole'; name: string; id: string; request: Bytes }
  | { kind: 'other_server'; name: string };

/** Collects the frames of any number of messages for one server. */
export class CodeCollector {
  readonly #messages = new Map<string, { total: number; parts: Map<number, Bytes> }>();
  readonly #done = new Set<string>();
  readonly #server: string;

  /** `server` is the name of the server in frames. */
  constructor(server: string) {
    this.#server = shortServerName(server);
  }

  async add(text: string): Promise<CollectResult> {
    const frame = decodeCode(text);
    if (!frame || this.#done.has(frame.id)) return { kind: 'nothing' };
    if (frame.server !== this.#server) return { kind: 'other_server', name: codeName(frame.id) };
    const { id, index, total, data } = frame;
    const known = this.#messages.get(id);
    const message = known?.total === total ? known : this.#begin(id, total);
    const isWhole = message.parts.size === total;
    if (message.parts.has(index) && !isWhole) return { kind: 'nothing' };
    if (!isWhole) message.parts.set(index, data);
    if (message.parts.size < total) return { kind: 'part', name: codeName(id), have: message.parts.size, total };
    const request = concat(...Array.from({ length: total }, (_, at) => message.parts.get(at) ?? new Uint8Array()));
    const messageId = await messageIdOf(request);
    if (messageId.startsWith(id)) return { kind: 'whole', name: codeName(id), id: messageId, request };
    // The hash differs: a frame was misread, or two screens show messages with the same short id. Start again.
    this.#messages.delete(id);
    return { kind: 'nothing' };
  }

  /** Must be called when the message is stored. Its frames are ignored from then on. */
  finish(messageId: string): void {
    const id = messageId.slice(0, 2 * idBytes);
    this.#messages.delete(id);
    this.#done.add(id);
  }

  #begin(id: string, total: number) {
    const [oldest] = this.#messages.keys();
    if (oldest !== undefined && this.#messages.size >= messagesMax) this.#messages.delete(oldest);
    const message = { total, parts: new Map<number, Bytes>() };
    this.#messages.set(id, message);
    return message;
  }
}

/** Returns a short name of a message. People compare it on the watch and on the phone. */
export const codeName = (id: string): string => id.slice(0, 4).toUpperCase();

const shortServerName = (server: string): string => server.slice(0, 2 * serverBytes);
