/** The outbox's device row: the device's client id, token, account and last numbers. */
import { assert } from '../../shared/domain/assert.ts';
import { fenceOff } from '../storage/fence.ts';
import type { Locks } from '../core/locks.ts';
import { deviceRowId, type DeviceBody, type OutboxBody } from '../storage/rows.ts';
import type { Table } from '../storage/table.ts';
import { deviceRow } from './model/device.ts';
import { requireAccount } from './model/sequence/require-account.ts';

export class Identity {
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

  /** Runs `work` while no other tab of the device does. A tab whose lock was stolen can no longer write. */
  exclusive<Result>(work: () => Promise<Result>): Promise<Result> {
    return this.#locks.exclusiveStealing('outbox', async (isStolen) => {
      if (isStolen) await fenceOff(this.#table);
      return work();
    });
  }

  /** Reads the row from the storage, since another tab may have written it. */
  async refreshDevice(): Promise<DeviceBody> {
    await this.#table.refresh(deviceRowId);
    return this.device;
  }

  /** Stores the token of a pairing; throws and stores nothing if the device belongs to another account. */
  rememberPairing(pairing: { token: string; account_id: string }): Promise<void> {
    return this.#updateDevice((device) => {
      requireAccount(device, pairing.account_id);
      return pairing;
    });
  }

  /** Binds the device to the account for good, so that its work is never sent to another account. */
  rememberAccount(account_id: string): Promise<void> {
    return this.#updateDevice((device) => (device.account_id === undefined ? { account_id } : {}));
  }

  /** Stores the sent number before a push starts: the highest number that was sent or is about to be sent. */
  rememberSentNumber(client_id: string, offered_seq: number): Promise<void> {
    return this.#updateDevice((device) => {
      const isNews = device.client_id === client_id && offered_seq > (device.offered_seq ?? 0);
      return isNews ? { offered_seq } : {};
    });
  }

  #updateDevice(known: (device: DeviceBody) => Partial<DeviceBody>): Promise<void> {
    return this.exclusive(async () => {
      const device = await this.refreshDevice();
      const news = known(device);
      if (Object.keys(news).length > 0) await this.#table.write([deviceRow({ ...device, ...news })]);
    });
  }
}
