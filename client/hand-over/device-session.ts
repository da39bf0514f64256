/** The device's side of a channel: asks for answers to what it handed over before, and gives what the server may lack. */
import type { ByeCode, Failed, Frame, Part } from '../../shared/relay/frames.ts';
import type { Clock } from '../core/clock.ts';
import type { FrameLink } from '../relay/frame-link.ts';
import { AskFailures } from './live/ask-failures.ts';
import { ChannelEnded, DeviceChannel, carrierIn, helloOf, isWordOn } from './device-channel.ts';
import type { HandOvers } from './hand-overs.ts';
import type { Holders } from './holders.ts';
import type { LiveFetch } from './live/live-fetch.ts';
import type { HandOverResult, LiveMode, MeetingCount } from './meeting.ts';
import { MeetingLimit } from './meeting-limit.ts';
import type { SealedMessage, SealedMessages } from './sealed-messages.ts';

interface DeviceSessionOptions {
  link: FrameLink;
  messages: SealedMessages;
  handOvers: HandOvers;
  holders: Holders;
  count: MeetingCount;
  /** The name of this device's server, as frames have it. */
  server: string;
  schedule: Clock['schedule'];
  /** Sends the requests of the engine over this channel while the carrier is online; absent if it shall not. */
  live?: LiveMode | undefined;
}

/** A slow channel that breaks loses at most a part. */
const partBytes = 16 * 1024;
/** Each round applies the answers to the one before, as far as the carrier is online. */
const roundsMax = 5;

/** A carrier that lost the first bytes of a message has it given anew so often. */
const restartsMax = 3;

export class DeviceSession {
  readonly #options: DeviceSessionOptions;
  readonly #channel: DeviceChannel;
  readonly #limit: MeetingLimit;
  readonly #given = new Set<string>();
  readonly #answered = new Set<string>();
  /** The answers of this carrier that do not open. */
  readonly #unopenable = new Set<string>();
  /** The messages of whose answers a part was missing. */
  readonly #askedAgain = new Set<string>();
  /** The messages that this carrier will bring no answer to in this session. */
  readonly #failed = new Set<string>();
  #isRefused = false;
  #isCarrierLive = false;
  #liveFetch: LiveFetch | undefined;
  #carrierId = '';
  #isCarrierOnline = false;

