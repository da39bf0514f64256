const secsPerDay = 86_400;

/** The possible distances between two ticks, all of them round times. */
const tickIntervalsSecs = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1_800, 3_600, 7_200, 10_800, 21_600, 43_200];
for (let days = secsPerDay; days < 1e6 * secsPerDay; days *= 10) tickIntervalsSecs.push(days, 2 * days, 5 * days);

const tickIntervalCountMax = 6;

/** Returns the ticks of a time axis, in seconds. The first tick is 0; the last tick is at or above `secs`. */
export function ticksOf(secs: number): number[] {
  const step = tickIntervalsSecs.find((length) => secs <= length * tickIntervalCountMax) ?? 5e5 * secsPerDay;
  return Array.from({ length: Math.max(1, Math.ceil(secs / step)) + 1 }, (_, index) => index * step);
}
