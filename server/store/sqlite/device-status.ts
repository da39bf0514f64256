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
import { deviceColumnsSql, textAfterAllUuids } from './credentials.ts';
import type { Database } from './database.ts';

const upsertStatusSql = `
  INSERT INTO device_status
    (account_id, device_id, written_at, ${statusColumnsSql})
  VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)
  ON CONFLICT (account_id, device_id) DO UPDATE
    SET written_at = ?3, reported_at = ?4, pending = ?5, oldest_unsent_at = ?6, attention = ?7, battery = ?8,
        storage_free = ?9, second_copy = ?10, app_version = ?11, platform = ?12, protocol = ?13
  WHERE written_at <= ?14 AND reported_at < ?4
  RETURNING 1`;

export function saveDeviceStatus(
  database: Database,
  { accountId, deviceId }: DeviceRowKey,
  { status, now, lastWrittenMax }: StatusWrite,
): boolean {
  const written = database.all(upsertStatusSql, accountId, deviceId, now, ...statusValues(status), lastWrittenMax);
  return written.length > 0;
}

const selectDevicesWithStatusSql = `
  SELECT ${deviceColumnsSql},
         ${statusColumnsSql}
    FROM devices
    LEFT JOIN device_status AS status ON status.account_id = ?1 AND status.device_id = devices.id
   WHERE devices.account_id = ?1 AND list_id < ?2 ORDER BY list_id DESC LIMIT ?3`;

export function listDevicesWithStatus(
  database: Database,
  accountId: string,
  { before = textAfterAllUuids, limit }: CredentialQuery,
): CredentialPage<DeviceWithStatus> {
  const rows = database.all<DeviceRow & StatusColumns>(selectDevicesWithStatusSql, accountId, before, limit + 1);
  return pageOf(rows, limit, { position: (row) => row.list_id, row: toDeviceWithStatus });
}

const countDevicesSql = `
  WITH seen AS (
    SELECT coalesce((SELECT max(last_used_at) FROM tokens
                      WHERE tokens.account_id = devices.account_id AND tokens.device_id = devices.id),
                    paired_at) AS seen_at,
           status.*
      FROM devices
      LEFT JOIN device_status AS status
        ON status.account_id = devices.account_id AND status.device_id = devices.id
     WHERE revoked_at IS NULL)
  SELECT coalesce(reported_at >= ?3
                  AND round((julianday(reported_at) - julianday(oldest_unsent_at)) * 86400) >= ?4, 0) AS is_stuck,
         seen_at <= ?2 AS is_silent,
         coalesce(pending > 0 AND seen_at <= ?1, 0) AS is_stale,
         protocol, app_version, count(*) AS devices
    FROM seen GROUP BY 1, 2, 3, 4, 5`;

const selectSilentDevicesSql = `
  WITH seen AS (
    SELECT account_id, id, silent_event_at,
           coalesce((SELECT max(last_used_at) FROM tokens
                      WHERE tokens.account_id = devices.account_id AND tokens.device_id = devices.id),
                    paired_at) AS seen_at
      FROM devices WHERE revoked_at IS NULL)
  SELECT account_id AS accountId, id AS deviceId FROM seen
   WHERE seen_at BETWEEN ?2 AND ?1 AND (silent_event_at IS NULL OR silent_event_at < seen_at) LIMIT ?3`;

export const findSilentDevices = (
  database: Database,
  { silentSeenMax, silentSeenMin, limit }: SilentDeviceQuery,
): DeviceRowKey[] =>
  database.all<DeviceRowKey>(selectSilentDevicesSql, silentSeenMax, silentSeenMin, limit).map((key) => ({ ...key }));

type DeviceHealthGroupColumns = {
  [Column in keyof DeviceHealthGroup]: DeviceHealthGroup[Column] extends boolean ? number : DeviceHealthGroup[Column];
};

export function countDevices(database: Database, cutoffs: HealthCutoffs): DeviceHealthGroup[] {
  const { staleSeenMax, silentSeenMax, recentReportMin, stuckSecsMin } = cutoffs;
  const rows = database.all<DeviceHealthGroupColumns>(
    countDevicesSql,
    staleSeenMax,
    silentSeenMax,
    recentReportMin,
    stuckSecsMin,
  );
  return rows.map((row) => ({
    ...row,
    is_stuck: row.is_stuck === 1,
    is_silent: row.is_silent === 1,
    is_stale: row.is_stale === 1,
  }));
}
