import type { Stamp } from '../core/clock.ts';
import { stepDurationSecsMax } from '../../shared/schema/limits.ts';

/** If the wall clock and the monotonic clock differ by more than this, the device slept or its wall clock was set. */
export const clockDriftMsMax = 2_000;

export interface Duration {
  duration_secs: number;
  /** True if the two clocks disagree, the page was loaded again, or the duration exceeds the maximum. */
  duration_estimated: boolean;
}

/** A duration in whole milliseconds, so that the parts of a duration add up exactly. */
export interface Measurement {
  ms: number;
  isEstimated: boolean;
}

/**
 * Measures the time between two taps. Within one boot, the longer of the two clocks' durations counts: the monotonic
 * clock may stop during sleep, and the wall clock may be set back. Across boots, only the wall clock can measure.
 */
export function measure(from: Stamp, to: Stamp): Measurement {
  const wallMs = Math.max(0, to.wall_ms - from.wall_ms);
  if (from.boot_id !== to.boot_id) return { ms: toWholeMs(wallMs), isEstimated: true };
  const monotonicMs = Math.max(0, to.monotonic_ms - from.monotonic_ms);
  const ms = Math.max(wallMs, monotonicMs);
  const disagree = Math.abs(to.wall_ms - from.wall_ms - monotonicMs) > clockDriftMsMax;
  return { ms: toWholeMs(ms), isEstimated: disagree || ms > durationMsMax };
}

const durationMsMax = stepDurationSecsMax * 1000;
const toWholeMs = (ms: number): number => Math.min(Math.round(ms), durationMsMax);
