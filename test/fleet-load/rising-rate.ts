/** Raises the rate of pushes, stage by stage, until the servers refuse some or the time of the slowest exceeds a bound. */
import { randomBelow, type Random } from '../random.ts';
import type { LoadDevice } from './devices/load-device.ts';
import type { Tally } from './measure/tally.ts';

export interface StageSetting {
  pushesPerSec: number;
  secs: number;
}

/** The bound of the 99th percentile of pushes. */
export const pushP99MsMax = 1_000;
const firstPushesPerSec = 50;
const factor = 1.5;
const stagesMax = 14;
/** How long a stage waits for its last answers. */
const drainMsMax = 20_000;
const tickMs = 5;
const picksMax = 10;

export function stagesOf({ smoke }: { smoke: boolean }): StageSetting[] {
  if (smoke) return [30, 45].map((pushesPerSec) => ({ pushesPerSec, secs: 0.5 }));
  return Array.from({ length: stagesMax }, (_, index) => ({
    pushesPerSec: Math.round(firstPushesPerSec * factor ** index),
    secs: 20,
  }));
}

/** Each push has one recording of another device, and its pull follows. Requests are sent when they are due, however late answers are. */
export async function runStage(
  { pushesPerSec, secs }: StageSetting,
  { devices, random, wait }: { devices: readonly LoadDevice[]; random: Random; wait: (ms: number) => Promise<void> },
): Promise<void> {
  const underWay = new Set<Promise<void>>();
  const startedAt = performance.now();
  const count = Math.round(pushesPerSec * secs);
  for (let sent = 0; sent < count;) {
    const dueCount = Math.min(count, Math.floor(((performance.now() - startedAt) / 1000) * pushesPerSec) + 1);
    for (; sent < dueCount; sent++) {
      const device = pickIdle(devices, random);
      device.record();
      const sync = device.sync(startedAt + (sent / pushesPerSec) * 1000).finally(() => underWay.delete(sync));
      underWay.add(sync);
    }
    await wait(tickMs);
  }
  await Promise.race([Promise.all(underWay), wait(drainMsMax)]);
}

/** Picks a device without a request under way; after some tries any device, which then sends both together. */
function pickIdle(devices: readonly LoadDevice[], random: Random): LoadDevice {
  let picked = devices[randomBelow(random, devices.length)]!;
  for (let picks = 1; picks < picksMax && picked.isBusy; picks++)
    picked = devices[randomBelow(random, devices.length)]!;
  return picked;
}

/** Says what gave in a stage; undefined while nothing did. */
export function whatGave(tally: Tally): string | undefined {
  const p99 = tally.push.percentile(0.99) ?? Number.POSITIVE_INFINITY;
  if (tally.refusedCount > 0) {
    const refusals = [...tally.errors].filter(([code]) => /^(429|503) /.test(code));
    return `refused: ${refusals.map(([code, count]) => `${count} × ${code}`).join(', ')}`;
  }
  if (p99 > pushP99MsMax) return `p99 of push ${p99.toFixed(0)} ms, over ${pushP99MsMax} ms`;
  return undefined;
}

export interface Shares {
  servers: readonly number[];
  postgres: number;
  driver: number;
  machine: number;
  cores: number;
}

/** A process of one thread is at its end from this share of a processor on, and a machine from this share of its processors. */
const fullShare = 0.85;
const fullMachineShare = 0.95;

/** Names what had no processor time left, in shares of one processor. */
export function bottleneckText({ servers, postgres, driver, machine, cores }: Shares): string {
  const full = [
    ...(driver >= fullShare ? [`the driver (${driver.toFixed(2)} of a processor: the servers may do more)`] : []),
    ...servers.flatMap((share, index) => (share >= fullShare ? [`server ${index + 1} (${share.toFixed(2)})`] : [])),
    ...(machine >= fullMachineShare * cores ? [`the machine (${machine.toFixed(2)} of ${cores} processors)`] : []),
  ];
  const own = [...servers, postgres, driver].reduce((sum, share) => sum + (Number.isNaN(share) ? 0 : share), 0);
  const others = Math.max(0, machine - own);
  return `${full.length > 0 ? `full: ${full.join(', ')}` : 'no processor was full'}; other processes of the machine took ${others.toFixed(2)}`;
}
