import { deviceRowId, type OutboxBody } from './rows.ts';
import type { Table } from './table.ts';

/**
 * Runs first in a tab that stole the outbox's lock: a new revision of the device row makes pending writes of the robbed tab
 * conflict, and its earlier writes are read.
 */
export async function fenceOff(outbox: Table<OutboxBody>): Promise<void> {
  const body = await outbox.refresh(deviceRowId);
  if (body) await outbox.write([{ id: deviceRowId, body }]);
  await outbox.refreshAll();
}
