/** Takes sealed requests from a device at this one's side and sends them at once. Nothing of them is stored. */
import { ByteQueue } from '../../shared/relay/byte-queue.ts';
import type { Bytes } from '../../shared/relay/byte-reader.ts';
import { messageIdOf, type ByeCode, type FailedCode, type Part } from '../../shared/relay/frames.ts';
import { sealedAnswerBytesMax, sealedRequestBytesMax } from '../../shared/relay/media-types.ts';
import type { PostOutcome } from './delivery/post-sealed.ts';

/** `busy`: the requests of this minute are used up. */
type LiveOutcome = PostOutcome | { kind: 'busy' };
export type PostLive = (sealed: Bytes, given: { isPhoto: boolean }) => Promise<LiveOutcome>;

const failedCodeOf: Record<Exclude<LiveOutcome['kind'], 'answered'>, FailedCode> = {
  refused: 'refused',
  declined: 'later',
  unreachable: 'later',
  busy: 'busy',
};

interface LiveRequestsOptions {
  post: PostLive;
  /** The room for answers of all sessions. */
  room: AnswerRoom;
  /** Both reject when the channel is gone. */
  reply: (id: string, answer: Bytes) => Promise<void>;
  fail: (id: string, code: FailedCode) => Promise<void>;
}

/** A device waits for the answer to a push before it pulls. */
const requestsMax = 4;
/** A device whose key the server no longer has stops after 3 of a kind. */
const refusedMax = 10;

/** Counts the bytes of answers that are in memory until their devices have read them. */
export class AnswerRoom {
  #free: number;

  constructor(bytesMax: number) {
    this.#free = bytesMax;
  }

  /** Returns false if there is no room for so many bytes. */
  take(bytes: number): boolean {
    if (bytes > this.#free) return false;
    this.#free -= bytes;
    return true;
  }

  leave(bytes: number): void {
    this.#free += bytes;
  }
}

export class LiveRequests {
  readonly #options: LiveRequestsOptions;
  /** A device that does not read takes room from itself, and leaves some to others. */
  readonly #ownRoom = new AnswerRoom(sealedAnswerBytesMax);
  /** The request whose parts are coming. */
  #incoming = { id: '', received: new ByteQueue() };
  /** The id of a request for a photo, as its device says. */
  #photoId = '';
  #inFlightCount = 0;
  #refusedCount = 0;

  constructor(options: LiveRequestsOptions) {
    this.#options = options;
  }

  onPhoto(id: string): void {
    this.#photoId = id;
  }

  /** Returns the code with which the session ends; undefined if it goes on. Does not wait for the server. */
  async take({ id, total, offset, bytes }: Part): Promise<ByeCode | undefined> {
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
    // The device may have given up on those that the server has not answered.
    if (this.#inFlightCount >= requestsMax) return void (await this.#options.fail(id, 'busy'));
    this.#inFlightCount++;
    // A channel that is gone tells so by its frames.
    void this.#send(id, sealed)
      .catch(() => undefined)
      .finally(() => this.#inFlightCount--);
    return undefined;
  }

  async #send(id: string, sealed: Bytes): Promise<void> {
    const { post, room, reply, fail } = this.#options;
    const outcome = await post(sealed, { isPhoto: id === this.#photoId });
    if (outcome.kind === 'refused') this.#refusedCount++;
    if (outcome.kind !== 'answered') return fail(id, failedCodeOf[outcome.kind]);
    const bytes = outcome.answer.length;
    if (!this.#ownRoom.take(bytes)) return fail(id, 'later');
    try {
      if (!room.take(bytes)) return await fail(id, 'later');
      await reply(id, outcome.answer).finally(() => room.leave(bytes));
    } finally {
      this.#ownRoom.leave(bytes);
    }
  }
}
