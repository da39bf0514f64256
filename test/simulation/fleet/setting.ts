/** Draws what a seed is like: how many devices, which faults, how many acts. */
import type { RunScopeBounds } from '../../../client/client.ts';
import { pullLimitMax } from '../../../shared/schema/limits.ts';
import { pickOne, randomBelow, randomOf, type Random } from '../../random.ts';
import { laterMischiefNames, mischiefNames, type MischiefName } from '../mischief/mischief-name.ts';
import { networkFaults, type NetworkFault } from '../platform/faulty-network.ts';

/** Drawn once for each seed. */
export interface SimulationSetting {
  devices: number;
  kind: 'phone' | 'wearable';
  plan: 'free' | 'team';
  /** Whether each device keeps a journal. */
  hasMirror: boolean;
  /** Whether each device is paired; otherwise all share one API key. */
  isPaired: boolean;
  hasServerFaults: boolean;
  /** The faults that requests may meet. */
  networkFaults: readonly NetworkFault[];
  /** The bad luck beside the faults of requests. */
  mischief: readonly MischiefName[];
  /** The scopes with which the lives of each device open in turn; empty for devices that hold all runs. */
  scopes: readonly RunScopeBounds[];
  /** The share of requests that meet a fault. */
  faultRate: number;
  /** The share of lives that end in a crash. */
  crashRate: number;
  acts: number;
  /** Whether streams of events hang; otherwise they are refused. */
  letsStreamsOpen: boolean;
  /** Whether some lives of devices ask for packed pages and push in the brief form. */
  hasPackedForms: boolean;
  /** How many server processes serve the one store. */
  servers: number;
  /** How many changes a page of a pull has at most: with few, a device requests pages ahead. */
  pageChangesMax: number;
}

export const holdsAllRuns = ({ kind, scopes }: Pick<SimulationSetting, 'kind' | 'scopes'>): boolean =>
  kind === 'phone' && scopes.length === 0;

/** Scopes so small that each device loads and drops, narrower and wider from life to life. */
export const smallScopes: readonly RunScopeBounds[] = [
  { runsMax: 2 },
  { runsMax: 3, runsPerMap: 1 },
  { runsMax: 1 },
  {},
];

/** Later kinds of bad luck are drawn from here. */
const seedOfLater = 51_407_633;

export function settingOf(seed: number): SimulationSetting {
  const random = randomOf(seed);
  const laterRandom = randomOf(seed + seedOfLater);
  const isPaired = random() < 0.3;
  return {
    devices: pickOne(random, [1, 2, 2, 3, 3, 4, 6]),
    isPaired,
    // A paired watch may only record, so its copies could not differ enough.
    kind: !isPaired && random() < 0.2 ? 'wearable' : 'phone',
    plan: random() < 0.15 ? 'free' : 'team',
    hasMirror: random() < 0.5,
    hasServerFaults: random() < 0.3,
    networkFaults: someOf(random, networkFaults),
    mischief: [...someOf(random, mischiefNames), ...someOf(laterRandom, laterMischiefNames)],
    faultRate: pickOne(random, [0, 0.05, 0.15, 0.3]),
    crashRate: pickOne(random, [0, 0.2, 0.5]),
    scopes: random() < 0.15 ? smallScopes : [],
    acts: 20 + randomBelow(random, 45),
    hasPackedForms: laterRandom() < 0.6,
    letsStreamsOpen: random() < 0.8,
    servers: pickOne(random, [1, 1, 2, 3]),
    pageChangesMax: pickOne(laterRandom, [2, 5, pullLimitMax]),
  };
}

/**
 * Draws a subset, small or large. With all faults in all seeds each would hide others: what a fault needs before it
 * does harm would seldom last.
 */
function someOf<Name>(random: Random, names: readonly Name[]): Name[] {
  const share = random();
  return names.filter(() => random() < share);
}

/** The setting that a seed had before the later kinds of bad luck and forms came. */
export const earlierSettingOf = (seed: number): SimulationSetting => {
  const setting = settingOf(seed);
  const isLater = (name: MischiefName) => laterMischiefNames.some((later) => later === name);
  const mischief = setting.mischief.filter((name) => !isLater(name));
  return { ...setting, mischief, hasPackedForms: false, pageChangesMax: pullLimitMax };
};
