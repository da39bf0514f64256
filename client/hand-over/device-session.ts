/** The device's side of a meeting: asks for answers to earlier messages, and gives work that the server may lack. */
import type { ByeCode, FailedFrame, Frame, PartFrame } from '../../shared/relay/frames.ts';
import type { Clock } from '../core/clock.ts';
import type { FrameLink } from '../relay/frame-link.ts';
import { LiveFailures } from './live/live-failures.ts';
import { ChannelEnded, DeviceChannel, readGreeting, deviceHello, isReplyAbout } from './device-channel.ts';
import type { HandOvers } from './hand-overs.ts';
import type { MessageHolders } from './message-holders.ts';
import type { LiveFetch } from './live/live-fetch.ts';
import type { HandOverResult, LiveMode, MeetingCount } from './meeting.ts';
import { MeetingLimit } from './meeting-limit.ts';
import type { SealedMessage, SealedMessages } from './sealed-messages.ts';

interface DeviceSessionOptions {
  link: FrameLink;
  messages: SealedMessages;
  handOvers: HandOvers;
  holders: MessageHolders;
  count: MeetingCount;
  /** The name of this device's server in frames. */
  server: string;
  schedule: Clock['schedule'];
  /** Sends the sync's requests over the channel while the carrier is online. Absent if only messages may be given. */
  live?: LiveMode | undefined;
}

/** The size of a part of a message. A channel that breaks loses at most one part. */
const partBytes = 16 * 1024;
/** Limits the rounds of a meeting. Each round gives the work that remains after the answers to the previous round. */
const roundsMax = 5;

/** Limits how many times a carrier may ask for bytes of one message that it had already confirmed. */
const restartsMax = 3;

export class DeviceSession {
  readonly #options: DeviceSessionOptions;
  readonly #channel: DeviceChannel;
  readonly #limit: MeetingLimit;
  readonly #given = new Set<string>();
  readonly #answered = new Set<string>();
  /** The messages whose answers from this carrier cannot be opened. */
  readonly #unopenable = new Set<string>();
  /** The messages whose answers were asked for again, since a part was missing. */
  readonly #askedAgain = new Set<string>();
  /** The messages that get no answer from this carrier in this session. */
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

  /** Runs the meeting. Resolves when either side has ended the channel. Rejects if this device cannot store or seal. */
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
    // Seal again only after the meeting. During the meeting, the device would give this carrier the same work twice.
    if (this.#unopenable.size > 0) await this.#options.handOvers.sealAnew(this.#unopenable);
    return { given: this.#given.size, answered: this.#answered.size, ended };
  }

  async #meet(): Promise<ByeCode> {
    const { link, server } = this.#options;
    this.#channel.send(deviceHello(server));
    const greeting = readGreeting(await this.#nextFrame(), server);
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
      // Stop if the server refused: it would refuse the same requests again.
      if (handOvers.isUpToDate || this.#isRefused) return;
    }
  }

  /**
   * Sends the sync's requests over the channel while the carrier is online and takes live requests. Otherwise gives
   * messages. If the carrier fails too many requests, the device sends no more requests and only gives messages.
   */
  async #stayLive(live: LiveMode): Promise<void> {
    const failures = new LiveFailures();
    while (!failures.areTooMany) {
      if (this.#isCarrierOnline && this.#isCarrierLive) await this.#syncLive(live, failures);
      else {
        await this.#giveRounds();
        if (!this.#isCarrierOnline || !this.#isCarrierLive) await this.#nextFrame(({ type }) => type === 'hello');
      }
    }
    await this.#giveRounds();
  }

  async #syncLive(live: LiveMode, failures: LiveFailures): Promise<void> {
    const { link, schedule, server } = this.#options;
    const onClosed = () => this.#channel.interrupt();
    const liveFetch = live.open({ send: (frame) => link.send(frame), failures, onClosed });
    this.#liveFetch = liveFetch;
    const stopKeepingAlive = this.#channel.keepAlive(deviceHello(server), schedule);
    try {
      while (this.#isCarrierOnline && !liveFetch.isClosed) await this.#takeFrame();
    } finally {
      stopKeepingAlive();
      liveFetch.close();
      this.#liveFetch = undefined;
    }
  }

  /** Gives a message in parts. After each, the carrier reports how many bytes it has, and the next part begins there. */
  async #give(id: string, { total, request }: SealedMessage): Promise<void> {
    const { messages, holders, count } = this.#options;
    const sealed = messages.requestOf(id);
    // Count the message as stored if its answer came while the device gave an earlier message.
    if (!sealed) return count.onStored(id, total);
    let restarts = 0;
    for (let offset = 0; offset < total;) {
      const bytes = sealed.slice(offset, offset + partBytes);
      this.#channel.send({ type: 'give', id, total, offset, bytes });
      const reply = await this.#nextFrame((frame) => isReplyAbout(id, frame));
      if (reply.type !== 'have') return;
      const stored = reply.offset;
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
    // Ask only for messages that this carrier has, so that it learns no other ids.
    for (const id of holders.messagesOf(this.#carrierId)) {
      // Another carrier brought the answer, so tell this one to drop the message.
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

  /** Handles all frames up to the expected one, and resolves to it. Throws at the end of the channel. */
  async #nextFrame(isExpected: (frame: Frame) => boolean = () => true): Promise<Frame> {
    for (;;) {
      const frame = await this.#takeFrame();
      if (frame && isExpected(frame)) return frame;
    }
  }

  /** Handles one frame. Resolves to undefined if the channel was interrupted. */
  async #takeFrame(): Promise<Frame | undefined> {
    const frame = await this.#channel.next();
    if (frame?.type === 'hello') this.#isCarrierOnline = frame.online;
    if (frame?.type === 'answer') await this.#onAnswer(frame);
    if (frame?.type === 'failed') await this.#onFailed(frame);
    return frame;
  }

  async #onAnswer(part: PartFrame): Promise<void> {
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

  /**
   * Asks once more for an answer whose first bytes are missing. The carrier left these bytes out if the device had
   * reported as many bytes of an older answer, and the carrier took them for bytes of this answer.
   */
  #onPartStored({ id, offset }: PartFrame): void {
    const isBehind = offset > this.#options.messages.answerBytes(id, this.#carrierId);
    if (!isBehind || this.#askedAgain.has(id)) return;
    this.#askedAgain.add(id);
    this.#askForAnswer(id);
  }

  /** Notes that this carrier brings no answer. The carrier's report proves nothing, so the device keeps the work. */
  async #onFailed({ id, code }: FailedFrame): Promise<void> {
    if (this.#liveFetch?.fail(id, code) || !this.#options.messages.get(id)) return;
    this.#failed.add(id);
    if (code !== 'refused') return;
    // The carrier has dropped the message.
    this.#options.count.onUnopened(id);
    await this.#options.holders.remove(this.#carrierId, id);
  }

  async #sayKept(id: string): Promise<void> {
    this.#channel.send({ type: 'kept', id });
    await this.#options.holders.remove(this.#carrierId, id);
  }
}
