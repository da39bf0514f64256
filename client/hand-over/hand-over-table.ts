/** The table of the messages that a device hands over to carriers. */
import type { Clock } from '../core/clock.ts';
import { handOverBody } from '../generated/relay-row-schemas.ts';
import type { DeviceTables } from '../storage/device-tables.ts';
import type { HandOverBody } from '../storage/rows.ts';
import type { Table } from '../storage/table.ts';

/**
 * If the shape of the rows changes, the collection gets a new name. The old rows may be lost, since the device seals
 * its work again.
 */
export const handOverCollection = 'handed_v2';

export async function openHandOverTable(
  { openTable }: Pick<DeviceTables, 'openTable'>,
  schedule: Clock['schedule'],
): Promise<Table<HandOverBody>> {
  const collection = { name: handOverCollection, version: 0, bodySchema: handOverBody };
  const table = await openTable<HandOverBody>(collection, { schedule });
  await table.refreshAll();
  return table;
}
