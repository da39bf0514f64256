import { expect, onTestFinished, test } from 'vitest';
import { deviceReportHeader } from '../../shared/protocol/device-report.ts';
import { systemWorld } from '../core/world.ts';
import type { StatusWrite } from '../store/credentials/device-status.ts';
import { StoreUnavailable } from '../store/store.ts';
import { createDeviceReports } from './device-reports.ts';

const device = { accountId: 'a', deviceId: 'd' };
const headerReader = (report: string) => (name: string) => (name === deviceReportHeader ? report : '1');

type SaveStatus = (write: StatusWrite, deviceId: string) => Promise<boolean>;

function openReports(save: SaveStatus, intervalMs = 40) {
  const reports = createDeviceReports({
    store: { saveDeviceStatus: ({ deviceId }, write) => save(write, deviceId) },
    world: systemWorld,
    intervalMs,
  });
  onTestFinished(() => reports.close());
  return (report: string, deviceId = device.deviceId) => reports.record({ ...device, deviceId }, headerReader(report));
}

test('[FLEET-6] the latest report within the interval is written when it is over', async () => {
  const written: { pending: number; at: number }[] = [];
  const report = openReports(
    async ({ status, now }) => written.push({ pending: status.pending, at: Date.parse(now) }) > 0,
  );
  for (const pending of [1, 2, 0]) report(`pending=${pending}`);
  await expect.poll(() => written.map(({ pending }) => pending)).toEqual([1, 0]);
  expect(written[1]!.at - written[0]!.at).toBeGreaterThanOrEqual(40);
});

test('[FLEET-5] a report that says nothing new is not written, though its oldest change is older', async () => {
  const written: number[] = [];
  const report = openReports(async ({ status }) => written.push(status.pending) > 0, 1);
  report('pending=1, oldest=100');
  await expect.poll(() => written).toEqual([1]);
  const later = Date.now() + 20;
  while (Date.now() < later) report('pending=1, oldest=101');
  report('pending=2, oldest=101');
  await expect.poll(() => written).toEqual([1, 2]);
});

test('[FLEET-6] a report that another process forestalled is written after its interval', async () => {
  const answers = [false, true];
  const tried: number[] = [];
  const report = openReports(async ({ status }) => {
    tried.push(status.pending);
    return answers.shift() ?? true;
  });
  report('pending=5');
  await expect.poll(() => tried).toEqual([5, 5]);
});

/** The first report, with 5 unsent changes, was not written, since the store was down. */
async function reportsAfterFailedWrite() {
  const tried: number[] = [];
  const report = openReports(async ({ status }) => {
    tried.push(status.pending);
    if (tried.length === 1) throw new StoreUnavailable('down');
    return true;
  }, 1);
  report('pending=5');
  await expect.poll(() => tried).toEqual([5]);
  return { tried, report };
}

test('[FLEET-8] a write that fails is ignored, and the next report is written', async () => {
  const { tried, report } = await reportsAfterFailedWrite();
  report('pending=6');
  await expect.poll(() => tried).toEqual([5, 6]);
});

test('[FLEET-28] the report after a failed write is written, although it says nothing new', async () => {
  const { tried, report } = await reportsAfterFailedWrite();
  await expect
    .poll(() => {
      report('pending=5');
      return tried;
    })
    .toEqual([5, 5]);
});

test('[FLEET-27] the reports of many devices are written four at once, the latest of each', async () => {
  const written = new Map<string, number>();
  let underWay = 0;
  let atOnce = 0;
  const report = openReports(async ({ status }, deviceId) => {
    underWay += 1;
    atOnce = Math.max(atOnce, underWay);
    await new Promise(setImmediate);
    underWay -= 1;
    written.set(deviceId, status.pending);
    return true;
  }, 0);
  for (const pending of [1, 2])
    for (let each = 0; each < 100; each += 1) report(`pending=${pending}`, `device ${each}`);
  await expect.poll(() => written.size).toBe(100);
  await expect.poll(() => new Set(written.values())).toEqual(new Set([2]));
  expect(atOnce).toBe(4);
});
