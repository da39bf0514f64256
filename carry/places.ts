/** Gives the places for sessions, so that silent sockets and those of one address keep no other device out. */
import { clientNetwork } from '../server/http/limits/client-address.ts';

export interface Place {
  /** The ids of the messages that came from the address of this device. One limit holds for all of an address. */
  broughtIds: Set<string>;
  /** Must be called when the device has sent something. */
  onHeard(): void;
  leave(): void;
}

interface Taken {
  network: string;
  /** Counts what was heard of all devices; 0 if nothing was heard of this one. */
  heardAt: number;
  giveUp: () => void;
}

/** Remembers the messages of so many addresses. */
const networksMax = 1_000;

export class Places {
  readonly #countMax: number;
  /** Has the sessions in the order in which they came. */
  readonly #taken = new Set<Taken>();
  readonly #broughtIds = new Map<string, Set<string>>();
  #heardCount = 0;

  constructor(countMax: number) {
    this.#countMax = countMax;
  }

  /** Returns undefined if there is no place. `giveUp` must end the session: its place goes to another device. */
  take(address: string, giveUp: () => void): Place | undefined {
    const network = clientNetwork(address);
    if (this.#taken.size >= this.#countMax) {
      const victim = this.#victimFor(network);
      if (!victim) return undefined;
      this.#taken.delete(victim);
      victim.giveUp();
    }
    const taken: Taken = { network, heardAt: 0, giveUp };
    this.#taken.add(taken);
    return {
      broughtIds: this.#broughtBy(network),
      onHeard: () => void (taken.heardAt = ++this.#heardCount),
      leave: () => void this.#taken.delete(taken),
    };
  }

  /**
   * A session of the address that has the most places, if it has more than the new one's would have: the one that said
   * nothing for the longest. Otherwise a session of the own address, or of one with as many, that said nothing yet.
   */
  #victimFor(network: string): Taken | undefined {
    const all = [...this.#taken].toSorted((a, b) => a.heardAt - b.heardAt);
    const countOf = (one: string) => all.filter((taken) => taken.network === one).length;
    const countMax = Math.max(...all.map((taken) => countOf(taken.network)));
    const most = all.filter((taken) => countOf(taken.network) === countMax);
    if (countMax > countOf(network) + 1) return most[0];
    return [...all.filter((taken) => taken.network === network), ...most].find(({ heardAt }) => heardAt === 0);
  }

  #broughtBy(network: string): Set<string> {
    const ids = this.#broughtIds.get(network) ?? new Set();
    // The one that came last is the last to be forgotten.
    this.#broughtIds.delete(network);
    this.#broughtIds.set(network, ids);
    const [oldest] = this.#broughtIds.keys();
    if (this.#broughtIds.size > networksMax && oldest !== undefined) this.#broughtIds.delete(oldest);
    return ids;
  }
}
