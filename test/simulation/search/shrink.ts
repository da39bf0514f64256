/** Leaves out the acts that a failure does not need. */

export interface ShrinkOptions {
  acts: number;
  /** Simulates without the skipped acts, and tells whether the same failure comes. */
  failsWithout: (skipped: ReadonlySet<number>) => Promise<boolean>;
  /** Bounds the simulations. */
  triesMax: number;
}

/** Returns the acts to skip: first halves, then smaller and smaller parts, as long as the failure stays (delta debugging). */
export async function shrink({ acts, failsWithout, triesMax }: ShrinkOptions): Promise<ReadonlySet<number>> {
  let skipped: ReadonlySet<number> = new Set();
  let tries = 0;
  for (let size = Math.ceil(acts / 2); size >= 1 && tries < triesMax; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let from = 0; from < acts && tries < triesMax; from += size) {
      const part = Array.from({ length: size }, (_, index) => from + index).filter(
        (act) => act < acts && !skipped.has(act),
      );
      if (part.length === 0) continue;
      const more = new Set([...skipped, ...part]);
      tries += 1;
      if (await failsWithout(more)) skipped = more;
    }
  }
  return skipped;
}
