/** The carrier's side of a channel: takes sealed requests, and gives sealed answers back. */
import type { Bytes } from '../../shared/relay/byte-reader.ts';
import {
  frameVersion,
  partBytesMax,
  type ByeCode,
  type FailedCode,
  type Frame,
  type Have,
  type Part,
} from '../../shared/relay/frames.ts';
import type { Hello } from '../../shared/relay/hello.ts';
import { newBytesPerSessionMax, type CarriedMessages } from './carried-messages.ts';
import type { FrameLink } from './frame-link.ts';
import { LiveRequests } from './live-requests.ts';
import type { PostOutcome } from './post-sealed.ts';

interface CarrierSessionOptions {
  link: FrameLink;
  messages: CarriedMessages;
  /** The name of this device's server, as frames have it. */
  server: string;
  /** The id of this device as a carrier. */
  carrierId: string;
  isOnline: () => boolean;
  /** Called when a message is whole. */
  onHeld: () => void;
  /** Sends a request that is not stored. */
  post: (sealed: Bytes) => Promise<PostOutcome>;
}

export class CarrierSession {
  readonly #options: CarrierSessionOptions;
  readonly #knownIds = new Set<string>();
  /** How far each answer was sent in this session. */
  readonly #sentBytes = new Map<string, number>();
  readonly #live: LiveRequests;
  #newBytesLeft = newBytesPerSessionMax;
  #isGreeted = false;

  constructor(options: CarrierSessionOptions) {
    this.#options = options;
    const { post } = options;
    this.#live = new LiveRequests({
      post,
      reply: (id, answer) => this.#sendPartsOf(id, answer, 0),
      fail: this.tellFailed,
    });
  }

  /** Resolves when the channel has ended, whoever ended it. */
  async run(): Promise<void> {
    const { link } = this.#options;
    try {
      await this.sayHello();
      for await (const frame of link.frames()) {
        const code = await this.#onFrame(frame);
        if (code) return await link.end(code);
      }
    } catch {
      // The other side has left: the stored bytes stay, and the next session goes on behind them.
    } finally {
      await link.close();
    }
  }

  /** Says it again when the network comes or goes, so that the device does not wait in vain. */
  async sayHello(): Promise<void> {
    const { link, server, carrierId, isOnline, messages } = this.#options;
    const hello = { v: frameVersion, role: 'carrier', server, online: isOnline(), id: carrierId, live: true } as const;
    await link.send({ type: 'hello', ...hello, free_bytes: messages.freeBytes });
  }

  /** Sends answers that came during the session, to a device that gave the request or asked for the answer. */
  async sendAnswers(): Promise<void> {
    for (const id of this.#knownIds) await this.#sendAnswer(id);
  }

  /** Tells a device that waits for the answer, since it would wait in vain. */
  readonly tellFailed = async (id: string, code: FailedCode): Promise<void> => {
    if (this.#isGreeted) await this.#options.link.send({ type: 'failed', id, code });
  };

  /** Tells of a message that this session knows. */
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
        await this.#options.messages.forget(frame.id);
        return undefined;
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

  async #onGive(part: Part): Promise<ByeCode | undefined> {
    const { link, messages, onHeld } = this.#options;
    if (messages.isRefused(part.id)) return void (await this.tellFailed(part.id, 'refused'));
    const isNew = !messages.has(part.id);
    const received = await messages.receive(part, this.#newBytesLeft);
    if (!received.ok) return received.code;
    if (isNew) this.#newBytesLeft -= part.total;
    this.#knownIds.add(part.id);
    await link.send({ type: 'have', id: part.id, offset: received.have });
    if (!received.isWhole) return undefined;
    onHeld();
    await this.#sendAnswer(part.id);
    return undefined;
  }

  /** A device that asks for the answer to a message says how much of it it has. */
  async #onHave({ id, offset }: Have): Promise<undefined> {
    const { messages } = this.#options;
    // A device could ask for any number of messages that are not here.
    if (!messages.has(id)) return;
    this.#knownIds.add(id);
    if (messages.isRefused(id)) return void (await this.tellFailed(id, 'refused'));
    // A late word on a part that was sent does not begin the answer anew.
    if (!this.#sentBytes.has(id)) this.#sentBytes.set(id, offset);
    await this.#sendAnswer(id);
  }

  async #sendAnswer(id: string): Promise<void> {
    const answer = this.#options.messages.answerOf(id);
    if (!answer) return;
    const from = this.#sentBytes.get(id) ?? 0;
    this.#sentBytes.set(id, answer.length);
    await this.#sendPartsOf(id, answer, from);
  }

  async #sendPartsOf(id: string, answer: Bytes, from: number): Promise<void> {
    const total = answer.length;
    for (let offset = from; offset < total; offset += partBytesMax) {
      const bytes = answer.slice(offset, offset + partBytesMax);
      await this.#options.link.send({ type: 'answer', id, total, offset, bytes });
    }
  }
}
