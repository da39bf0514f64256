/**
 * The statuses that devices report, and the limits by which the server judges a device's health. `Store.transact` does
 * not write statuses.
 */
import type { Device } from '../../../shared/schema/auth.ts';
import type { DeviceStatus } from '../../../shared/schema/fleet.ts';

export interface DeviceStatusRow extends DeviceStatus {
  /** The version of the sync protocol in the request with the report. */
  protocol: number;
}

export interface DeviceWithStatus extends Device {
  /** The device's position in lists of devices, which go from the highest `list_id` to the lowest. */
  list_id: string;
  status: DeviceStatusRow | null;
}

export interface DeviceRowKey {
  accountId: string;
  deviceId: string;
}

export interface SilentDeviceQuery extends Pick<HealthCutoffs, 'silentSeenMax'> {
  /** Leaves out devices that were last seen before this instant. */
  silentSeenMin: string;
  limit: number;
}

export interface StatusWrite {
  status: DeviceStatusRow;
  now: string;
  /** The row is written only if its last write was at or before this instant. */
  lastWrittenMax: string;
}

/** The limits at which a device becomes stale, silent or stuck. */
export interface HealthCutoffs {
  /** A device with unsent work is stale if it was last seen at or before this instant. */
  staleSeenMax: string;
  /** A device is silent if it was last seen at or before this instant. */
  silentSeenMax: string;
  /** Only a report at or after this instant can show that a device is stuck. */
  recentReportMin: string;
  /** A device is stuck if its oldest unsent work was at least this old when the device reported. */
  stuckSecsMin: number;
}

/**
 * Counts a group of unrevoked devices in `devices`. The devices of the group have equal values for all other fields.
 */
export interface DeviceHealthGroup {
  is_stuck: boolean;
  is_silent: boolean;
  is_stale: boolean;
  /** null if these devices never reported. */
  protocol: number | null;
  app_version: string | null;
  devices: number;
}
