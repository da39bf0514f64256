/** A fuzzing account, with the records that it has learned of from answers. */
import { randomUUID } from 'node:crypto';

export interface Actor {
  /** Part of every text that the account sends; the answers of other accounts must not contain it. */
  mark: string;
  token: string;
  /** Requests leave this key alone, since revoking it would lock the account out. */
  firstKeyId: string;
  maps: Pool<string>;
  stages: Pool<{ mapId: string; stageId: number }>;
  /** The order of the stages of maps, as last seen. */
  orders: Pool<{ mapId: string; stageIds: number[] }>;
  runs: Pool<number>;
  devices: Pool<string>;
  keys: Pool<string>;
  /** Accounts that this one made; only the operator makes any. */
  accounts: Pool<string>;
  codes: Pool<string>;
  /** Tokens of devices and other keys; some are revoked by now. */
  tokens: Pool<string>;
  cursors: Pool<string>;
  etags: Pool<string>;
  clients: { id: string; lastSeq: number }[];
}

export const newActor = (given: Pick<Actor, 'mark' | 'token' | 'firstKeyId'>): Actor => ({
  ...given,
  maps: new Pool(),
  stages: new Pool(),
  orders: new Pool(),
  runs: new Pool(),
  devices: new Pool(),
  keys: new Pool(),
  accounts: new Pool(),
  codes: new Pool(),
  tokens: new Pool(),
  cursors: new Pool(),
  etags: new Pool(),
  clients: Array.from({ length: 6 }, () => ({ id: randomUUID(), lastSeq: 0 })),
});

/** Keeps the newest few of many things. */
export class Pool<Thing> {
  readonly things: Thing[] = [];
  #next = 0;

  add(thing: Thing): void {
    if (this.things.includes(thing)) return;
    this.things[this.#next] = thing;
    this.#next = (this.#next + 1) % sizeMax;
  }

  /** Picks the thing that any number `n` leads to. Returns `otherwise` while the pool is empty. */
  pick(n: number, otherwise: Thing): Thing {
    return this.things[n % this.things.length] ?? otherwise;
  }
}

const sizeMax = 40;

interface Fields {
  [name: string]: unknown;
}

/** Remembers the records in an answer. The kind of a record shows in a field that only this kind has. */
export function rememberRecords(actor: Actor, body: unknown): void {
  if (typeof body !== 'object' || body === null) return;
  if (Array.isArray(body)) return body.slice(0, 20).forEach((item) => rememberRecords(actor, item));
  const record = body as Fields;
  const id = record['id'];
  if ('stage_count' in record && typeof id === 'string') rememberMap(actor, id, record['stages']);
  if ('total_time_secs' in record && typeof id === 'number') actor.runs.add(id);
  if ('paired_at' in record) actor.devices.add(String(id));
  if ('last_four' in record && id !== actor.firstKeyId) actor.keys.add(String(id));
  if ('phones_max' in record) actor.accounts.add(String(id));
  if ('expires_in_secs' in record) actor.codes.add(String(record['code']));
  for (const name of ['token', 'api_key']) if (typeof record[name] === 'string') actor.tokens.add(record[name]);
  for (const name of ['cursor', 'next_cursor']) if (typeof record[name] === 'string') actor.cursors.add(record[name]);
  for (const value of Object.values(record)) rememberRecords(actor, value);
}

function rememberMap(actor: Actor, mapId: string, stages: unknown): void {
  actor.maps.add(mapId);
  if (!Array.isArray(stages)) return;
  const stageIds = stages.map(({ id }: { id: number }) => id);
  actor.orders.add({ mapId, stageIds });
  for (const stageId of stageIds.slice(0, 3)) actor.stages.add({ mapId, stageId });
}
