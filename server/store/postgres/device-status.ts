/** Reads and writes the statuses that devices report. */
import type { CredentialPage, CredentialQuery, DeviceRow } from '../credentials/credentials.ts';
import type {
  DeviceRowKey,
  DeviceHealthGroup,
  DeviceWithStatus,
  HealthCutoffs,
  SilentDeviceQuery,
  StatusWrite,
} from '../credentials/device-status.ts';
import {
  toDeviceWithStatus,
  statusColumnsSql,
  statusValues,
  type StatusColumns,
} from '../credentials/device-record.ts';
import { pageOf } from '../page.ts';
import type { Connections } from './connections.ts';
import { deviceColumnsSql } from './credentials.ts';
import { statement } from './statement.ts';
import { isUuid } from './types.ts';

const upsertStatusStatement = statement({
  name: 'save_device_status',
  text: `
    INSERT INTO device_status AS kept
      (account_id, device_id, written_at, ${statusColumnsSql})
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
    ON CONFLICT (account_id, device_id) DO UPDATE
      SET written_at = excluded.written_at, reported_at = excluded.reported_at, pending = excluded.pending,
          oldest_unsent_at = excluded.oldest_unsent_at, attention = excluded.attention, battery = excluded.battery,
          storage_free = excluded.storage_free, second_copy = excluded.second_copy,
          app_version = excluded.app_version, platform = excluded.platform, protocol = excluded.protocol
      WHERE kept.written_at <= $14::timestamptz AND kept.reported_at < excluded.reported_at
    RETURNING 1`,
});

export async function saveDeviceStatus(
  connections: Connections,
  { accountId, deviceId }: DeviceRowKey,
  { status, now, lastWrittenMax }: StatusWrite,
): Promise<boolean> {
  if (!isUuid(accountId) || !isUuid(deviceId)) return false;
  const written = await connections.query(upsertStatusStatement, [
    accountId,
    deviceId,
    now,
    ...statusValues(status),
    lastWrittenMax,
  ]);
  return written.length > 0;
}

const selectDevicesWithStatusStatement = statement({
  text: `
    SELECT ${deviceColumnsSql},
           ${statusColumnsSql}
      FROM devices
      LEFT JOIN device_status AS status ON status.account_id = $1 AND status.device_id = devices.id
     WHERE devices.account_id = $1 AND ($2::uuid IS NULL OR list_id < $2) ORDER BY list_id DESC LIMIT $3`,
});

export async function listDevicesWithStatus(
  connections: Connections,
  accountId: string,
  { before, limit }: CredentialQuery,
): Promise<CredentialPage<DeviceWithStatus>> {
  const rows = await connections.query<DeviceRow & StatusColumns>(selectDevicesWithStatusStatement, [
    accountId,
    before,
    limit + 1,
  ]);
  return pageOf(rows, limit, { position: (row) => row.list_id, row: toDeviceWithStatus });
}

/** Each join stays within one account, so each shard can count its own devices. */
export const countDevicesSql = `
    WITH seen AS (
      SELECT coalesce((SELECT max(last_used_at) FROM tokens
                        WHERE tokens.account_id = devices.account_id AND tokens.device_id = devices.id),
                      paired_at) AS seen_at,
             status.*
        FROM devices
        LEFT JOIN device_status AS status
          ON status.account_id = devices.account_id AND status.device_id = devices.id
       WHERE revoked_at IS NULL)
    SELECT coalesce(reported_at >= $3::timestamptz
                    AND reported_at - oldest_unsent_at >= make_interval(secs => $4), false) AS is_stuck,
           seen_at <= $2::timestamptz AS is_silent,
           coalesce(pending > 0 AND seen_at <= $1::timestamptz, false) AS is_stale,
           protocol, app_version, count(*) AS devices
      FROM seen GROUP BY 1, 2, 3, 4, 5`;

const countDevicesStatement = statement({ text: countDevicesSql });

export async function countDevices(connections: Connections, cutoffs: HealthCutoffs): Promise<DeviceHealthGroup[]> {
  const { staleSeenMax, silentSeenMax, recentReportMin, stuckSecsMin } = cutoffs;
  return connections.query<DeviceHealthGroup>(countDevicesStatement, [
    staleSeenMax,
    silentSeenMax,
    recentReportMin,
    stuckSecsMin,
  ]);
}

/** Each subquery stays within one account, so each shard can find its own devices. */
export const selectSilentDevicesSql = `
    WITH seen AS (
      SELECT account_id, id, silent_event_at,
             coalesce((SELECT max(last_used_at) FROM tokens
                        WHERE tokens.account_id = devices.account_id AND tokens.device_id = devices.id),
                      paired_at) AS seen_at
        FROM devices WHERE revoked_at IS NULL)
    SELECT account_id AS "accountId", id AS "deviceId" FROM seen
     WHERE seen_at BETWEEN $2::timestamptz AND $1::timestamptz
       AND (silent_event_at IS NULL OR silent_event_at < seen_at) LIMIT $3`;

const selectSilentDevicesStatement = statement({ text: selectSilentDevicesSql });

export const findSilentDevices = (
  connections: Connections,
  { silentSeenMax, silentSeenMin, limit }: SilentDeviceQuery,
): Promise<DeviceRowKey[]> =>
  connections.query<DeviceRowKey>(selectSilentDevicesStatement, [silentSeenMax, silentSeenMin, limit]);