  constructor(options: DeviceSessionOptions) {
    this.#options = options;
    this.#channel = new DeviceChannel(options.link);
    this.#limit = new MeetingLimit({
      schedule: options.schedule,
      isSuspended: () => this.#liveFetch !== undefined,
      onExpired: () => this.#channel.expire(),
    });
  }

  /** Resolves when the channel has ended, whoever ended it. Rejects if this device cannot store or seal. */
  async run(): Promise<HandOverResult> {
    let ended: HandOverResult['ended'];
    try {
      ended = await this.#meet();
    } catch (error) {
      if (!(error instanceof ChannelEnded)) throw error;
      ended = error.code;
    } finally {
      this.#limit.end();
      await this.#options.link.close();
    }
    // Within the meeting, the same carrier would be given the same work again.
    if (this.#unopenable.size > 0) await this.#options.handOvers.sealAnew(this.#unopenable);
    return { given: this.#given.size, answered: this.#answered.size, ended };
  }

  async #meet(): Promise<ByeCode> {
    const { link, server } = this.#options;
    this.#channel.send(helloOf(server));
    const greeting = carrierIn(await this.#nextFrame(), server);
    if (!greeting.ok) {
      await link.end(greeting.code);
      return greeting.code;
    }
    this.#carrierId = greeting.carrier.id ?? '';
    this.#isCarrierLive = greeting.carrier.live === true;
    await this.#askForAnswers();
    const { live } = this.#options;
    await (live?.isLeading() ? this.#stayLive(live) : this.#giveRounds());
    await link.end('done');
    return 'done';
  }

  async #giveRounds(): Promise<void> {
    const { handOvers, count } = this.#options;
    for (let round = 0; round < roundsMax; round++) {
      const toGive = await handOvers.prepare();
      count.plan(toGive);
      const fresh = toGive.filter(([messageId]) => !this.#given.has(messageId) && !this.#failed.has(messageId));
      if (fresh.length === 0) return;
      for (const [messageId, message] of fresh) await this.#give(messageId, message);
      if (!this.#isCarrierOnline) return;
      await this.#awaitAnswers(fresh.map(([messageId]) => messageId));
      // The server would refuse the same again.
      if (handOvers.isUpToDate || this.#isRefused) return;
    }
  }

  /**
   * Sends requests over the channel while the carrier is online, and hands over what is left when it is not. A carrier that
   * answers none gets what is left, too, and no more requests.
   */
  async #stayLive(live: LiveMode): Promise<void> {
    const failures = new AskFailures();
    while (!failures.areTooMany) {
      if (this.#isCarrierOnline && this.#isCarrierLive) await this.#syncLive(live, failures);
      else {
        await this.#giveRounds();
        if (!this.#isCarrierOnline || !this.#isCarrierLive) await this.#nextFrame(({ type }) => type === 'hello');
      }
    }
    await this.#giveRounds();
  }

  async #syncLive(live: LiveMode, failures: AskFailures): Promise<void> {
    const { link, schedule, server } = this.#options;
    const onClosed = () => this.#channel.interrupt();
    const liveFetch = live.open({ send: (frame) => link.send(frame), failures, onClosed });
    this.#liveFetch = liveFetch;
    const stopKeepingAlive = this.#channel.keepAlive(helloOf(server), schedule);
    try {
      while (this.#isCarrierOnline && !liveFetch.isClosed) await this.#takeFrame();
    } finally {
      stopKeepingAlive();
      liveFetch.close();
      this.#liveFetch = undefined;
    }
  }

  /** The carrier says how much of a message it has, and the rest follows. */
  async #give(id: string, { total, request }: SealedMessage): Promise<void> {
    const { messages, holders, count } = this.#options;
    const sealed = messages.requestOf(id);
    // The answer came while an earlier message was given.
    if (!sealed) return count.onStored(id, total);
    let restarts = 0;
    for (let offset = 0; offset < total;) {
      const bytes = sealed.slice(offset, offset + partBytes);
      this.#channel.send({ type: 'give', id, total, offset, bytes });
      const word = await this.#nextFrame((frame) => isWordOn(id, frame));
      if (word.type !== 'have') return;
      const stored = word.offset;
      const isBehind = stored <= offset;
      if (stored > total || (isBehind && ++restarts > restartsMax)) throw new ChannelEnded('malformed');
      this.#limit.earn(Math.max(0, stored - offset));
      offset = stored;
      count.onStored(id, stored);
    }
    this.#given.add(id);
    const sessions = request.kind === 'push' ? request.sessions : [];
    if (messages.get(id)) await holders.add(this.#carrierId, { id, sessions });
  }

  async #askForAnswers(): Promise<void> {
    const { messages, holders } = this.#options;
    // A carrier learns the ids of no message that it does not have.
    for (const id of holders.messagesOf(this.#carrierId)) {
      // Another carrier brought the answer, so this one need not carry the message any longer.
      if (!messages.get(id)) await this.#sayKept(id);
      else this.#askForAnswer(id);
    }
  }

  #askForAnswer(id: string): void {
    this.#channel.send({ type: 'have', id, offset: this.#options.messages.answerBytes(id, this.#carrierId) });
  }

  async #awaitAnswers(ids: readonly string[]): Promise<void> {
    const isOpen = (id: string) => !this.#answered.has(id) && !this.#unopenable.has(id) && !this.#failed.has(id);
    const endsWait = ({ type }: Frame) => type === 'answer' || type === 'failed' || type === 'hello';
    while (this.#isCarrierOnline && ids.some(isOpen)) await this.#nextFrame(endsWait);
  }

  /** Takes all frames up to the expected one. Throws at the end of the channel. */
  async #nextFrame(isExpected: (frame: Frame) => boolean = () => true): Promise<Frame> {
    for (;;) {
      const frame = await this.#takeFrame();
      if (frame && isExpected(frame)) return frame;
    }
  }

  /** Resolves to undefined if the channel was interrupted. */
  async #takeFrame(): Promise<Frame | undefined> {
    const frame = await this.#channel.next();
    if (frame?.type === 'hello') this.#isCarrierOnline = frame.online;
    if (frame?.type === 'answer') await this.#onAnswer(frame);
    if (frame?.type === 'failed') await this.#onFailed(frame);
    return frame;
  }

  async #onAnswer(part: Part): Promise<void> {
    const { messages, handOvers, count } = this.#options;
    const { id } = part;
    if (this.#unopenable.has(id) || (await this.#liveFetch?.take(part))) return;
    if (messages.get(id)) {
      const whole = await messages.receive(part, this.#carrierId);
      if (!whole) return this.#onPartStored(part);
      const taken = await handOvers.take(id, whole, this.#carrierId);
      if (taken === 'unreadable') {
        this.#unopenable.add(id);
        return;
      }
      this.#isRefused ||= taken === 'refused';
      this.#answered.add(id);
      this.#limit.earn(whole.length);
      count.tell();
    }
    await this.#sayKept(id);
  }

  /** The carrier may go on with an answer that was made anew where the bytes of an earlier one end. */
  #onPartStored({ id, offset }: Part): void {
    const isBehind = offset > this.#options.messages.answerBytes(id, this.#carrierId);
    if (!isBehind || this.#askedAgain.has(id)) return;
    this.#askedAgain.add(id);
    this.#askForAnswer(id);
  }

  /** The carrier's word proves nothing: the work stays here, and goes to the next carrier. */
  async #onFailed({ id, code }: Failed): Promise<void> {
    if (this.#liveFetch?.fail(id, code) || !this.#options.messages.get(id)) return;
    this.#failed.add(id);
    if (code !== 'refused') return;
    // The carrier has forgotten it.
    this.#options.count.onUnopened(id);
    await this.#options.holders.remove(this.#carrierId, id);
  }

  async #sayKept(id: string): Promise<void> {
    this.#channel.send({ type: 'kept', id });
    await this.#options.holders.remove(this.#carrierId, id);
  }
}
