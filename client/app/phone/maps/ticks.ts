const day = 86_400;

/** Lengths of time that people count in, in seconds; longer ones by days. */
const rounds = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1_800, 3_600, 7_200, 10_800, 21_600, 43_200];
for (let ten = day; ten < 1e6 * day; ten *= 10) rounds.push(ten, 2 * ten, 5 * ten);

const spacesMax = 6;

/** Where an axis of time has its marks, in seconds: from 0 at round distances, the last at or above `secs`. */
export function ticksOf(secs: number): number[] {
  const step = rounds.find((length) => secs <= length * spacesMax) ?? rounds.at(-1)!;
  return Array.from({ length: Math.max(1, Math.ceil(secs / step)) + 1 }, (_, index) => index * step);
}
