/** An item of a search: a seed, perhaps under the setting of another. */
import { settingOf, type SimulationSetting } from '../fleet/setting.ts';
import type { SeedOutcome, SimulateOptions } from '../fleet/simulate.ts';

export interface Item {
  seed: number;
  /** The seed whose setting is used; `seed` itself if absent. */
  settingOf?: number | undefined;
  /** Replaces parts of the setting. */
  setting?: Partial<SimulationSetting> | undefined;
  postgresUrl?: string | undefined;
  /** Acts to leave out. */
  skipped?: readonly number[];
  /** Whether the outcome has a trace though nothing failed. */
  hasTrace?: boolean;
}

export interface ItemOutcome {
  item: Item;
  outcome: SeedOutcome;
  /** Names the things that the history saw (coverage.ts). */
  covered: string[];
}

export const runOf = ({ seed, settingOf: other, setting, postgresUrl, skipped }: Item): SimulateOptions => ({
  seed,
  postgresUrl,
  skipped: new Set(skipped),
  setting: { ...(other === undefined ? {} : settingOf(other)), ...setting },
});

/** The arguments by which `npm run simulate` repeats the item. */
export const argumentsOf = ({ seed, settingOf: other, postgresUrl }: Item): string =>
  [`--from ${seed} --seeds 1`, other === undefined ? '' : `--setting-of ${other}`, postgresUrl ? '--postgres' : '']
    .filter((part) => part !== '')
    .join(' ');
