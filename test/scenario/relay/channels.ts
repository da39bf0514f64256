/** Channels of bytes between two devices, and a device that speaks frames over them. */
import { PassThrough, Readable, Writable } from 'node:stream';
import type { ByteChannel } from '../../../client/client.ts';
import { encodeFrame, FrameReader, partBytesMax, type Frame } from '../../../shared/relay/frames.ts';
import type { Bytes } from '../../../shared/relay/byte-reader.ts';

export interface ChannelPair {
  near: ByteChannel;
  far: ByteChannel;
}

/** The kinds of channels that the suite runs over. */
export const channelKinds: Record<string, () => ChannelPair> = {
  'two message ports': () => {
    const { port1, port2 } = new MessageChannel();
    return { near: channelOfPort(port1), far: channelOfPort(port2) };
  },
  'Node streams': () => {
    const [there, back] = [new PassThrough(), new PassThrough()];
    const channel = (readable: PassThrough, writable: PassThrough) =>
      ({ readable: Readable.toWeb(readable), writable: Writable.toWeb(writable) }) as unknown as ByteChannel;
    return { near: channel(back, there), far: channel(there, back) };
  },
};

/** Each write waits until the other side reads. */
export function unbufferedChannel(): ChannelPair {
  const [there, back] = [0, 1].map(
    () => new TransformStream<Uint8Array, Uint8Array>({}, undefined, { highWaterMark: 0 }),
  );
  return {
    near: { readable: back!.readable, writable: there!.writable },
    far: { readable: there!.readable, writable: back!.writable },
  };
}

/** A message of null ends the channel, since a port does not tell when the other one closes. */
function channelOfPort(port: MessagePort): ByteChannel {
  let isCancelled = false;
  const readable = new ReadableStream<Uint8Array>({
    start(controller) {
      port.addEventListener('message', ({ data }: MessageEvent<Uint8Array | null>) => {
        if (isCancelled) return;
        if (data !== null) return controller.enqueue(data);
        isCancelled = true;
        controller.close();
      });
      port.start();
    },
    // The other side may still write its last words, and reads ours: only a closed writer closes the port.
    cancel: () => void (isCancelled = true),
  });
  const writable = new WritableStream<Uint8Array>({
    write: (bytes) => port.postMessage(bytes),
    close: () => port.postMessage(null),
    abort: () => port.postMessage(null),
  });
  return { readable, writable };
}

/** Breaks the channel when so many bytes have gone through, in both directions together. */
export function cutAfter({ near, far }: ChannelPair, bytes: number): ChannelPair {
  let left = bytes;
  const cut = ({ readable, writable }: ByteChannel): ByteChannel => ({
    writable,
    readable: readable.pipeThrough(
      new TransformStream<Uint8Array, Uint8Array>({
        transform(chunk, controller) {
          if (left > 0) controller.enqueue(chunk.slice(0, left));
          left -= chunk.length;
          if (left <= 0) controller.terminate();
        },
      }),
    ),
  });
  return { near: cut(near), far: cut(far) };
}

/** A device that hands over, as a native shell would be written by the vectors. */
export class FramesDevice {
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  readonly #writer: WritableStreamDefaultWriter<Uint8Array>;
  readonly #frames = new FrameReader();
  /** The carrier said so of its network, as far as it was read. */
  readonly heardOnline: boolean[] = [];
  #waiting: Frame[] = [];
  #isGreeted = false;

  constructor({ readable, writable }: ByteChannel) {
    this.#reader = readable.getReader();
    this.#writer = writable.getWriter();
  }

  async send(frame: Frame): Promise<void> {
    await this.#writer.write(encodeFrame(frame));
  }

  async sendBytes(bytes: Uint8Array): Promise<void> {
    await this.#writer.write(bytes);
  }

  /** Returns the next frame, but for a later hello; undefined at the end of the channel. */
  async next(): Promise<Frame | undefined> {
    for (;;) {
      const frame = this.#waiting.shift();
      if (frame?.type === 'hello') this.heardOnline.push(frame.online);
      if (frame && !(frame.type === 'hello' && this.#isGreeted)) {
        this.#isGreeted ||= frame.type === 'hello';
        return frame;
      }
      if (frame) continue;
      const { value } = await this.#reader.read();
      if (!value) return undefined;
      this.#waiting = this.#frames.push(value) ?? [];
    }
  }

  /** Sends the bytes from the offset on, in parts of that size, and reads what the carrier says to each. */
  async give(
    id: string,
    sealed: Bytes,
    { from = 0, to = sealed.length, partBytes = partBytesMax } = {},
  ): Promise<Frame[]> {
    const heard: Frame[] = [];
    for (let offset = from; offset < to; offset += partBytes) {
      const bytes = sealed.slice(offset, Math.min(to, offset + partBytes));
      await this.send({ type: 'give', id, total: sealed.length, offset, bytes });
      const frame = await this.next();
      if (frame) heard.push(frame);
    }
    return heard;
  }

  /** Reads a whole answer. */
  async answer(): Promise<{ id: string; bytes: Bytes }> {
    const pieces: Uint8Array[] = [];
    for (;;) {
      const frame = await this.next();
      if (frame?.type !== 'answer') throw new Error(`no answer but ${JSON.stringify(frame)}`);
      pieces.push(frame.bytes);
      if (frame.offset + frame.bytes.length === frame.total) {
        return { id: frame.id, bytes: Uint8Array.from(Buffer.concat(pieces)) };
      }
    }
  }

  async leave(): Promise<void> {
    await this.#writer.close().catch(() => {});
  }

  /** Breaks the channel in both directions. */
  async vanish(): Promise<void> {
    await Promise.allSettled([this.#reader.cancel(), this.#writer.abort()]);
  }
}
