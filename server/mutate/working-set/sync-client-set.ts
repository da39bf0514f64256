/**
 * The sync clients that one transaction loads and changes. Counts clients, rejections and answers for the limits of
 * each device and of the account.
 */
import type { AccountLimits } from '../../store/account-limits.ts';
import { countRejections, type ClientRow } from '../../store/rows/client-row.ts';
import type { LoadedRows, ReadSet } from '../../store/transaction.ts';
import { RowSet } from './row-set.ts';

export class SyncClientSet {
  readonly #limits: AccountLimits;
  readonly #rows: RowSet<string, ClientRow>;
  readonly #clientsByDevice: Map<string | null, number>;
  readonly #rejectionsByDevice: Map<string | null, number>;
  /**
   * Counts unacknowledged answers. Empty if the store did not count the answers, since each pushing client has at most
   * `uncountedAnswersMax`.
   */
  readonly #answersByDevice: Map<string | null, number>;

  constructor({ clients, clientCounts, rejectionCounts }: LoadedRows, { clientIds }: ReadSet, limits: AccountLimits) {
    this.#limits = limits;
    this.#rows = new RowSet(clients, { keyOf: (client) => client.client_id, read: clientIds });
    this.#clientsByDevice = new Map(clientCounts.map((count) => [count.device_id, count.clients]));
    this.#rejectionsByDevice = new Map(rejectionCounts.map((count) => [count.device_id, count.rejections]));
    this.#answersByDevice = new Map(clientCounts.map((count) => [count.device_id, count.unacknowledged]));
  }

  get(clientId: string): ClientRow | undefined {
    return this.#rows.get(clientId);
  }

  put(client: ClientRow): void {
    const before = this.#rows.get(client.client_id);
    if (!before) addToCount(this.#clientsByDevice, client.device_id, 1);
    addToCount(this.#rejectionsByDevice, before?.device_id ?? null, before ? -countRejections(before) : 0);
    addToCount(this.#rejectionsByDevice, client.device_id, countRejections(client));
    addToCount(this.#answersByDevice, before?.device_id ?? null, before ? before.acked_seq - before.last_seq : 0);
    addToCount(this.#answersByDevice, client.device_id, client.last_seq - client.acked_seq);
    this.#rows.put(client);
  }

  changedRows(): ClientRow[] {
    return this.#rows.changedRows();
  }

  /** Returns the limit that one more client of this device would exceed; undefined if there is room. */
  exceededClientLimit(deviceId: string | null): number | undefined {
    const { clientsPerDeviceMax, clientsPerAccountMax } = this.#limits;
    if ((this.#clientsByDevice.get(deviceId) ?? 0) >= clientsPerDeviceMax) return clientsPerDeviceMax;
    return totalOf(this.#clientsByDevice) >= clientsPerAccountMax ? clientsPerAccountMax : undefined;
  }

  /**
   * Returns how many rejections and answers the device has to acknowledge before it may push again; undefined if both
   * numbers are within the limits. The account's limit applies only to a device that has something to acknowledge.
   */
  unacknowledgedCountsOverLimit(deviceId: string | null, acknowledgedNow: AnswerCounts): AnswerCounts | undefined {
    const limits = this.#limits;
    const rejections = unacknowledgedOverLimit(this.#rejectionsByDevice, deviceId, acknowledgedNow.rejections, {
      perDeviceMax: limits.rejectionsPerDeviceMax,
      perAccountMax: limits.rejectionsPerAccountMax,
    });
    const answers = unacknowledgedOverLimit(this.#answersByDevice, deviceId, acknowledgedNow.answers, {
      perDeviceMax: limits.answersPerDeviceMax,
      perAccountMax: limits.answersPerAccountMax,
    });
    return rejections + answers === 0 ? undefined : { rejections, answers };
  }
}

export interface AnswerCounts {
  rejections: number;
  answers: number;
}

/**
 * Returns the device's count of unacknowledged rejections or answers after this push, or 0 if the counts of the device
 * and of the account are within their limits. A null `deviceId` stands for all API keys together.
 */
function unacknowledgedOverLimit(
  counts: Map<string | null, number>,
  deviceId: string | null,
  acknowledgedNow: number,
  { perDeviceMax, perAccountMax }: { perDeviceMax: number; perAccountMax: number },
): number {
  const countOfDevice = (counts.get(deviceId) ?? 0) - acknowledgedNow;
  const countOfAccount = totalOf(counts) - acknowledgedNow;
  return countOfDevice > perDeviceMax || (countOfDevice > 0 && countOfAccount > perAccountMax) ? countOfDevice : 0;
}

function addToCount(counts: Map<string | null, number>, key: string | null, more: number): void {
  counts.set(key, (counts.get(key) ?? 0) + more);
}

const totalOf = (counts: Map<string | null, number>): number =>
  [...counts.values()].reduce((all, count) => all + count, 0);
