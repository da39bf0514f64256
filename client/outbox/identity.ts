/** The device's identity for the server: reads and writes the device row, with its client id, token and account. */
import { assert } from '../../shared/domain/assert.ts';
import { fenceOff } from '../storage/fence.ts';
import type { Locks } from '../core/locks.ts';
import { deviceRowId, type DeviceBody, type OutboxBody } from '../storage/rows.ts';
import type { Table } from '../storage/table.ts';
import { deviceRow } from './model/device.ts';
import { requireSameAccount } from './model/sequence/require-account.ts';

export class DeviceIdentity {
  readonly #table: Table<OutboxBody>;
  readonly #locks: Locks;

  constructor(table: Table<OutboxBody>, locks: Locks) {
    this.#table = table;
    this.#locks = locks;
  }

  get device(): DeviceBody {
    const body = this.#table.get(deviceRowId);
    assert(body?.kind === 'device', 'the outbox knows its device');
    return body;
  }

  /** Runs `work` under the outbox's lock, which all tabs share. A tab whose lock was stolen can no longer write. */
  withOutboxLock<Result>(work: () => Promise<Result>): Promise<Result> {
    return this.#locks.exclusiveStealing('outbox', async (isStolen) => {
      if (isStolen) await fenceOff(this.#table);
      return work();
    });
  }

  /** Reads the device row from the storage, since another tab may have changed it. */
  async refreshDevice(): Promise<DeviceBody> {
    await this.#table.refresh(deviceRowId);
    return this.device;
  }

  /** Stores a pairing's token and account. Throws, and stores nothing, if the device belongs to another account. */
  rememberPairing(pairing: { token: string; account_id: string }): Promise<void> {
    return this.#updateDevice((device) => {
      requireSameAccount(device, pairing.account_id);
      return pairing;
    });
  }

  /** Binds the device to the account for good, since mutations of one account must never reach another account. */
  rememberAccount(account_id: string): Promise<void> {
    return this.#updateDevice((device) => (device.account_id === undefined ? { account_id } : {}));
  }

  /** Raises the sent number (`offered_seq`) before the push, since the app may crash during the push. */
  rememberSentNumber(client_id: string, offered_seq: number): Promise<void> {
    return this.#updateDevice((device) => {
      const isHigher = device.client_id === client_id && offered_seq > (device.offered_seq ?? 0);
      return isHigher ? { offered_seq } : {};
    });
  }

  #updateDevice(changesOf: (device: DeviceBody) => Partial<DeviceBody>): Promise<void> {
    return this.withOutboxLock(async () => {
      const device = await this.refreshDevice();
      const changes = changesOf(device);
      if (Object.keys(changes).length > 0) await this.#table.write([deviceRow({ ...device, ...changes })]);
    });
  }
}
