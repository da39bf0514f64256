import { expect, test } from 'vitest';
import { durationSecsMax } from '../../shared/schema/limits.ts';
import type { Stamp } from '../store/rows.ts';
import { durationBetween } from './duration.ts';

const stamp = (wall_ms: number, monotonic_ms: number, boot_id = 'boot'): Stamp => ({ wall_ms, monotonic_ms, boot_id });
const tap = stamp(1_000_000, 500);

test('[RECORDER-1] clocks that agree vouch for the duration, in seconds with milliseconds', () => {
  expect(durationBetween(tap, stamp(1_012_345, 12_845))).toEqual({ duration_secs: 12.345, duration_estimated: false });
});

test('[RECORDER-1] clocks that differ by up to two seconds still agree, and the larger difference counts', () => {
  expect(durationBetween(tap, stamp(1_010_000, 12_500))).toEqual({ duration_secs: 12, duration_estimated: false });
  expect(durationBetween(tap, stamp(1_010_000, 12_501))).toEqual({ duration_secs: 12.001, duration_estimated: true });
});

test('[RECORDER-2] a monotonic clock that slept loses to the wall clock, and the duration is marked', () => {
  expect(durationBetween(tap, stamp(1_600_000, 10_500))).toEqual({ duration_secs: 600, duration_estimated: true });
});

test('[RECORDER-2] a wall clock that jumped back loses to the monotonic one, and the duration is marked', () => {
  expect(durationBetween(tap, stamp(400_000, 30_500))).toEqual({ duration_secs: 30, duration_estimated: true });
});

test('[RECORDER-2] across a restart the wall clock alone counts, never as negative, always marked', () => {
  expect(durationBetween(tap, stamp(1_060_000, 3, 'another boot'))).toEqual({
    duration_secs: 60,
    duration_estimated: true,
  });
  expect(durationBetween(tap, stamp(400_000, 3, 'another boot'))).toEqual({
    duration_secs: 0,
    duration_estimated: true,
  });
});

test('[RECORDER-2] a duration that no recording may have is cut to the longest one and marked', () => {
  const later = 2 * durationSecsMax * 1000;
  expect(durationBetween(tap, stamp(tap.wall_ms + later, tap.monotonic_ms + later))).toEqual({
    duration_secs: durationSecsMax,
    duration_estimated: true,
  });
});
