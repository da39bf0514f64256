/** Seeded randomness: prints the seed and takes one from `GEMBA_SEED`. */
export interface Random {
  seed: number;
  /** An integer from 0, below the limit. */
  below(limit: number): number;
}

export function seededRandom(): Random {
  const seed = Number(process.env['GEMBA_SEED'] ?? Date.now() % 2 ** 31);
  console.log(`GEMBA_SEED=${seed}`);
  let state = seed;
  // Mulberry32 (Tommy Ettinger, public domain).
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return { seed, below: (limit) => Math.floor(next() * limit) };
}
