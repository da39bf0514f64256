/**
 * The ordered outbox: what this device did and still answers for.
 *
 *   append ─► pending ─┬─ pulled as done ───► gone, or a receipt when it is a recording
 *                      └─ pulled as refused ► refused: needs attention, replaced or discarded when a person resolved it
 *
 *   import, export, new token ─► forwarded: pushed under the client id that it has; then as above
 *
 * Each append numbers its mutations and writes them, and the device's row with the new `last_seq`, in one transaction.
 */
import type { Ids } from '../core/ids.ts';
import type { Locks } from '../core/locks.ts';
import { deviceRowId, type OutboxBody } from '../storage/rows.ts';
import type { Table } from '../storage/table.ts';
import { ClientSequence } from './client-sequence.ts';
import { Identity } from './device-row.ts';
import { deviceRow, newDevice } from './model/device.ts';
import { OutboxReader } from './outbox-reader.ts';
import { OutboxWriter, type WriterOptions } from './outbox-writer.ts';

interface OutboxOptions extends Omit<WriterOptions, 'reader'> {
  locks: Locks;
  ids: Ids;
}

/** Queries are the outbox's own verbs; what writes goes through `writer`, what numbers through `sequence`. */
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

/** Gives the device its row, unless another tab did. */
function openDeviceRow({ table, locks, ids }: { table: Table<OutboxBody>; locks: Locks; ids: Ids }): Promise<void> {
  return new Identity(table, locks).exclusive(async () => {
    if (await table.refresh(deviceRowId)) return;
    await table.write([deviceRow(newDevice(ids))]);
  });
}
