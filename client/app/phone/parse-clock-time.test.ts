import { expect, test } from 'vitest';
import { durationText } from '../text/format.ts';
import { parseClockTime } from './parse-clock-time.ts';

test('[APP-156] minutes and seconds are read as they are written, and nothing else', () => {
  expect(['1:30', ' 0:48.7', '0:05,5', '90:00', '1:02:33', '1:30.'].map(parseClockTime)).toEqual([
    90, 48.7, 5.5, 5_400, 3_753, 90,
  ]);
  expect(['', '90', ':30', '1:60', '1:90:00', '1:2:3:4', '-1:30', '1:3o'].map(parseClockTime)).toEqual(
    Array.from({ length: 8 }, () => Number.NaN),
  );
  for (const secs of [0, 42.5, 754.3, 3_599.9, 3_600, 86_399])
    expect(parseClockTime(durationText(secs))).toBeCloseTo(secs, 6);
});
