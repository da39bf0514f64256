import { deviceRowId, type OutboxBody } from './rows.ts';
import type { Table } from './table.ts';

/**
 * Rewrites the device row after this tab stole the outbox lock. A later write of the tab that lost the lock then fails
 * with a conflict. Then reads all rows, since that tab may have written some before.
 */
export async function fenceOff(outbox: Table<OutboxBody>): Promise<void> {
  const body = await outbox.refresh(deviceRowId);
  if (body) await outbox.write([{ id: deviceRowId, body }]);
  await outbox.refreshAll();
}
