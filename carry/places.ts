/**
 * Gives each session one of a limited number of places. Neither silent sockets nor many sockets of one address keep
 * other devices out.
 */
import { clientNetwork } from '../server/http/limits/client-address.ts';

export interface Place {
  /** The ids of the messages from this device's address. All sessions of the address share the set and its limits. */
  broughtIds: Set<string>;
  /** Must be called when the device has sent something. */
  onHeard(): void;
  leave(): void;
}

interface TakenPlace {
  network: string;
  /** The value of `#heardCount` when this device last sent something; 0 if it has sent nothing yet. */
  heardAt: number;
  giveUp: () => void;
}

/** Limits the addresses whose message ids are remembered. */
const networksMax = 1_000;

export class Places {
  readonly #countMax: number;
  /** The places that sessions have taken, in the order in which the sessions came. */
  readonly #taken = new Set<TakenPlace>();
  readonly #broughtIds = new Map<string, Set<string>>();
  #heardCount = 0;

  constructor(countMax: number) {
    this.#countMax = countMax;
  }

  /**
   * Returns undefined if there is no place for the session. `giveUp` is called when another session gets the place,
   * and must end this session.
   */
  take(address: string, giveUp: () => void): Place | undefined {
    const network = clientNetwork(address);
    if (this.#taken.size >= this.#countMax) {
      const victim = this.#victimFor(network);
      if (!victim) return undefined;
      this.#taken.delete(victim);
      victim.giveUp();
    }
    const taken: TakenPlace = { network, heardAt: 0, giveUp };
    this.#taken.add(taken);
    return {
      broughtIds: this.#broughtBy(network),
      onHeard: () => void (taken.heardAt = ++this.#heardCount),
      leave: () => void this.#taken.delete(taken),
    };
  }

  /**
   * Returns the session that loses its place. If the addresses with most places have at least 2 more than `network`, it
   * is their longest silent session, otherwise a session of `network` or of these addresses that sent nothing yet.
   */
  #victimFor(network: string): TakenPlace | undefined {
    const all = [...this.#taken].toSorted((a, b) => a.heardAt - b.heardAt);
    const countOf = (one: string) => all.filter((taken) => taken.network === one).length;
    const countMax = Math.max(...all.map((taken) => countOf(taken.network)));
    const most = all.filter((taken) => countOf(taken.network) === countMax);
    if (countMax > countOf(network) + 1) return most[0];
    return [...all.filter((taken) => taken.network === network), ...most].find(({ heardAt }) => heardAt === 0);
  }

  #broughtBy(network: string): Set<string> {
    const ids = this.#broughtIds.get(network) ?? new Set();
    // Move the address to the end of the map, since the first address in the map is the first to be forgotten.
    this.#broughtIds.delete(network);
    this.#broughtIds.set(network, ids);
    const [oldest] = this.#broughtIds.keys();
    if (this.#broughtIds.size > networksMax && oldest !== undefined) this.#broughtIds.delete(oldest);
    return ids;
  }
}
