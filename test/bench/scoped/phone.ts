/**
 * A new phone in a process of its own: pulls its scope for the first time and prints what that took.
 *
 *   node --expose-gc --import tsx test/bench/scoped/phone.ts <url> <token> <runsMax>
 */
import { randomUUID } from 'node:crypto';
import { getRxStorageMemory } from 'rxdb/plugins/storage-memory';
import { filter, firstValueFrom } from 'rxjs';
import { openGemba, runScope, type ScopedGemba } from '../../../client/client.ts';
import type { AnyRxStorage } from '../../rx-storage.ts';

export interface PhoneFigures {
  /** From the opening of the engine until the first sync ended. */
  ms: number;
  runs: number;
  /** The processor time of this process meanwhile, which other work on the machine changes less. */
  processorMs: number;
  /** The heap after a collection, code included. */
  heapBytes: number;
  /** The most memory that the process had. */
  peakBytes: number;
}

const [url = '', token = '', runsMax = ''] = process.argv.slice(2);
const processorBefore = process.cpuUsage();
const started = performance.now();
const phone = (await openGemba({
  name: `bench-${randomUUID()}`,
  url,
  token,
  storage: getRxStorageMemory() as AnyRxStorage,
  scope: runScope({ runsMax: Number(runsMax) }),
})) as ScopedGemba;
await firstValueFrom(
  phone.status$.pipe(filter(({ phase, last_synced_at }) => phase === 'idle' && last_synced_at !== null)),
);
const ms = performance.now() - started;
const { user, system } = process.cpuUsage(processorBefore);
let runs = 0;
for (const { id } of await firstValueFrom(phone.maps$)) runs += (await firstValueFrom(phone.runs$(id))).length;
globalThis.gc?.();
const figures: PhoneFigures = {
  ms,
  processorMs: (user + system) / 1_000,
  runs,
  heapBytes: process.memoryUsage().heapUsed,
  peakBytes: process.resourceUsage().maxRSS * 1024,
};
console.log(JSON.stringify(figures));
process.exit();
