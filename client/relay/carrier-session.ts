/** The carrier's side of a channel: receives sealed requests from a device, and sends sealed answers back. */
import type { Bytes } from '../../shared/relay/byte-reader.ts';
import {
  frameVersion,
  type ByeCode,
  type FailedCode,
  type Frame,
  type HaveFrame,
  type PartFrame,
} from '../../shared/relay/frames.ts';
import type { Hello } from '../../shared/relay/hello.ts';
import type { CarriedMessages } from './carried-messages.ts';
import type { CarryProgress, CarryResult } from './carrier-verbs.ts';
import type { FrameLink } from './frame-link.ts';
import { GivingSession } from './giving-session.ts';
import { LiveRequests, type AnswerBudget, type PostLive } from './live-requests.ts';

interface CarrierSessionOptions {
  link: FrameLink;
  messages: CarriedMessages;
  /** The name of this device's server in frames. */
  server: string;
  /** The id of this device as a carrier. */
  carrierId: string;
  isOnline: () => boolean;
  /** The ids of the messages from the device's origin. All sessions of one origin share a set. */
  broughtIds?: Set<string> | undefined;
  /** Called when all bytes of a message have been received. */
  onHeld: () => void;
  /** Sends a live request to the server, without storing it. */
  post: PostLive;
  /** The memory budget for answers that devices have not read yet, shared by all sessions. */
  answerBudget: AnswerBudget;
  onProgress?: ((progress: CarryProgress) => void) | undefined;
}

/** Limits how many times a device may ask for a whole answer again. It asks if it holds bytes of an older answer. */
const restartsMax = 16;
/** The size of a part of an answer. Even a slow channel transfers a part before the channel counts as stuck. */
const partBytes = 16 * 1024;
/** Limits the answers that the session sends unasked. A larger answer would delay the meeting. */
const unaskedBytesMax = 64 * 1024;

export class CarrierSession {
  readonly #options: CarrierSessionOptions;
  readonly #knownIds = new Set<string>();
  /** The number of bytes that the device has of each answer, for answers that this session has not begun to send. */
  readonly #heldBytes = new Map<string, number>();
  /** For each message whose answer this session has begun to send, the name of the answer. */
  readonly #begunAnswers = new Map<string, string>();
  /** For each message whose answer this session has sent completely, the name of the answer. */
  readonly #sentAnswers = new Map<string, string>();
  readonly #sending = new Map<string, Promise<void>>();
  /** The messages whose answers the device reported as stored. */
  readonly #kept = new Set<string>();
  readonly #givingSession: GivingSession;
  /** How many bytes of each message of this session are on the disk. */
  readonly #takenBytes = new Map<string, number>();
  readonly #whole = new Set<string>();
  readonly #live: LiveRequests;
  #isGreeted = false;
  #restartsLeft = restartsMax;

