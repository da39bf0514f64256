/** Bounds what devices and their server keep once all is drained: it grows with the work, and not with the time. */
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
  const rowsBefore = await simulation.server.countRows();
  await simulation.pass(restMs);
  if (rowsBefore) await expectServerAtRest(simulation, content, rowsBefore);
  for (const [index, device] of simulation.devices.entries()) {
    const after = device.tabs.counts;
    const problems = [...grownBetween(before[index], after), ...overBounds(device, after), ...kept(device, content)];
    for (const problem of problems) simulation.fail('grows', `${device.name} at rest has ${problem}`);
  }
}

/** The server has a row for each map, client id and batch of answers, and adds none while the devices rest. */
async function expectServerAtRest(
  simulation: Simulation,
  { maps, runs }: ServerContent,
  before: Record<string, number>,
): Promise<void> {
  const { server, log, facts } = simulation;
  const after = (await server.countRows()) ?? {};
  const rowsMax: Record<string, number> = {
    maps: maps.length,
    // A deleted run leaves a row, by which pulls tell the deletion.
    runs: runs.length + facts.deletedSessions.size,
    sync_clients: log.clientCount,
    push_answers: log.standing.length,
    rejections: log.standing.filter(({ status }) => status === 'rejected').length,
  };
  for (const [table, rows] of Object.entries(after)) {
    const max = Math.min(before[table] ?? 0, rowsMax[table] ?? Infinity);
    if (rows > max) simulation.fail('grows', `the server at rest has ${rows} rows of ${table} instead of ${max}`);
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
