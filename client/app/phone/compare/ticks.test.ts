import { expect, test } from 'vitest';
import { ticksOf } from './ticks.ts';

test('[APP-146] an axis of time has two to seven marks at lengths that people count in, up to what it shows', () => {
  expect(ticksOf(0)).toEqual([0, 1]);
  expect(ticksOf(47)).toEqual([0, 10, 20, 30, 40, 50]);
  expect(ticksOf(60)).toEqual([0, 10, 20, 30, 40, 50, 60]);
  expect(ticksOf(517.5)).toEqual([0, 120, 240, 360, 480, 600]);
  expect(ticksOf(3_000)).toEqual([0, 600, 1_200, 1_800, 2_400, 3_000]);
  expect(ticksOf(36_000)).toEqual([0, 7_200, 14_400, 21_600, 28_800, 36_000]);
  for (let secs = 0.1; secs < 31_536_000_000; secs *= 1.37) {
    const ticks = ticksOf(secs);
    expect(ticks.length).toBeGreaterThan(1);
    expect(ticks.length).toBeLessThanOrEqual(7);
    expect(ticks.at(-1)).toBeGreaterThanOrEqual(secs);
  }
});
