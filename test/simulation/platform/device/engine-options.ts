/** Composes an engine of the simulation: its time, ids, randomness, storage and network are those of the simulation. */
import { runScope, type GembaOptions, type RunScopeBounds } from '../../../../client/client.ts';
import type { Random } from '../../../random.ts';
import type { Tab } from '../../fleet/tab.ts';
import type { Browser } from './browser.ts';
import { crashingFetch, crashingJournal } from './crash-points.ts';
import type { DeviceClock } from './device-clock.ts';
import type { Disk } from './disk.ts';
import type { FaultyNetwork } from '../faulty-network.ts';
import { idsFrom } from '../seeded.ts';

/** The address under which the devices reach the simulated server. */
export const fleetUrl = 'http://gemba.test';

export interface EngineParts {
  kind: 'phone' | 'wearable';
  /** The number of the life, from 1. */
  life: number;
  /** Whether it is of a version without effects of pushes and packed forms. */
  isOlder: boolean;
  hasPackedForms: boolean;
  /** Names the process, whose monotonic clock begins anew. */
  bootId: string;
  scope: RunScopeBounds | undefined;
  token: string | undefined;
  disk: Disk;
  network: FaultyNetwork;
  tab: Tab;
  /** Connects the tabs of the device; absent if it has none. */
  browser: Browser | undefined;
  clock: DeviceClock;
  random: Random;
}

export function engineOptions(parts: EngineParts): GembaOptions {
  const { kind, life, isOlder, hasPackedForms, bootId, scope, token, disk, network, tab, browser, clock, random } =
    parts;
  const { timers } = tab;
  const { wallMs, monotonicMs } = clock;
  return {
    name: 'tablet',
    url: fleetUrl,
    kind,
    ...(scope === undefined ? {} : { scope: runScope(scope) }),
    ...(token === undefined ? {} : { token }),
    storage: disk.storageFor(tab),
    ...(disk.mirror ? { mirror: crashingJournal(disk.mirror, tab) } : {}),
    ...(browser ? { tabs: browser.platformFor(tab) } : {}),
    fetch: crashingFetch(network, tab),
    // Lives with and without effects of pushes take turns on one database.
    pushEffects: !isOlder && life % 2 === 1,
    packedPages: !isOlder && hasPackedForms && life % 3 !== 0,
    clock: { wallMs, monotonicMs, bootId, schedule: timers.schedule },
    random,
    ids: idsFrom(random, wallMs),
  };
}
