/**
 * The outbox: the ordered mutations of this device. A mutation stays here until a pull settles it, and longer if a
 * person must decide about it, or if it is a recording that the server might lose.
 *
 *   append ─► pending ─┬─ pull shows it done ────► removed; a recording becomes a receipt
 *                      └─ pull shows it refused ─► refused: waits until a person replaces or discards it;
 *                                                  a discarded entry can be made refused again
 *
 *   import, export, fork, new token, restored journal ─► forwarded: pushed under its original client id; settled by
 *                                                        the answer, once a later pull has brought the effects
 *
 * Each append writes the mutations with their numbers, and the device row with the new `last_seq`, in one transaction.
 */
import type { IdGenerator } from '../core/ids.ts';
import type { Locks } from '../core/locks.ts';
import { deviceRowId, type OutboxBody } from '../storage/rows.ts';
import type { Table } from '../storage/table.ts';
import { ClientSequence } from './client-sequence.ts';
import { DeviceIdentity } from './identity.ts';
import { deviceRow, newDevice } from './model/device.ts';
import { OutboxReader } from './outbox-reader.ts';
import { OutboxWriter, type WriterOptions } from './outbox-writer.ts';

interface OutboxOptions extends Omit<WriterOptions, 'reader' | 'identity'> {
  locks: Locks;
  ids: IdGenerator;
}

/**
 * The methods of `Outbox` itself only read. `writer` writes entries, `sequence` changes client ids and numbers, and
 * `identity` writes the token, the account and the sent number.
 */
export class Outbox extends OutboxReader {
  readonly identity: DeviceIdentity;
  readonly writer: OutboxWriter;
  readonly sequence: ClientSequence;

  private constructor(options: OutboxOptions) {
    const identity = new DeviceIdentity(options.table, options.locks);
    super(options.table, identity);
    this.identity = identity;
    this.writer = new OutboxWriter({ ...options, identity, reader: this });
    this.sequence = new ClientSequence({ table: options.table, reader: this, writer: this.writer, ids: options.ids });
  }

  static async open(options: OutboxOptions): Promise<Outbox> {
    await ensureDeviceRow(options);
    const outbox = new Outbox(options);
    if (outbox.device.is_put_back) await outbox.sequence.leaveRestoredClient();
    return outbox;
  }
}

function ensureDeviceRow({
  table,
  locks,
  ids,
}: {
  table: Table<OutboxBody>;
  locks: Locks;
  ids: IdGenerator;
}): Promise<void> {
  return new DeviceIdentity(table, locks).withOutboxLock(async () => {
    if (await table.refresh(deviceRowId)) return;
    await table.write([deviceRow(newDevice(ids))]);
  });
}