  constructor(options: CarrierSessionOptions) {
    this.#options = options;
    const { post, answerBudget, broughtIds } = options;
    this.#givingSession = new GivingSession(broughtIds);
    this.#live = new LiveRequests({
      post,
      answerBudget,
      reply: (id, answer) => this.#sendPartsOf(id, answer, 0),
      fail: this.tellFailed,
    });
  }

  /** True once the device has sent a valid hello. */
  get isGreeted(): boolean {
    return this.#isGreeted;
  }

  /** Resolves when either side has ended the channel. */
  async run(): Promise<CarryResult> {
    const { link } = this.#options;
    try {
      await this.sayHello();
      for await (const frame of link.frames()) {
        const code = await this.#onFrame(frame);
        if (!code) continue;
        await link.end(code);
        return { ended: frame.type === 'bye' ? frame.code : code };
      }
      if (link.isMisused) {
        await link.end('malformed');
        return { ended: 'malformed' };
      }
    } catch {
      // The channel broke or the storage failed. The stored bytes stay, and the next session continues after them.
    } finally {
      this.#options.messages.release(this.#givingSession);
      await link.close();
    }
    return { ended: 'lost' };
  }

  /**
   * Sends the hello. Called again when the network comes or goes, so that the device knows whether to wait for answers.
   */
  async sayHello(): Promise<void> {
    const { link, server, carrierId, isOnline, messages } = this.#options;
    const hello = { v: frameVersion, role: 'carrier', server, online: isOnline(), id: carrierId, live: true } as const;
    await link.send({ type: 'hello', ...hello, free_bytes: messages.freeBytes });
  }

  /**
   * Sends the device the answers that arrived during the session, if the device gave their requests or asked for the
   * answers.
   */
  async sendAnswers(): Promise<void> {
    for (const id of this.#knownIds) await this.#sendAnswer(id);
  }

  /** Tells the device to stop waiting for the answer to this message. An answer that comes later is still sent. */
  readonly tellFailed = async (id: string, code: FailedCode): Promise<void> => {
    if (this.#isGreeted) await this.#options.link.send({ type: 'failed', id, code });
  };

  /** Passes a failed delivery on to the device, if this session knows the message. */
  async onFailed(id: string, code: FailedCode): Promise<void> {
    if (this.#knownIds.has(id)) await this.tellFailed(id, code);
  }

  /** Returns the code with which the session ends; undefined if it goes on. */
  async #onFrame(frame: Frame): Promise<ByeCode | undefined> {
    if (frame.type === 'hello') return this.#onHello(frame);
    if (!this.#isGreeted) return 'malformed';
    switch (frame.type) {
      case 'give':
        return this.#onGive(frame);
      case 'have':
        return this.#onHave(frame);
      case 'kept':
        return this.#onKept(frame.id);
      case 'photo':
        return void this.#live.onPhoto(frame.id);
      case 'ask':
        return this.#live.take(frame);
      case 'bye':
        return 'done';
      case 'answer':
      case 'failed':
        return 'malformed';
    }
  }

  #onHello({ v, server, role }: Hello): ByeCode | undefined {
    if (v > frameVersion) return 'too_new';
    if (server !== this.#options.server) return 'other_server';
    this.#isGreeted = role === 'device';
    return this.#isGreeted ? undefined : 'malformed';
  }

  async #onGive(part: PartFrame): Promise<ByeCode | undefined> {
    const { link, messages, onHeld } = this.#options;
    if (messages.isRefused(part.id)) return void (await this.tellFailed(part.id, 'refused'));
    // End with `full` if the disk fails: the device keeps its message, and must not mistake this for a broken channel.
    const received = await messages.receive(part, this.#givingSession).catch(() => undefined);
    if (!received) return 'full';
    if (!received.ok) return received.code;
    this.#knownIds.add(part.id);
    this.#takenBytes.set(part.id, received.have);
    if (received.isWhole) this.#whole.add(part.id);
    this.#tellProgress();
    await link.send({ type: 'have', id: part.id, offset: received.have });
    if (!received.isWhole) return undefined;
    onHeld();
    await this.#sendAnswer(part.id);
    return undefined;
  }

  /** Sends the answer that the device asks for, without the first bytes that the device already has. */
  async #onHave({ id, offset }: HaveFrame): Promise<undefined> {
    const { messages } = this.#options;
    // Ignore unknown ids, so that a device cannot fill the memory with them.
    if (!messages.wasReceivedWhole(id)) return;
    this.#knownIds.add(id);
    if (messages.isRefused(id)) return void (await this.tellFailed(id, 'refused'));
    // Only offset 0 asks for the whole answer again. A late report about a sent part has a greater offset.
    if (offset === 0 && this.#begunAnswers.has(id) && this.#restartsLeft > 0) {
      this.#restartsLeft--;
      this.#begunAnswers.delete(id);
    }
    if (!this.#begunAnswers.has(id)) this.#heldBytes.set(id, offset);
    await this.#sendAnswer(id);
  }

  /**
   * Removes a message if the device has stored the answer that this session sent. If this session has not sent the
   * answer, the device's report proves nothing, so the session sends the answer. A message without an answer stays.
   */
  async #onKept(id: string): Promise<undefined> {
    const { messages } = this.#options;
    // The device's report may arrive before this side noticed that the last bytes were sent.
    await this.#sending.get(id);
    const answer = messages.answerHeadOf(id);
    if (!answer) return;
    if (this.#sentAnswers.get(id) === answer.name) {
      await messages.forget(id);
      this.#kept.add(id);
      this.#tellProgress();
    } else if (answer.bytes <= unaskedBytesMax) await this.#sendAnswer(id);
  }

  async #sendAnswer(id: string): Promise<void> {
    const { messages, answerBudget } = this.#options;
    const { name, bytes = 0 } = messages.answerHeadOf(id) ?? {};
    if (name === undefined || this.#begunAnswers.get(id) === name) return;
    if (!answerBudget.take(bytes)) return this.tellFailed(id, 'later');
    const answer = messages.answerOf(id) ?? new Uint8Array();
    const held = this.#heldBytes.get(id) ?? 0;
    this.#begunAnswers.set(id, name);
    this.#heldBytes.delete(id);
    // Send the whole answer if the device has at least as many bytes as the answer: these are bytes of an older answer.
    const sending = this.#sendPartsOf(id, answer, held < answer.length ? held : 0)
      .finally(() => answerBudget.release(bytes))
      .then(() => void this.#sentAnswers.set(id, name));
    this.#sending.set(id, sending);
    await sending;
  }

  #tellProgress(): void {
    const bytes = [...this.#takenBytes.values()].reduce((sum, taken) => sum + taken, 0);
    // Count only messages of this session: the device may also confirm answers to messages of earlier sessions.
    const answered = [...this.#whole].filter((id) => this.#kept.has(id)).length;
    this.#options.onProgress?.({ bytes, messages: this.#whole.size, answered });
  }

  async #sendPartsOf(id: string, answer: Bytes, from: number): Promise<void> {
    const total = answer.length;
    for (let offset = from; offset < total; offset += partBytes) {
      const bytes = answer.slice(offset, offset + partBytes);
      await this.#options.link.send({ type: 'answer', id, total, offset, bytes });
    }
  }
}
