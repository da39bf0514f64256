/** Composes an engine of the simulation: its time, ids, randomness, storage and network are those of the simulation. */
import { runScope, type GembaOptions, type RunScopeBounds } from '../../../client/client.ts';
import type { Random } from '../../random.ts';
import type { Faults } from '../faults.ts';
import { crashingFetch, crashingJournal } from './crash-points.ts';
import type { DeviceClock } from './device-clock.ts';
import type { Disk } from './disk.ts';
import type { FaultyNetwork } from './faulty-network.ts';
import { idsFrom } from './seeded.ts';
import type { TimerGroup } from './virtual-time.ts';

/** The address under which the devices reach the simulated server. */
export const fleetUrl = 'http://gemba.test';

export interface EngineParts {
  kind: 'phone' | 'wearable';
  /** The number of the life, from 1. */
  life: number;
  /** Names the process, whose monotonic clock begins anew. */
  bootId: string;
  scope: RunScopeBounds | undefined;
  token: string | undefined;
  disk: Disk;
  network: FaultyNetwork;
  faults: Faults;
  clock: DeviceClock;
  timers: TimerGroup;
  random: Random;
}

export function engineOptions(parts: EngineParts): GembaOptions {
  const { kind, life, bootId, scope, token, disk, network, faults, clock, timers, random } = parts;
  const { wallMs, monotonicMs } = clock;
  return {
    name: 'tablet',
    url: fleetUrl,
    kind,
    ...(scope === undefined ? {} : { scope: runScope(scope) }),
    ...(token === undefined ? {} : { token }),
    storage: faults.storage(disk.storage),
    ...(disk.mirror ? { mirror: crashingJournal(disk.mirror, faults) } : {}),
    fetch: crashingFetch(network, faults),
    // Lives with and without effects of pushes take turns on one database.
    pushEffects: life % 2 === 1,
    // A brief push is compressed on a thread, whose end has an order of its own; the simulation of crashes has both forms.
    packedPages: false,
    clock: { wallMs, monotonicMs, bootId, schedule: timers.schedule },
    random,
    ids: idsFrom(random, wallMs),
  };
}
