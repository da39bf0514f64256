import { deviceRowId, type OutboxBody } from './rows.ts';
import type { Table } from './table.ts';

/**
 * Comes first for a tab that stole the lock of the outbox: the device row gets another revision, so that nothing is written
 * any more that the robbed tab decided on before; then all is read that it wrote until now.
 */
export async function fenceOff(outbox: Table<OutboxBody>): Promise<void> {
  const body = await outbox.refresh(deviceRowId);
  if (body) await outbox.write([{ id: deviceRowId, body }]);
  await outbox.refreshAll();
}
