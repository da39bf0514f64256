/** The frames of a channel to a carrier, which the device reads while it sends. */
import { frameVersion, type ByeCode, type Frame } from '../../shared/relay/frames.ts';
import type { FrameLink } from '../relay/frame-link.ts';

/** Thrown when the channel has ended. */
export class ChannelEnded extends Error {
  readonly code: ByeCode | 'lost';

  constructor(code: ByeCode | 'lost') {
    super(code);
    this.code = code;
  }
}

/** A carrier that follows the protocol leaves at most two words on each of 64 messages and a part unsent. */
const unsentFramesMax = 256;

export class DeviceChannel {
  readonly #link: FrameLink;
  readonly #frames: AsyncGenerator<Frame>;
  #unsentFrames = 0;

  constructor(link: FrameLink) {
    this.#link = link;
    this.#frames = link.frames();
  }

  /** Throws at the end of the channel. */
  async next(): Promise<Frame> {
    const { value: frame } = (await this.#frames.next()) as IteratorResult<Frame, undefined>;
    if (!frame) throw new ChannelEnded('lost');
    if (frame.type === 'bye') throw new ChannelEnded(frame.code);
    return frame;
  }

  /** Does not wait: a carrier that gives an answer takes nothing until it is read. A channel that takes nothing ends. */
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
}

export function refusalOf(frame: Frame, ownServer: string): ByeCode | undefined {
  if (frame.type !== 'hello') return 'malformed';
  if (frame.v > frameVersion) return 'too_new';
  if (frame.server !== ownServer) return 'other_server';
  return frame.role === 'carrier' ? undefined : 'malformed';
}
