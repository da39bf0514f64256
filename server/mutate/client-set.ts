/** The sync clients that one transaction loads and changes, with counts for the limits of the account. */
import type { AccountLimits } from '../store/account-limits.ts';
import type { ClientRow } from '../store/rows/client-row.ts';
import type { LoadedRows, ReadSet } from '../store/transaction.ts';
import { RowSet } from './row-set.ts';

export class ClientSet {
  readonly #limits: AccountLimits;
  readonly #rows: RowSet<string, ClientRow>;
  readonly #clientsOf: Map<string | null, number>;
  readonly #rejectionsOf: Map<string | null, number>;
  /** Counts unacknowledged answers. Empty as long as the pushing clients have few of them. */
  readonly #answersOf: Map<string | null, number>;

  constructor({ clients, clientCounts, rejectionCounts }: LoadedRows, { clientIds }: ReadSet, limits: AccountLimits) {
    this.#limits = limits;
    this.#rows = new RowSet(clients, { keyOf: (client) => client.client_id, read: clientIds });
    this.#clientsOf = new Map(clientCounts.map((count) => [count.device_id, count.clients]));
    this.#rejectionsOf = new Map(rejectionCounts.map((count) => [count.device_id, count.rejections]));
    this.#answersOf = new Map(clientCounts.map((count) => [count.device_id, count.unacknowledged]));
  }

  get(clientId: string): ClientRow | undefined {
    return this.#rows.get(clientId);
  }

  put(client: ClientRow): void {
    const before = this.#rows.get(client.client_id);
    if (!before) add(this.#clientsOf, client.device_id, 1);
    add(this.#rejectionsOf, before?.device_id ?? null, -(before?.rejections.length ?? 0));
    add(this.#rejectionsOf, client.device_id, client.rejections.length);
    add(this.#answersOf, before?.device_id ?? null, before ? before.acked_seq - before.last_seq : 0);
    add(this.#answersOf, client.device_id, client.last_seq - client.acked_seq);
    this.#rows.put(client);
  }

  changed(): ClientRow[] {
    return this.#rows.changed();
  }

  /** Returns the limit that one more client of this device would exceed; undefined if none. */
  exceededLimit(deviceId: string | null): number | undefined {
    const { clientsPerDeviceMax, clientsPerAccountMax } = this.#limits;
    if ((this.#clientsOf.get(deviceId) ?? 0) >= clientsPerDeviceMax) return clientsPerDeviceMax;
    return sum(this.#clientsOf) >= clientsPerAccountMax ? clientsPerAccountMax : undefined;
  }

  /**
   * Returns the device's counts of unacknowledged rejections and answers if they exceed a limit. A device without any
   * may push even if the other devices of its account exceed the account's limit.
   */
  tooMuchUnacknowledged(deviceId: string | null, now: Unacknowledged): Unacknowledged | undefined {
    const limits = this.#limits;
    const rejections = countOverLimit(this.#rejectionsOf, deviceId, now.rejections, {
      perDeviceMax: limits.rejectionsPerDeviceMax,
      perAccountMax: limits.rejectionsPerAccountMax,
    });
    const answers = countOverLimit(this.#answersOf, deviceId, now.answers, {
      perDeviceMax: limits.answersPerDeviceMax,
      perAccountMax: limits.answersPerAccountMax,
    });
    return rejections + answers === 0 ? undefined : { rejections, answers };
  }
}

/** Numbers of unacknowledged rejections and answers, or of those that a push acknowledges. */
export interface Unacknowledged {
  rejections: number;
  answers: number;
}

/** Returns the device's count if the device or its account exceeds a limit, else 0. */
function countOverLimit(
  counts: Map<string | null, number>,
  deviceId: string | null,
  acknowledgedNow: number,
  { perDeviceMax, perAccountMax }: { perDeviceMax: number; perAccountMax: number },
): number {
  const ofDevice = (counts.get(deviceId) ?? 0) - acknowledgedNow;
  const ofAccount = sum(counts) - acknowledgedNow;
  return ofDevice > perDeviceMax || (ofDevice > 0 && ofAccount > perAccountMax) ? ofDevice : 0;
}

function add(counts: Map<string | null, number>, key: string | null, more: number): void {
  counts.set(key, (counts.get(key) ?? 0) + more);
}

const sum = (counts: Map<string | null, number>): number => [...counts.values()].reduce((all, count) => all + count, 0);
