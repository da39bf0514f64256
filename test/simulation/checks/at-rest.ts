/** Bounds what a device keeps once all is drained: it grows with its work, and not with the time. */
import { fieldsOf } from '../../../shared/domain/fields-of.ts';
import type { FleetDevice } from '../fleet/device.ts';
import type { DeviceCounts } from '../fleet/device-tabs.ts';
import type { ServerContent } from '../fleet/server-content.ts';
import type { Simulation } from '../fleet/simulation.ts';

/** Several polls, and several heartbeats of tabs, fall into this time. */
const restMs = 3 * 61_000;

/** A purge comes with the first idle moment, and then when 100 rows were removed. */
const tombstonesMax = 200;
/** A log is rewritten beyond 256 KiB and twice what its first line has. */
const journalBytesMax = 300 * 1024;
/** Each of these holds for each tab of a device. */
const perTabMax = { timers: 4, locks: 1, requests: 1, channels: 1, listeners: 3 } as const;
const discardedMax = 20;
/** The device, its cursor and client ids, and the marks of what it exported or imported. */
const otherRowsMax = 60;

export async function expectAtRest(simulation: Simulation, content: ServerContent): Promise<void> {
  const before = simulation.devices.map(({ tabs }) => tabs.counts);
  await simulation.pass(restMs);
  for (const [index, device] of simulation.devices.entries()) {
    const after = device.tabs.counts;
    const problems = [...grownBetween(before[index], after), ...overBounds(device, after), ...kept(device, content)];
    for (const problem of problems) simulation.fail('grows', `${device.name} at rest has ${problem}`);
  }
}

const grownBetween = (before: DeviceCounts | undefined, after: DeviceCounts): string[] =>
  fieldsOf(after).flatMap((what) =>
    what !== 'timers' && after[what] > (before?.[what] ?? Infinity)
      ? [`${after[what]} ${what}, and ${before?.[what]} a while ago`]
      : [],
  );

function overBounds({ tabs }: FleetDevice, counts: DeviceCounts): string[] {
  const perTab = fieldsOf(perTabMax).flatMap((what) =>
    counts[what] > perTabMax[what] * tabs.size ? [`${counts[what]} ${what} of ${tabs.size} tabs`] : [],
  );
  return [
    ...perTab,
    ...(counts.tombstones > tombstonesMax ? [`${counts.tombstones} removed rows`] : []),
    ...(counts.journalBytes > journalBytesMax ? [`a journal of ${counts.journalBytes} bytes`] : []),
  ];
}

/** The tables have the server's records, what people must decide, a receipt of each recording, and few rows besides. */
function kept({ tabs }: FleetDevice, { maps, runs }: ServerContent): string[] {
  const { mutations, counts } = tabs;
  const unsent = mutations.filter(({ state }) => state === 'pending' || state === 'carried').length;
  const discarded = mutations.filter(({ state }) => state === 'discarded').length;
  const others = counts.rows - mutations.length - maps.length - runs.length;
  return [
    ...(unsent > 0 ? [`${unsent} unsent mutations`] : []),
    ...(discarded > discardedMax ? [`${discarded} discarded changes`] : []),
    ...(others > otherRowsMax ? [`${others} rows besides records and mutations`] : []),
  ];
}
