import { deviceRowId, type OutboxBody } from './rows.ts';
import type { Table } from './table.ts';

/**
 * Rewrites the device row, so that later writes of the tab that lost its outbox lock conflict. Then reads the rows that
 * the other tab has written.
 */
export async function fenceOff(outbox: Table<OutboxBody>): Promise<void> {
  const body = await outbox.refresh(deviceRowId);
  if (body) await outbox.write([{ id: deviceRowId, body }]);
  await outbox.refreshAll();
}
