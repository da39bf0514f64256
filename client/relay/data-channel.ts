/**
 * Turns a WebRTC data channel into a `ByteChannel`, with flow control. The messages of the data channel are:
 *
 *   binary   at most 16 KiB of the bytes
 *   'end'    this side sends no more bytes
 *   digits   how many bytes this side has read since the channel opened; an `end` counts as one
 *
 * A writer is at most 256 KiB ahead of the other side's reader. The channel's own `bufferedAmount` is not enough for
 * this: a browser receives messages whether its page reads them or not.
 */
import type { Bytes } from '../../shared/relay/byte-reader.ts';
import type { ByteChannel } from './frame-link.ts';

export const messageBytesMax = 16 * 1024;
export const aheadBytesMax = 256 * 1024;
/** This side reports what it has read in steps of this size. A report on each message would double the messages. */
const unreportedBytesMax = 64 * 1024;

export interface ConnectedChannel {
  /** Is closed together with the channel. */
  connection: RTCPeerConnection;
  /** Open, ordered and reliable. */
  channel: RTCDataChannel;
  /** Aborting it breaks the channel. */
  signal: AbortSignal;
}

/** Listens at once, so that no message of the other side is missed. */
export function byteChannelOf(connected: ConnectedChannel): ByteChannel {
  const flow = new DataChannelFlow(connected);
  return {
    // A high-water mark of 0 keeps the stream from buffering: bytes count as read only when the consumer reads them.
    readable: new ReadableStream<Uint8Array>(
      { pull: (controller) => flow.read(controller), cancel: () => flow.discard() },
      { highWaterMark: 0 },
    ),
    writable: new WritableStream<Uint8Array>({
      write: (bytes) => flow.write(bytes),
      close: () => flow.end(),
      abort: () => flow.break(),
    }),
  };
}

class DataChannelFlow {
  readonly #connection: RTCPeerConnection;
  readonly #channel: RTCDataChannel;
  readonly #unread: (Bytes | 'end')[] = [];
  #receivedBytes = 0;
  #readBytes = 0;
  #reportedBytes = 0;
  #sentBytes = 0;
  /** How many bytes the other side reported as read. */
  #takenBytes = 0;
  #isDiscarding = false;
  #isBroken = false;
  /** Once both are true, both directions have ended. */
  #isEndRead = false;
  #isEndSent = false;
  #waiting: (() => void)[] = [];

  constructor({ connection, channel, signal }: ConnectedChannel) {
    this.#connection = connection;
    this.#channel = channel;
    channel.binaryType = 'arraybuffer';
    channel.addEventListener('message', ({ data }: MessageEvent<unknown>) => this.#onMessage(data));
    channel.addEventListener('close', () => this.break());
    connection.addEventListener('connectionstatechange', () => {
      if (connection.connectionState === 'failed') this.break();
    });
    signal.addEventListener('abort', () => this.break(), { once: true });
    if (signal.aborted || channel.readyState !== 'open') this.break();
  }

  async read(controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> {
    let next = this.#unread.shift();
    while (next === undefined && !this.#isBroken && !this.#isDiscarding) {
      await this.#change();
      next = this.#unread.shift();
    }
    if (next === undefined) {
      if (!this.#isDiscarding) controller.error(channelBroke());
    } else {
      if (next === 'end') controller.close();
      else controller.enqueue(next);
      this.#count(next);
    }
  }

  /** Discards everything unread from now on, since the other side may have to finish writing before it reads. */
  discard(): void {
    this.#isDiscarding = true;
    this.#dropUnread();
    this.#tellChange();
  }

  async write(bytes: Uint8Array): Promise<void> {
    for (let at = 0; at < bytes.length; at += messageBytesMax) {
      // Copy the bytes, since the writer may reuse its memory.
      const message = bytes.slice(at, at + messageBytesMax);
      await this.#untilTaken(aheadBytesMax - message.length);
      this.#channel.send(message);
      this.#sentBytes += message.length;
    }
  }

  /** Sends the end. Resolves when the other side has read everything. */
  async end(): Promise<void> {
    await this.#untilTaken(aheadBytesMax - 1);
    this.#say('end');
    this.#sentBytes++;
    this.#isEndSent = true;
    await this.#untilTaken(0);
    this.#closeIfDone();
  }

  /** Closes the connection. The reader still gets the bytes that were received. */
  break(): void {
    if (this.#isBroken) return;
    this.#isBroken = true;
    this.#connection.close();
    this.#tellChange();
  }

  /**
   * Resolves when the other side has read all sent bytes except at most `untakenBytesMax`. Rejects if the channel
   * breaks before.
   */
  async #untilTaken(untakenBytesMax: number): Promise<void> {
    while (!this.#isBroken && this.#sentBytes - this.#takenBytes > untakenBytesMax) await this.#change();
    // Do not reject after both directions have ended. The other side then closes the channel, and its last report may
    // be lost.
    if (this.#isBroken && !(this.#isEndRead && this.#isEndSent)) throw channelBroke();
  }

  #onMessage(data: unknown): void {
    if (data instanceof ArrayBuffer && data.byteLength > 0 && data.byteLength <= messageBytesMax) {
      this.#receive(new Uint8Array(data));
    } else if (data === 'end') this.#receive('end');
    else if (typeof data === 'string' && /^\d{1,15}$/.test(data)) this.#onTaken(Number(data));
    else this.break();
  }

  #receive(message: Bytes | 'end'): void {
    this.#receivedBytes += flowBytesOf(message);
    // Break the channel if the other side ignores this limit, since its bytes would fill the memory.
    if (this.#receivedBytes - this.#reportedBytes > aheadBytesMax) return this.break();
    this.#unread.push(message);
    if (this.#isDiscarding) this.#dropUnread();
    this.#tellChange();
  }

  #onTaken(bytes: number): void {
    if (bytes < this.#takenBytes || bytes > this.#sentBytes) return this.break();
    this.#takenBytes = bytes;
    this.#tellChange();
  }

  #dropUnread(): void {
    for (const message of this.#unread.splice(0)) this.#count(message);
  }

  #count(message: Bytes | 'end'): void {
    this.#readBytes += flowBytesOf(message);
    const isEnd = message === 'end';
    if (!isEnd && this.#readBytes - this.#reportedBytes < unreportedBytesMax) return;
    this.#reportedBytes = this.#readBytes;
    this.#say(String(this.#readBytes));
    this.#isEndRead ||= isEnd;
    this.#closeIfDone();
  }

  #closeIfDone(): void {
    if (this.#isEndRead && this.#isEndSent && this.#takenBytes === this.#sentBytes) this.#channel.close();
  }

  #say(word: string): void {
    if (this.#channel.readyState === 'open') this.#channel.send(word);
  }

  #change(): Promise<void> {
    return new Promise((resolve) => void this.#waiting.push(resolve));
  }

  #tellChange(): void {
    for (const resolve of this.#waiting.splice(0)) resolve();
  }
}

const flowBytesOf = (message: Bytes | 'end'): number => (message === 'end' ? 1 : message.length);

const channelBroke = () => new Error('The data channel broke.');
