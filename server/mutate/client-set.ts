/** The sync clients that one transaction works on, and how many its account has. */
import type { AccountLimits } from '../store/account-limits.ts';
import type { ClientRow, Loaded } from '../store/store.ts';
import { RowSet } from './row-set.ts';

export class ClientSet {
  readonly #limits: AccountLimits;
  readonly #rows: RowSet<string, ClientRow>;
  readonly #clientsOf: Map<string | null, number>;
  readonly #unacknowledgedOf: Map<string | null, number>;

  constructor({ clients, clientCounts, rejectionCounts }: Loaded, limits: AccountLimits) {
    this.#limits = limits;
    this.#rows = new RowSet(clients, (client) => client.client_id);
    this.#clientsOf = new Map(clientCounts.map((count) => [count.device_id, count.clients]));
    this.#unacknowledgedOf = new Map(rejectionCounts.map((count) => [count.device_id, count.rejections]));
  }

  get(clientId: string): ClientRow | undefined {
    return this.#rows.get(clientId);
  }

  put(client: ClientRow): void {
    const before = this.#rows.get(client.client_id);
    if (!before) add(this.#clientsOf, client.device_id, 1);
    add(this.#unacknowledgedOf, before?.device_id ?? null, -(before?.rejections.length ?? 0));
    add(this.#unacknowledgedOf, client.device_id, client.rejections.length);
    this.#rows.put(client);
  }

  changed(): ClientRow[] {
    return this.#rows.changed();
  }

  /** How many clients there may be, when one more of this device would be too many. */
  limit(deviceId: string | null): number | undefined {
    const { clientsPerDeviceMax, clientsPerAccountMax } = this.#limits;
    if ((this.#clientsOf.get(deviceId) ?? 0) >= clientsPerDeviceMax) return clientsPerDeviceMax;
    return sum(this.#clientsOf) >= clientsPerAccountMax ? clientsPerAccountMax : undefined;
  }

  /**
   * How many rejections of this device nobody acknowledged, when that is too many. A device without any goes on even where
   * the others of its account filled the bound.
   */
  tooManyRejections(deviceId: string | null, acknowledgedNow: number): number | undefined {
    const { rejectionsPerDeviceMax, rejectionsPerAccountMax } = this.#limits;
    const ofDevice = (this.#unacknowledgedOf.get(deviceId) ?? 0) - acknowledgedNow;
    const ofAccount = sum(this.#unacknowledgedOf) - acknowledgedNow;
    const isFull = ofDevice > rejectionsPerDeviceMax || (ofDevice > 0 && ofAccount > rejectionsPerAccountMax);
    return isFull ? ofDevice : undefined;
  }
}

function add(counts: Map<string | null, number>, key: string | null, more: number): void {
  counts.set(key, (counts.get(key) ?? 0) + more);
}

const sum = (counts: Map<string | null, number>): number => [...counts.values()].reduce((all, count) => all + count, 0);
