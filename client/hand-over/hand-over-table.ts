/** The table of what a device hands over. */
import type { Clock } from '../core/clock.ts';
import { handOverBody } from '../generated/relay-row-schemas.ts';
import type { DeviceTables } from '../storage/device-tables.ts';
import type { HandOverBody } from '../storage/rows.ts';
import type { Table } from '../storage/table.ts';

/** If the shape of the rows changes, the collection gets a new name: the device seals anew. */
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
