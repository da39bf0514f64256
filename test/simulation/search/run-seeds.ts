/**
 * Simulates many seeds in several processes, and stops at the first failure. Prefers what is new: a seed whose history
 * saw something new is followed by others under its setting.
 */
import type { SimulationSetting } from '../fleet/setting.ts';
import type { Item, ItemOutcome } from './item.ts';
import { SeedProcess } from './seed-process.ts';

export interface SearchOptions {
  from: number;
  seeds: number;
  processes: number;
  /** The setting of this seed for all. */
  settingOf?: number | undefined;
  setting?: Partial<SimulationSetting> | undefined;
  /** A PostgreSQL for a share of the seeds. */
  postgresUrl?: string | undefined;
  /** Every how many seeds one runs on PostgreSQL. */
  postgresEvery?: number;
  onOutcome?: (outcome: ItemOutcome, seen: ReadonlySet<string>) => void;
  /** True once no further seed is to start. */
  isOver?: () => boolean;
  /** No further seed starts after so many failures; 1 by default. */
  failuresMax?: number;
  /** Whether a seed that saw something new is followed by others under its setting. */
  prefersNews: boolean;
}

/** At most this many seeds wait because their setting saw something new. */
const preferredMax = 20;
/** After a seed that saw something new, this many follow under its setting. */
const followersOfNews = 2;

export async function runSeeds(
  options: SearchOptions,
): Promise<{ seen: Set<string>; failed: ItemOutcome | undefined; failures: readonly ItemOutcome[] }> {
  const { from, seeds, processes, setting } = options;
  const seen = new Set<string>();
  const preferred: number[] = [];
  const failures: ItemOutcome[] = [];
  let started = 0;

  const nextItem = (): Item | undefined => {
    if (started === seeds || failures.length >= (options.failuresMax ?? 1) || options.isOver?.()) return undefined;
    const seed = from + started;
    started += 1;
    const isOnPostgres = options.postgresUrl !== undefined && started % (options.postgresEvery ?? 1) === 0;
    return {
      seed,
      settingOf: options.settingOf ?? preferred.shift(),
      setting,
      ...(isOnPostgres ? { postgresUrl: options.postgresUrl } : {}),
    };
  };

  const onOutcome = (reply: ItemOutcome) => {
    const before = seen.size;
    for (const name of reply.covered) seen.add(name);
    if (options.prefersNews && seen.size > before && preferred.length < preferredMax) {
      for (let count = 0; count < followersOfNews; count++) preferred.push(reply.item.settingOf ?? reply.item.seed);
    }
    if (reply.outcome.failures.length > 0) failures.push(reply);
    options.onOutcome?.(reply, seen);
  };

  const runOneByOne = async (): Promise<void> => {
    const process = new SeedProcess();
    try {
      for (let item = nextItem(); item; item = nextItem()) onOutcome(await process.run(item));
    } finally {
      process.end();
    }
  };
  await Promise.all(Array.from({ length: processes }, runOneByOne));
  return { seen, failed: failures[0], failures };
}
