/** The table of messages that a device carries for others. */
import type { Clock } from '../core/clock.ts';
import { carriedBody } from '../generated/relay-row-schemas.ts';
import type { DeviceTables } from '../storage/device-tables.ts';
import type { CarriedBody } from '../storage/rows.ts';
import type { Table } from '../storage/table.ts';

/**
 * If the shape of the rows changes, the collection gets a new name. The old rows may be lost, since the devices hand
 * over again.
 */
export const carriedCollection = 'carried_v2';

export async function openCarriedTable(
  { openTable }: Pick<DeviceTables, 'openTable'>,
  schedule: Clock['schedule'],
): Promise<Table<CarriedBody>> {
  const collection = { name: carriedCollection, version: 0, bodySchema: carriedBody };
  const table = await openTable<CarriedBody>(collection, { schedule });
  await table.refreshAll();
  return table;
}
