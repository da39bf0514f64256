import { deviceRowId, type OutboxBody } from './rows.ts';
import type { Table } from './table.ts';

/**
 * Rewrites the device row after this tab stole the outbox lock. A later write of the other tab then fails with a
 * conflict. Reads the rows that the other tab has written before.
 */
export async function fenceOff(outbox: Table<OutboxBody>): Promise<void> {
  const body = await outbox.refresh(deviceRowId);
  if (body) await outbox.write([{ id: deviceRowId, body }]);
  await outbox.refreshAll();
}
