/** The status that devices report. Its writes are outside of all transactions of records. */
import type { Device } from '../../../shared/schema/auth.ts';
import type { DeviceStatus } from '../../../shared/schema/fleet.ts';

export interface DeviceStatusRow extends DeviceStatus {
  /** The version of the sync protocol that the device spoke. */
  protocol: number;
}

export interface FleetDevice extends Device {
  /** The device's position in lists, which are in descending order. */
  list_id: string;
  status: DeviceStatusRow | null;
}

export interface DeviceKey {
  accountId: string;
  deviceId: string;
}

export interface StatusWrite {
  status: DeviceStatusRow;
  now: string;
  /** The row is written only if its last write was at or before this instant. */
  lastWrittenMax: string;
}

/** The instants on which the health of a device depends. A status is recent from `recentReportMin` on. */
export interface HealthCutoffs {
  staleSeenMax: string;
  silentSeenMax: string;
  recentReportMin: string;
  /** How old unsent work may be at a report before the device is stuck. */
  stuckSecsMin: number;
}

/** Counts the devices, without the revoked ones, for which the same holds. */
export interface FleetCount {
  is_stuck: boolean;
  is_silent: boolean;
  is_stale: boolean;
  /** null if the device never reported. */
  protocol: number | null;
  app_version: string | null;
  devices: number;
}
