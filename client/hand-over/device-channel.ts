/** The device's side of a channel to a carrier. The device reads frames while it sends. */
import { frameVersion, type ByeCode, type Frame } from '../../shared/relay/frames.ts';
import type { Hello } from '../../shared/relay/hello.ts';
import type { Clock } from '../core/clock.ts';
import type { FrameLink } from '../relay/frame-link.ts';

/** Thrown when the channel has ended. */
export class ChannelEnded extends Error {
  readonly code: ByeCode | 'lost';

  constructor(code: ByeCode | 'lost') {
    super(code);
    this.code = code;
  }
}

/** The device sends a frame every 10 s, since the carrier ends a channel after 30 s of silence. */
const keepAliveMs = 10_000;
/** Limits the unsent frames. The device needs at most 129: two replies about each of 64 messages, and one part. */
const unsentFramesMax = 256;

export class DeviceChannel {
  readonly #link: FrameLink;
  readonly #frames: AsyncGenerator<Frame>;
  /** The read that an earlier `next` began, and that `interrupt` left pending. */
  #reading: Promise<IteratorResult<Frame, undefined>> | undefined;
  #isInterrupted = false;
  #isExpired = false;
  #wake: () => void = () => {};
  #unsentFrames = 0;

  constructor(link: FrameLink) {
    this.#link = link;
    this.#frames = link.frames();
  }

  /** Resolves to the next frame, or to undefined after `interrupt`. Throws `ChannelEnded` at the end of the channel. */
  async next(): Promise<Frame | undefined> {
    this.#reading ??= this.#frames.next() as Promise<IteratorResult<Frame, undefined>>;
    const reading = this.#reading;
    const read = await new Promise<IteratorResult<Frame, undefined> | undefined>((resolve, reject) => {
      this.#wake = () => resolve(undefined);
      if (this.#isInterrupted || this.#isExpired) this.#wake();
      else reading.then(resolve, reject);
    });
    this.#isInterrupted = false;
    if (this.#isExpired) throw new ChannelEnded('lost');
    if (!read) return undefined;
    this.#reading = undefined;
    const frame = read.value;
    if (!frame) throw new ChannelEnded('lost');
    if (frame.type === 'bye') throw new ChannelEnded(frame.code);
    return frame;
  }

  interrupt(): void {
    this.#isInterrupted = true;
    this.#wake();
  }

  /** Ends the channel, even if the other side still sends frames. */
  expire(): void {
    this.#isExpired = true;
    this.#link.giveUp();
    this.#wake();
  }

  /**
   * Sends a frame without waiting, since a carrier may read nothing while it sends an answer. A channel with too many
   * unsent frames ends.
   */
  send(frame: Frame): void {
    if (++this.#unsentFrames > unsentFramesMax) {
      this.#link.giveUp();
      throw new ChannelEnded('malformed');
    }
    this.#link.send(frame).then(
      () => void this.#unsentFrames--,
      () => this.#link.close(),
    );
  }

  /** Sends the frame every 10 s until the returned function is called. Ends a channel that takes no more frames. */
  keepAlive(frame: Frame, schedule: Clock['schedule']): () => void {
    const wait = () =>
      schedule(keepAliveMs, () => {
        if (this.#unsentFrames >= unsentFramesMax) return this.expire();
        this.send(frame);
        cancelTimer = wait();
      });
    let cancelTimer = wait();
    return () => cancelTimer();
  }
}

export const deviceHello = (server: string): Frame => ({
  type: 'hello',
  v: frameVersion,
  role: 'device',
  server,
  online: false,
  free_bytes: 0,
});

type GreetingResult = { ok: true; carrier: Hello } | { ok: false; code: ByeCode };

/** Checks the first frame of the other side. Returns the carrier's hello, or the code with which to end the meeting. */
export function readGreeting(frame: Frame, ownServer: string): GreetingResult {
  if (frame.type !== 'hello') return { ok: false, code: 'malformed' };
  if (frame.v > frameVersion) return { ok: false, code: 'too_new' };
  if (frame.server !== ownServer) return { ok: false, code: 'other_server' };
  return frame.role === 'carrier' ? { ok: true, carrier: frame } : { ok: false, code: 'malformed' };
}

/**
 * Tells whether the frame is the carrier's reply about the message with this id. The reply says how many bytes of the
 * message the carrier has, or that the message is refused.
 */
export const isReplyAbout = (id: string, frame: Frame): boolean =>
  (frame.type === 'have' || (frame.type === 'failed' && frame.code === 'refused')) && frame.id === id;
