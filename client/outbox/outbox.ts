/**
 * The outbox: the ordered mutations of this device that are not known to be done, and those that it keeps afterwards.
 *
 *   append ─► pending ─┬─ pull shows it done ────► removed; a recording becomes a receipt
 *                      └─ pull shows it refused ─► refused: needs attention until a person replaces or discards it
 *
 *   import, export, new token ─► forwarded: pushed under the client id that it was made under; then settled as above
 *
 * Each append numbers its mutations and writes them, and the device's row with the new `last_seq`, in one transaction.
 */
import type { IdGenerator } from '../core/ids.ts';
import type { Locks } from '../core/locks.ts';
import { deviceRowId, type OutboxBody } from '../storage/rows.ts';
import type { Table } from '../storage/table.ts';
import { ClientSequence } from './client-sequence.ts';
import { Identity } from './identity.ts';
import { deviceRow, newDevice } from './model/device.ts';
import { OutboxReader } from './outbox-reader.ts';
import { OutboxWriter, type WriterOptions } from './outbox-writer.ts';

interface OutboxOptions extends Omit<WriterOptions, 'reader'> {
  locks: Locks;
  ids: IdGenerator;
}

/** The outbox's own methods only read; `writer` writes entries, and `sequence` changes their numbers. */
export class Outbox extends OutboxReader {
  readonly writer: OutboxWriter;
  readonly sequence: ClientSequence;

  private constructor(options: OutboxOptions) {
    super(options.table, new Identity(options.table, options.locks));
    this.writer = new OutboxWriter({ ...options, reader: this });
    this.sequence = new ClientSequence({ table: options.table, reader: this, writer: this.writer, ids: options.ids });
  }

  static async open(options: OutboxOptions): Promise<Outbox> {
    await openDeviceRow(options);
    const outbox = new Outbox(options);
    if (outbox.device.is_put_back) await outbox.sequence.leaveRestoredClient();
    return outbox;
  }
}

/** Creates the device's row, unless another tab has created it. */
function openDeviceRow({
  table,
  locks,
  ids,
}: {
  table: Table<OutboxBody>;
  locks: Locks;
  ids: IdGenerator;
}): Promise<void> {
  return new Identity(table, locks).exclusive(async () => {
    if (await table.refresh(deviceRowId)) return;
    await table.write([deviceRow(newDevice(ids))]);
  });
}
