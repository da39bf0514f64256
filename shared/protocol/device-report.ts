/** The header `Gemba-Device`: a device's report about itself, sent with each push and pull (RFC 9651, a dictionary). */

export const deviceReportHeader = 'Gemba-Device';

export interface DeviceReport {
  /** The number of changes that are not sent yet. */
  pending: number;
  /** The age of the oldest unsent change. Absent if there is none. */
  oldest_secs?: number;
  /** The number of refused changes that wait for a decision of a person. */
  attention: number;
  /** The charge, 0 to 1 in steps of 0.1. Absent if the device cannot read it. */
  battery?: number;
  /** The free share of the storage, 0 to 1 in steps of 0.1. Absent if the device cannot read it. */
  storage_free?: number;
  /** Whether the journal has all unsent work, lacks some of it, or does not exist. */
  second_copy: 'kept' | 'behind' | 'none';
  platform: 'web' | 'node';
  app_version: string;
}

/** Formats the report as the value of the header. `app_version` must have no quotes or backslashes. */
export function formatDeviceReport(report: DeviceReport): string {
  const { pending, oldest_secs, attention, battery, storage_free, second_copy, platform, app_version } = report;
  const members: [name: string, value: string | undefined][] = [
    ['pending', String(pending)],
    ['oldest', oldest_secs === undefined ? undefined : String(oldest_secs)],
    ['attention', String(attention)],
    ['battery', battery?.toFixed(1)],
    ['storage', storage_free?.toFixed(1)],
    ['second_copy', second_copy],
    ['platform', platform],
    ['app', `"${app_version}"`],
  ];
  return members.flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${value}`])).join(', ');
}
