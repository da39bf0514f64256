/** The device's side of a channel: asks for answers to what it handed over before, and gives what the server may lack. */
import { frameVersion, type ByeCode, type Frame, type Hello, type Part } from '../../shared/relay/frames.ts';
import type { FrameLink } from '../relay/frame-link.ts';
import type { HandOvers } from './hand-overs.ts';
import type { Holders } from './holders.ts';
import type { SealedMessage, SealedMessages } from './sealed-messages.ts';

/** The outcome of one meeting with a carrier. */
export interface HandOverResult {
  /** How many messages the carrier has whole, also from earlier meetings. */
  given: number;
  /** How many answers of the server it brought. */
  answered: number;
  /** Why the channel ended: `lost` if it broke, or if the carrier fell silent. */
  ended: ByeCode | 'lost';
}

interface DeviceSessionOptions {
  link: FrameLink;
  messages: SealedMessages;
  handOvers: HandOvers;
  holders: Holders;
  /** The name of this device's server, as frames have it. */
  server: string;
}

/** A slow channel that breaks loses at most a part. */
const partBytes = 16 * 1024;
/** Each round applies the answers to the one before, as far as the carrier is online. */
const roundsMax = 5;

/** A carrier that follows the protocol leaves at most two words on each of 64 messages and a part unsent. */
const unsentFramesMax = 256;

/** Thrown inside, when the channel has ended. */
class ChannelEnded extends Error {
  readonly code: HandOverResult['ended'];

  constructor(code: HandOverResult['ended']) {
    super(code);
    this.code = code;
  }
}

export class DeviceSession {
  readonly #options: DeviceSessionOptions;
  readonly #frames: AsyncGenerator<Frame>;
  readonly #given = new Set<string>();
  readonly #answered = new Set<string>();
  /** The answers of this carrier that do not open. */
  readonly #broken = new Set<string>();
  #carrier = '';
  #isOnline = false;
  #unsentFrames = 0;

  constructor(options: DeviceSessionOptions) {
    this.#options = options;
    this.#frames = options.link.frames();
  }

  /** Resolves when the channel has ended, whoever ended it. Rejects if this device cannot store or seal. */
  async run(): Promise<HandOverResult> {
    const { link } = this.#options;
    try {
      return this.#result(await this.#meet());
    } catch (error) {
      if (error instanceof ChannelEnded) return this.#result(error.code);
      throw error;
    } finally {
      await link.close();
    }
  }

  #result(ended: HandOverResult['ended']): HandOverResult {
    return { given: this.#given.size, answered: this.#answered.size, ended };
  }

  async #meet(): Promise<ByeCode> {
    const { link, server, handOvers } = this.#options;
    this.#send({ type: 'hello', v: frameVersion, role: 'device', server, online: false, free_bytes: 0 });
    const hello = await this.#nextFrame();
    const refusal = refusalOf(hello, server);
    if (refusal) {
      await link.end(refusal);
      return refusal;
    }
    this.#carrier = (hello as Hello).id ?? '';
    await this.#askForAnswers();
    for (let round = 0; round < roundsMax; round++) {
      const toGive = await handOvers.prepare();
      const fresh = toGive.filter(([messageId]) => !this.#given.has(messageId));
      if (fresh.length === 0) break;
      for (const [messageId, message] of fresh) await this.#give(messageId, message);
      if (!this.#isOnline) break;
      await this.#awaitAnswers(fresh.map(([messageId]) => messageId));
      if (handOvers.isUpToDate) break;
    }
    await link.end('done');
    return 'done';
  }

  /** The carrier says how much of a message it has, and the rest follows. */
  async #give(id: string, { total, request }: SealedMessage): Promise<void> {
    const { messages, holders } = this.#options;
    const sealed = messages.requestOf(id);
    // The answer came while an earlier message was given.
    if (!sealed) return;
    for (let offset = 0; offset < total;) {
      const bytes = sealed.slice(offset, offset + partBytes);
      this.#send({ type: 'give', id, total, offset, bytes });
      const have = await this.#nextFrame((frame) => frame.type === 'have' && frame.id === id);
      const stored = have.type === 'have' ? have.offset : 0;
      if (stored <= offset || stored > total) throw new ChannelEnded('malformed');
      offset = stored;
    }
    this.#given.add(id);
    const sessions = request.kind === 'push' ? request.sessions : [];
    if (messages.get(id)) await holders.add(this.#carrier, { id, sessions });
  }

  async #askForAnswers(): Promise<void> {
    const { messages, holders } = this.#options;
    // Another carrier brought the answer, so this one need not carry the message any longer.
    for (const id of holders.messagesOf(this.#carrier)) if (!messages.get(id)) await this.#sayKept(id);
    for (const [id] of messages.all()) {
      this.#send({ type: 'have', id, offset: messages.answerBytes(id, this.#carrier) });
    }
  }

  /** The carrier tells nothing of a message that the server refused, so its silence ends the wait, too. */
  async #awaitAnswers(ids: readonly string[]): Promise<void> {
    const isOpen = (id: string) => !this.#answered.has(id) && !this.#broken.has(id);
    const endsWait = ({ type }: Frame) => type === 'answer' || type === 'hello';
    while (this.#isOnline && ids.some(isOpen)) await this.#nextFrame(endsWait);
  }

  /** Takes all frames up to the expected one. Throws at the end of the channel. */
  async #nextFrame(isExpected: (frame: Frame) => boolean = () => true): Promise<Frame> {
    for (;;) {
      const { value: frame } = (await this.#frames.next()) as IteratorResult<Frame, undefined>;
      if (!frame) throw new ChannelEnded('lost');
      if (frame.type === 'bye') throw new ChannelEnded(frame.code);
      if (frame.type === 'hello') this.#isOnline = frame.online;
      if (frame.type === 'answer') await this.#onAnswer(frame);
      if (isExpected(frame)) return frame;
    }
  }

  async #onAnswer(part: Part): Promise<void> {
    const { messages, handOvers } = this.#options;
    const { id } = part;
    if (this.#broken.has(id)) return;
    if (messages.get(id)) {
      const whole = await messages.receive(part, this.#carrier);
      if (!whole) return;
      if (!(await handOvers.take(id, whole))) {
        this.#broken.add(id);
        return;
      }
      this.#answered.add(id);
    }
    await this.#sayKept(id);
  }

  async #sayKept(id: string): Promise<void> {
    this.#send({ type: 'kept', id });
    await this.#options.holders.remove(this.#carrier, id);
  }

  /** Does not wait: a carrier that gives an answer takes nothing until it is read. A channel that takes nothing ends. */
  #send(frame: Frame): void {
    const { link } = this.#options;
    if (++this.#unsentFrames > unsentFramesMax) {
      link.giveUp();
      throw new ChannelEnded('malformed');
    }
    link.send(frame).then(
      () => void this.#unsentFrames--,
      () => link.close(),
    );
  }
}

function refusalOf(frame: Frame, ownServer: string): ByeCode | undefined {
  if (frame.type !== 'hello') return 'malformed';
  if (frame.v > frameVersion) return 'too_new';
  if (frame.server !== ownServer) return 'other_server';
  return frame.role === 'carrier' ? undefined : 'malformed';
}
