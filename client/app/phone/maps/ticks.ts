const day = 86_400;

/** Round lengths of time in seconds, for the distance between ticks. */
const roundSteps = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1_800, 3_600, 7_200, 10_800, 21_600, 43_200];
for (let days = day; days < 1e6 * day; days *= 10) roundSteps.push(days, 2 * days, 5 * days);

const spacesMax = 6;

/** Returns the ticks of a time axis in seconds: from 0 in round steps to the first tick at or above `secs`. */
export function ticksOf(secs: number): number[] {
  const step = roundSteps.find((length) => secs <= length * spacesMax) ?? 5e5 * day;
  return Array.from({ length: Math.max(1, Math.ceil(secs / step)) + 1 }, (_, index) => index * step);
}
