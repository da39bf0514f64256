/** The outbox's device row, which says who this device is to the server. No other file writes that row alone. */
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

  /** Runs alone among the tabs of the device. A tab whose lock was stolen meanwhile writes nothing more. */
  exclusive<Result>(work: () => Promise<Result>): Promise<Result> {
    return this.#locks.exclusiveStealing('outbox', async (isStolen) => {
      if (isStolen) await fenceOff(this.#table);
      return work();
    });
  }

  /** Reads the row from the storage, since another tab may have written it. */
  async fresh(): Promise<DeviceBody> {
    await this.#table.refresh(deviceRowId);
    return this.device;
  }

  /** Throws, and changes nothing, when the device holds work of another account. */
  rememberPairing(pairing: { token: string; account_id: string }): Promise<void> {
    return this.#remember((device) => {
      requireAccount(device, pairing.account_id);
      return pairing;
    });
  }

  /** Binds the device to the account for good: its work never goes to another one. */
  rememberAccount(account_id: string): Promise<void> {
    return this.#remember((device) => (device.account_id === undefined ? { account_id } : {}));
  }

  /** Stores the highest number that was sent, or is about to be, before the push leaves. */
  rememberOffered(client_id: string, offered_seq: number): Promise<void> {
    return this.#remember((device) => {
      const isNews = device.client_id === client_id && offered_seq > (device.offered_seq ?? 0);
      return isNews ? { offered_seq } : {};
    });
  }

  #remember(known: (device: DeviceBody) => Partial<DeviceBody>): Promise<void> {
    return this.exclusive(async () => {
      const device = await this.fresh();
      const news = known(device);
      if (Object.keys(news).length > 0) await this.#table.write([deviceRow({ ...device, ...news })]);
    });
  }
}
