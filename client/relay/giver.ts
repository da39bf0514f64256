/** Counts what a device brings in one session, and knows the messages of which it is giving the parts. */
import { newBytesPerSessionMax } from './carried-quotas.ts';

/** A device gives one message after another. */
const begunMax = 4;
/** A carrier holds 64 messages. Some that were brought later may be delivered before the first. */
const broughtIdsMax = 256;

export class Giver {
  newBytesLeft = newBytesPerSessionMax;
  /** The messages that it has brought whole. The sessions of one address may share this set. */
  readonly broughtIds: Set<string>;
  readonly #begun = new Map<string, Begun>();

  constructor(broughtIds = new Set<string>()) {
    this.broughtIds = broughtIds;
  }

  /** Returns what the device has begun of the message, in this session. */
  begunOf(id: string): Begun | undefined {
    return this.#begun.get(id);
  }

  begin(id: string, begun: Begun): Begun {
    this.#begun.set(id, begun);
    return begun;
  }

  /** Forgets what the device began first, if one more is too much, and returns its key. */
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

/** A message that is being received. Devices that give other bytes under its id have other keys. */
export interface Begun {
  key: string;
  /** True if an earlier session gave its first bytes, which may be those of another device. */
  isContinued: boolean;
}
