import { expect, onTestFinished, test } from 'vitest';
import { setTimeNotation } from '../../text/format.ts';
import { axisText } from '../../text/phone-axis.ts';
import { timeAxisTicks } from './time-axis-ticks.ts';

test('[APP-146] an axis of time has two to seven marks at lengths that people count in, up to what it shows', () => {
  expect(timeAxisTicks(0)).toEqual([0, 1]);
  expect(timeAxisTicks(47)).toEqual([0, 10, 20, 30, 40, 50]);
  expect(timeAxisTicks(60)).toEqual([0, 10, 20, 30, 40, 50, 60]);
  expect(timeAxisTicks(517.5)).toEqual([0, 120, 240, 360, 480, 600]);
  expect(timeAxisTicks(3_000)).toEqual([0, 600, 1_200, 1_800, 2_400, 3_000]);
  expect(timeAxisTicks(36_000)).toEqual([0, 7_200, 14_400, 21_600, 28_800, 36_000]);
  for (let secs = 0.1; secs < 31_536_000_000; secs *= 1.37) {
    const ticks = timeAxisTicks(secs);
    expect(ticks.length).toBeGreaterThan(1);
    expect(ticks.length).toBeLessThanOrEqual(7);
    expect(ticks.at(-1)).toBeGreaterThanOrEqual(secs);
  }
});

test('[APP-362] an axis in centiminutes has round values of that unit', () => {
  setTimeNotation('centiminute');
  onTestFinished(() => setTimeNotation('clock'));
  const labels = (secs: number) => timeAxisTicks(secs).map(axisText);
  expect(labels(47)).toEqual(['0', '20', '40', '60', '80']);
  expect(labels(517.5)).toEqual(['0', '200', '400', '600', '800', '1000']);
  expect(labels(36_000)).toEqual([
    '0',
    '10\u202f000',
    '20\u202f000',
    '30\u202f000',
    '40\u202f000',
    '50\u202f000',
    '60\u202f000',
  ]);
  expect(labels(172_800)).toEqual(['0', '1 day', '2 days']);
  for (let secs = 0.1; secs < 31_536_000_000; secs *= 1.37) {
    const ticks = timeAxisTicks(secs);
    expect(ticks.length).toBeLessThanOrEqual(7);
    expect(ticks.at(-1)).toBeGreaterThanOrEqual(secs);
  }
});
