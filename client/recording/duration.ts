import type { Stamp } from '../core/clock.ts';
import { durationSecsMax } from '../../shared/schema/limits.ts';

/** If the clocks measure durations that differ by more than this, the device slept or its wall clock was set. */
export const clockDriftMsMax = 2_000;

interface Duration {
  duration_secs: number;
  /** True if the device's clocks disagree about the duration. */
  duration_estimated: boolean;
}

/**
 * Measures the seconds between two taps, to the millisecond. Within one boot it takes the longer of the durations that
 * the two clocks measured, since a monotonic clock may stop during sleep and a wall clock may be set back. After a restart
 * only the wall clock measures; the duration is then an estimate, and never negative.
 */
export function durationBetween(from: Stamp, to: Stamp): Duration {
  const wallMs = Math.max(0, to.wall_ms - from.wall_ms);
  if (from.boot_id !== to.boot_id) return { duration_secs: toSecs(wallMs), duration_estimated: true };
  const monotonicMs = Math.max(0, to.monotonic_ms - from.monotonic_ms);
  const ms = Math.max(wallMs, monotonicMs);
  const disagree = Math.abs(to.wall_ms - from.wall_ms - monotonicMs) > clockDriftMsMax;
  return { duration_secs: toSecs(ms), duration_estimated: disagree || ms > durationSecsMax * 1000 };
}

const toSecs = (ms: number): number => Math.min(Math.round(ms) / 1000, durationSecsMax);
