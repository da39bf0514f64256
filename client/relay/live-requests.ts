/** Receives sealed requests from a connected device and sends them to the server at once, without storing them. */
import { ByteQueue } from '../../shared/relay/byte-queue.ts';
import type { Bytes } from '../../shared/relay/byte-reader.ts';
import { messageIdOf, type ByeCode, type FailedCode, type PartFrame } from '../../shared/relay/frames.ts';
import { sealedAnswerBytesMax, sealedRequestBytesMax } from '../../shared/relay/media-types.ts';
import type { PostOutcome } from './delivery/post-sealed.ts';

/** `busy`: the limit of live requests a minute is reached. */
type LiveOutcome = PostOutcome | { kind: 'busy' };
export type PostLive = (sealed: Bytes, given: { isPhoto: boolean }) => Promise<LiveOutcome>;

const failedCodeByOutcome: Record<Exclude<LiveOutcome['kind'], 'answered'>, FailedCode> = {
  refused: 'refused',
  declined: 'later',
  unreachable: 'later',
  busy: 'busy',
};

interface LiveRequestsOptions {
  post: PostLive;
  /** The memory budget for answers, shared by all sessions. */
  answerBudget: AnswerBudget;
  /** Sends the answer. Both `reply` and `fail` reject when the channel is gone. */
  reply: (id: string, answer: Bytes) => Promise<void>;
  fail: (id: string, code: FailedCode) => Promise<void>;
}

/**
 * Limits the requests of a session that are in flight together. A device waits for the answer to a push before it
 * pulls, so it needs few.
 */
const requestsMax = 4;
/** A well-behaved device stops after 3 refused requests of a kind. A session with this many refusals ends. */
const refusedMax = 10;

/** Limits the bytes of answers that are in memory until their devices have read them. */
export class AnswerBudget {
  #free: number;

  constructor(bytesMax: number) {
    this.#free = bytesMax;
  }

  /** Reserves memory for an answer of this length. Returns false if not enough is free. */
  take(bytes: number): boolean {
    if (bytes > this.#free) return false;
    this.#free -= bytes;
    return true;
  }

  release(bytes: number): void {
    this.#free += bytes;
  }
}

export class LiveRequests {
  readonly #options: LiveRequestsOptions;
  /** Limits this session's share of `answerBudget`, so that a device that reads no answers blocks no other device. */
  readonly #ownBudget = new AnswerBudget(sealedAnswerBytesMax);
  /** The request whose parts are being received. */
  #incoming = { id: '', received: new ByteQueue() };
  /** The id of the request that the device announced as a photo request. */
  #photoId = '';
  #inFlightCount = 0;
  #refusedCount = 0;

  constructor(options: LiveRequestsOptions) {
    this.#options = options;
  }

  onPhoto(id: string): void {
    this.#photoId = id;
  }

  /**
   * Receives a part, and sends the request once it is complete, without waiting for the server. Returns the code with
   * which the session must end, if any.
   */
  async take({ id, total, offset, bytes }: PartFrame): Promise<ByeCode | undefined> {
    if (offset === 0) this.#incoming = { id, received: new ByteQueue() };
    const { received } = this.#incoming;
    const isNext = this.#incoming.id === id && received.length === offset;
    if (!isNext || total > sealedRequestBytesMax) return 'malformed';
    if (this.#refusedCount >= refusedMax) return 'malformed';
    received.append(bytes);
    if (received.length < total) return undefined;
    const sealed = received.bytes;
    this.#incoming = { id: '', received: new ByteQueue() };
    if ((await messageIdOf(sealed)) !== id) return 'malformed';
    // Refuse another request: the device may have given up on the earlier requests, but they still wait for the server.
    if (this.#inFlightCount >= requestsMax) return void (await this.#options.fail(id, 'busy'));
    this.#inFlightCount++;
    // Errors are ignored: the session notices a broken channel when it reads the next frame.
    void this.#send(id, sealed)
      .catch(() => undefined)
      .finally(() => this.#inFlightCount--);
    return undefined;
  }

  async #send(id: string, sealed: Bytes): Promise<void> {
    const { post, answerBudget, reply, fail } = this.#options;
    const outcome = await post(sealed, { isPhoto: id === this.#photoId });
    if (outcome.kind === 'refused') this.#refusedCount++;
    if (outcome.kind !== 'answered') return fail(id, failedCodeByOutcome[outcome.kind]);
    const bytes = outcome.answer.length;
    if (!this.#ownBudget.take(bytes)) return fail(id, 'later');
    try {
      if (!answerBudget.take(bytes)) return await fail(id, 'later');
      await reply(id, outcome.answer).finally(() => answerBudget.release(bytes));
    } finally {
      this.#ownBudget.release(bytes);
    }
  }
}
