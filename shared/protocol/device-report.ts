/** The report of a device about itself, sent with each push and pull in the header `Gemba-Device` (RFC 9651, a dictionary). */

export const deviceReportHeader = 'Gemba-Device';

export interface DeviceReport {
  /** The changes that are not sent yet. */
  pending: number;
  /** How old the oldest of them is. Absent if there is none. */
  oldest_secs?: number;
  /** The changes that wait for a decision of a person. */
  attention: number;
  /** 0 to 1 in steps of 0.1. Absent where the device cannot tell. */
  battery?: number;
  /** The free share of the storage, 0 to 1 in steps of 0.1. Absent where the device cannot tell. */
  storage_free?: number;
  second_copy: 'kept' | 'behind' | 'none';
  platform: 'web' | 'node';
  app_version: string;
}

/** Writes the report as the value of the header. A text without quotes and backslashes needs no escapes. */
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
