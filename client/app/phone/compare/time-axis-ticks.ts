import { secsPerCentiminute, timeNotation, type TimeNotation } from '../../text/format.ts';

const secsPerDay = 86_400;

const dayIntervalsSecs: number[] = [];
for (let secs = secsPerDay; secs < 1e6 * secsPerDay; secs *= 10) dayIntervalsSecs.push(secs, 2 * secs, 5 * secs);
const centiminuteIntervals = [1, 10, 100, 1_000, 10_000].flatMap((ten) => [ten, 2 * ten, 5 * ten]);

/** The distances that two ticks may have: round times in the notation of this device. */
const tickIntervalsSecs: Record<TimeNotation, readonly number[]> = {
  clock: [
    1,
    2,
    5,
    10,
    15,
    30,
    60,
    120,
    300,
    600,
    900,
    1_800,
    3_600,
    7_200,
    10_800,
    21_600,
    43_200,
    ...dayIntervalsSecs,
  ],
  // The longest interval in centiminutes is 20,000 cmin (3:20 hours). Longer intervals are whole days, since the app
  // shows a time of a day or more in days.
  centiminute: [
    ...centiminuteIntervals.filter((count) => count < 50_000).map((count) => count * secsPerCentiminute),
    ...dayIntervalsSecs,
  ],
};

const tickIntervalCountMax = 6;

/** Returns the ticks of a time axis in seconds: from 0 to the first tick at or above `secs`. */
export function timeAxisTicks(secs: number): number[] {
  const intervals = tickIntervalsSecs[timeNotation()];
  const step = intervals.find((length) => secs <= length * tickIntervalCountMax) ?? 5e5 * secsPerDay;
  return Array.from({ length: Math.max(1, Math.ceil(secs / step)) + 1 }, (_, index) => index * step);
}
