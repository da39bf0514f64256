/** Seeded randomness of a simulation: every failure prints its seed, and GEMBA_SEED sets it. */
export interface Chance {
  /** A number from 0 up to, not including, 1. */
  (): number;
}

/** mulberry32 (Tommy Ettinger, public domain) is fast, and good enough to choose what happens next. */
export function chanceOf(seed: number): Chance {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export const upTo = (chance: Chance, max: number): number => Math.floor(chance() * max);

export function oneOf<Thing>(chance: Chance, things: readonly Thing[]): Thing {
  return things[upTo(chance, things.length)]!;
}

export const givenSeed = process.env['GEMBA_SEED'] === undefined ? undefined : Number(process.env['GEMBA_SEED']);
