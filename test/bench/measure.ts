/**
 * Measurements that hold on a shared machine. The variants take turns, so that a slow minute affects all of them, and the
 * result is the ratio of two samples of the same round.
 */

/** Takes one sample of a variant, in any unit. */
export type Sample = () => Promise<number>;

export type Samples<Name extends string> = Record<Name, number[]>;

/** The first round warms up and does not count. Each round begins with another variant. */
export async function takeTurns<Name extends string>(
  variants: Record<Name, Sample>,
  { rounds }: { rounds: number },
): Promise<Samples<Name>> {
  const names = Object.keys(variants) as Name[];
  const samples = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Samples<Name>;
  for (let round = 0; round <= rounds; round += 1) {
    for (let turn = 0; turn < names.length; turn += 1) {
      const name = names[(round + turn) % names.length]!;
      const sample = await variants[name]();
      if (round > 0) samples[name].push(sample);
    }
  }
  return samples;
}

export interface Spread {
  median: number;
  min: number;
  max: number;
}

export function spreadOf(samples: number[]): Spread {
  const sorted = samples.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const median = sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
  return { median, min: sorted[0]!, max: sorted.at(-1)! };
}

/** The ratio of the samples of the same rounds. */
export function ratioOf(samples: number[], base: number[]): Spread {
  return spreadOf(samples.map((sample, round) => sample / base[round]!));
}

export async function measureSecs(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return (performance.now() - started) / 1000;
}
