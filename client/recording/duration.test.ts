import type { Stamp } from '../core/clock.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { stepDurationSecsMax } from '../../shared/schema/limits.ts';
import { clockDriftMsMax, measure } from './duration.ts';

const stamp = (wall_ms: number, monotonic_ms: number, boot_id = 'boot'): Stamp => ({ wall_ms, monotonic_ms, boot_id });
const tap = stamp(1_000_000, 500);

test('[RECORDER-1] clocks that agree vouch for the duration, to the millisecond', () => {
  expect(measure(tap, stamp(1_012_345, 12_845))).toEqual({ ms: 12_345, isEstimated: false });
});

test('[RECORDER-1] clocks that differ by up to two seconds still agree, and the larger difference counts', () => {
  expect(measure(tap, stamp(1_010_000, 12_500))).toEqual({ ms: 12_000, isEstimated: false });
  expect(measure(tap, stamp(1_010_000, 12_501))).toEqual({ ms: 12_001, isEstimated: true });
});

test('[RECORDER-2] a monotonic clock that slept loses to the wall clock, and the duration is marked', () => {
  expect(measure(tap, stamp(1_600_000, 10_500))).toEqual({ ms: 600_000, isEstimated: true });
});

test('[RECORDER-2] a wall clock that jumped back loses to the monotonic one, and the duration is marked', () => {
  expect(measure(tap, stamp(400_000, 30_500))).toEqual({ ms: 30_000, isEstimated: true });
});

test('[RECORDER-2] across a restart the wall clock alone counts, never as negative, always marked', () => {
  expect(measure(tap, stamp(1_060_000, 3, 'another boot'))).toEqual({
    ms: 60_000,
    isEstimated: true,
  });
  expect(measure(tap, stamp(400_000, 3, 'another boot'))).toEqual({
    ms: 0,
    isEstimated: true,
  });
});

test('[RECORDER-2] a duration that no recording may have is cut to the longest one and marked', () => {
  const later = 2 * stepDurationSecsMax * 1000;
  expect(measure(tap, stamp(tap.wall_ms + later, tap.monotonic_ms + later))).toEqual({
    ms: stepDurationSecsMax * 1000,
    isEstimated: true,
  });
});

const yearMs = 365 * 86_400_000;
/** Events of a device between two taps, with their lengths in milliseconds. */
const spanMs = fc.oneof(fc.integer({ min: 0, max: 20_000 }), fc.integer({ min: 0, max: 10 * 3_600_000 }));
const happening = fc.oneof(
  fc.record({ kind: fc.constant('awake' as const), ms: spanMs }),
  fc.record({ kind: fc.constant('asleep' as const), ms: spanMs }),
  // The wall clock jumps: a person or the network sets it, or the battery was empty. A time zone changes no clock.
  fc.record({
    kind: fc.constant('jump' as const),
    ms: fc.oneof(fc.integer({ min: -20_000, max: 20_000 }), fc.integer({ min: -50 * yearMs, max: yearMs })),
  }),
  fc.record({ kind: fc.constant('restart' as const), ms: spanMs }),
);

test('[RECORDER-2] a duration that is not marked is right, whatever happens to the device', () => {
  fc.assert(
    fc.property(fc.array(happening, { maxLength: 6 }), (happenings) => {
      const from = stamp(Date.UTC(2026, 3, 1), 5_000);
      let to = from;
      let trueMs = 0;
      let wrongMs = 0;
      for (const { kind, ms } of happenings) {
        if (kind === 'jump') {
          to = { ...to, wall_ms: to.wall_ms + ms };
          wrongMs += Math.abs(ms);
          continue;
        }
        trueMs += ms;
        if (kind === 'asleep') wrongMs += ms;
        const monotonic_ms = kind === 'awake' ? to.monotonic_ms + ms : to.monotonic_ms;
        to = { wall_ms: to.wall_ms + ms, monotonic_ms, boot_id: to.boot_id };
        if (kind === 'restart') to = { ...to, monotonic_ms: 0, boot_id: `${to.boot_id}'` };
      }
      const { ms: measuredMs, isEstimated } = measure(from, to);
      expect(measuredMs).toBeGreaterThanOrEqual(0);
      expect(measuredMs).toBeLessThanOrEqual(stepDurationSecsMax * 1000);
      const restarted = to.boot_id !== from.boot_id;
      if (!restarted && wrongMs === 0) expect(isEstimated).toBe(trueMs > stepDurationSecsMax * 1000);
      // A sleep and a backward jump that cancel each other out cannot be detected.
      const seenWrongMs = to.wall_ms - from.wall_ms - (to.monotonic_ms - from.monotonic_ms);
      if (!restarted && Math.abs(seenWrongMs) > clockDriftMsMax) expect(isEstimated).toBe(true);
      if (!isEstimated && wrongMs <= clockDriftMsMax) {
        expect(Math.abs(measuredMs - trueMs)).toBeLessThanOrEqual(clockDriftMsMax);
      }
    }),
  );
});
