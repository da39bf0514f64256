/** Counts what a device sends in one session, and remembers which messages it has begun. */
import { newBytesPerSessionMax } from './carried-quotas.ts';

/** A device sends one message after another, so few can be incomplete at once. */
const begunMax = 4;
/**
 * The limit is higher than the 64 messages that a carrier holds: the oldest message may stay while later messages come
 * and are delivered.
 */
const broughtIdsMax = 256;

export class GivingSession {
  newBytesLeft = newBytesPerSessionMax;
  /** The ids of the messages that were received completely. The sessions of one address may share this set. */
  readonly broughtIds: Set<string>;
  readonly #begun = new Map<string, BegunMessage>();

  constructor(broughtIds = new Set<string>()) {
    this.broughtIds = broughtIds;
  }

  /** Returns the incomplete message with this id that this session has begun. */
  begunOf(id: string): BegunMessage | undefined {
    return this.#begun.get(id);
  }

  begin(id: string, begun: BegunMessage): BegunMessage {
    this.#begun.set(id, begun);
    return begun;
  }

  /**
   * Makes room for one more message. If the session has `begunMax` incomplete messages, forgets the first message and
   * returns its key.
   */
  forgetForOneMore(): string[] {
    const [first] = this.#begun;
    if (!first || this.#begun.size < begunMax) return [];
    this.#begun.delete(first[0]);
    return [first[1].key];
  }

  end(id: string): void {
    this.#begun.delete(id);
    this.broughtIds.add(id);
    const [oldest] = this.broughtIds;
    if (this.broughtIds.size > broughtIdsMax && oldest !== undefined) this.broughtIds.delete(oldest);
  }

  get keys(): string[] {
    return [...this.#begun.values()].map(({ key }) => key);
  }
}

/** A message that is being received. Different bytes under the same id get different keys. */
export interface BegunMessage {
  key: string;
  /** True if an earlier session sent its first bytes, perhaps from another device. */
  isContinued: boolean;
}
