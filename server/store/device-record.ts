/** What a device's row says to its account. */
import type { Device } from '../../shared/schema/auth.ts';
import type { DeviceRow } from './access.ts';

export function deviceRecord({ id, name, kind, paired_at, last_seen_at, revoked_at }: DeviceRow): Device {
  return { id, name, kind, paired_at, last_seen_at, revoked_at };
}
