/** Turns the row of a device into the record that the API returns. */
import type { Device } from '../../../shared/schema/auth.ts';
import type { DeviceRow } from './credentials.ts';
import type { DeviceStatusRow, DeviceWithStatus } from './device-status.ts';

/** The columns of a status in the order in which both databases write them. */
const statusColumnNames = [
  'reported_at',
  'pending',
  'oldest_unsent_at',
  'attention',
  'battery',
  'storage_free',
  'second_copy',
  'app_version',
  'platform',
  'protocol',
] as const satisfies (keyof DeviceStatusRow)[];

/** The names of the columns, with commas, for SQL statements. */
export const statusColumnsSql = statusColumnNames.join(', ');

export const statusValues = (status: DeviceStatusRow): DeviceStatusRow[keyof DeviceStatusRow][] =>
  statusColumnNames.map((column) => status[column]);

/** The columns of a device's status, as a LEFT JOIN returns them. All are null for a device without a status. */
export type StatusColumns = { [Column in keyof DeviceStatusRow]: DeviceStatusRow[Column] | null };

export function toApiDevice({ id, name, kind, paired_at, last_seen_at, revoked_at }: DeviceRow): Device {
  return { id, name, kind, paired_at, last_seen_at, revoked_at };
}

/** Turns the row of a device, joined with the columns of its status, into the device with its status. */
export function toDeviceWithStatus(row: DeviceRow & StatusColumns): DeviceWithStatus {
  const { reported_at, pending, oldest_unsent_at, attention, protocol } = row;
  const { battery, storage_free, second_copy, app_version, platform } = row;
  const status =
    reported_at === null || pending === null || attention === null || protocol === null
      ? null
      : {
          reported_at,
          pending,
          oldest_unsent_at,
          attention,
          battery,
          storage_free,
          second_copy,
          app_version,
          platform,
          protocol,
        };
  return { ...toApiDevice(row), list_id: row.list_id, status };
}
