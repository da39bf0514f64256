/** An account of the load, which joins pushes and the events that they bring about by their cursor. */
import type { Tally } from '../measure/tally.ts';

/** An event that follows its push later than this many others is not measured. */
const cursorsMax = 32;

export class LoadAccount {
  readonly id: string;
  readonly mapIds: readonly string[];
  readonly #pushedAt = new Map<string, number>();
  /** Events that came before the answer to their push. */
  readonly #events = new Map<string, number[]>();

  constructor(given: { id: string; mapIds: readonly string[] }) {
    this.id = given.id;
    this.mapIds = given.mapIds;
  }

  pushed(cursor: string, sentAt: number, tally: Tally): void {
    for (const arrivedAt of this.#events.get(cursor) ?? []) tally.poke.add(arrivedAt - sentAt);
    this.#events.delete(cursor);
    remember(this.#pushedAt, cursor, sentAt);
  }

  eventArrived(cursor: string, arrivedAt: number, tally: Tally): void {
    const sentAt = this.#pushedAt.get(cursor);
    if (sentAt !== undefined) tally.poke.add(arrivedAt - sentAt);
    else remember(this.#events, cursor, [...(this.#events.get(cursor) ?? []), arrivedAt]);
  }
}

function remember<Value>(map: Map<string, Value>, key: string, value: Value): void {
  map.set(key, value);
  const [oldest] = map.keys();
  if (map.size > cursorsMax && oldest !== undefined) map.delete(oldest);
}
