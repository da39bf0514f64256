import type { Stamp } from '../core/clock.ts';
import { durationSecsMax } from '../../shared/schema/limits.ts';

/** Clocks of one boot that disagree by more than this were tampered with or slept. */
export const clockDriftMsMax = 2_000;

interface Duration {
  duration_secs: number;
  /** The device's clocks could not vouch for it. */
  duration_estimated: boolean;
}

/**
 * The time between two taps, in seconds with milliseconds. Monotonic clocks stand still while a device sleeps and wall
 * clocks jump, so within one boot the larger difference counts, marked when the two disagree; across a restart only the
 * wall clock remains, never taken as negative and always marked.
 */
export function durationBetween(from: Stamp, to: Stamp): Duration {
  const wallMs = Math.max(0, to.wall_ms - from.wall_ms);
  if (from.boot_id !== to.boot_id) return { duration_secs: secs(wallMs), duration_estimated: true };
  const monotonicMs = Math.max(0, to.monotonic_ms - from.monotonic_ms);
  const ms = Math.max(wallMs, monotonicMs);
  const disagree = Math.abs(to.wall_ms - from.wall_ms - monotonicMs) > clockDriftMsMax;
  return { duration_secs: secs(ms), duration_estimated: disagree || ms > durationSecsMax * 1000 };
}

const secs = (ms: number): number => Math.min(Math.round(ms) / 1000, durationSecsMax);
