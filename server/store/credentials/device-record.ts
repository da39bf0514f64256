/** Turns the row of a device into the record that the API returns. */
import type { Device } from '../../../shared/schema/auth.ts';
import type { DeviceRow } from './credentials.ts';

export function deviceRecord({ id, name, kind, paired_at, last_seen_at, revoked_at }: DeviceRow): Device {
  return { id, name, kind, paired_at, last_seen_at, revoked_at };
}
