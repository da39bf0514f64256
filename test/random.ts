/** Seeded randomness: each use prints its seed, and GEMBA_SEED repeats a run. */
export interface Random {
  /** A number from 0 up to, not including, 1. */
  (): number;
}

/** mulberry32 (Tommy Ettinger, public domain) is fast, and good enough to choose what happens next. */
export function randomOf(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Returns an integer that is at least 0 and below the limit. */
export const randomBelow = (random: Random, limit: number): number => Math.floor(random() * limit);

export function pickOne<Thing>(random: Random, things: readonly Thing[]): Thing {
  return things[randomBelow(random, things.length)]!;
}

export const givenSeed = process.env['GEMBA_SEED'] === undefined ? undefined : Number(process.env['GEMBA_SEED']);

/** A generator whose seed is printed at its start. */
export function randomWithPrintedSeed(): Random {
  const seed = givenSeed ?? Date.now() % 2 ** 31;
  console.log(`GEMBA_SEED=${seed}`);
  return randomOf(seed);
}
