/**
 * Stores the reports of devices as their statuses. Each device has at most one write a minute, and a report that says
 * nothing new is not written.
 *
 *   report ─► says nothing new ──────────────────► no write
 *          ─► no write within the last minute ───► write
 *          ─► otherwise ─► wait in memory until the minute is over ─► write the latest report
 *
 * If several server processes get reports of one device, a condition of the SQL statement keeps them to one write a
 * minute. No request waits for a write. Few writes run at once and the others queue, so that the reports of many
 * devices that connect together leave connections of the database to requests. After a failed write, the next report
 * counts as news.
 */
import { protocolHeader } from '../../shared/protocol/version.ts';
import { deviceReportHeader } from '../../shared/protocol/device-report.ts';
import { createWorkQueue } from '../core/work-queue.ts';
import type { World } from '../core/world.ts';
import type { DeviceStatusRow } from '../store/credentials/device-status.ts';
import type { Store } from '../store/store.ts';
import { parseReport, type ParsedReport } from './parse-report.ts';

export interface DeviceReports {
  record(caller: { accountId: string; deviceId: string | null }, header: (name: string) => string | undefined): void;
  /** Waits for the writes under way. Drops the other reports, since the next syncs of these devices report again. */
  close(): Promise<void>;
}

interface DeviceReportsOptions {
  store: Pick<Store, 'saveDeviceStatus'>;
  world: World;
  intervalMs?: number | undefined;
}

const writeIntervalMsDefault = 60_000;
/** An unchanged report is written again after this time, so that the status of a device that syncs stays recent. */
const unchangedWriteIntervalMs = 30 * 60_000;
/**
 * Two instants of the oldest work count as equal within this difference. A device reports the age of its oldest work,
 * so the computed instant shifts by the time that the request takes.
 */
const oldestUnsentDifferenceMsMax = 90_000;
/**
 * Limits the devices in memory. At the limit all idle devices are dropped, which costs at most one more write for each.
 */
const knownDevicesMax = 50_000;
/** Added to each wait, since a timer may fire slightly before `world.now()` reaches its time. */
const timerMarginMs = 10;
/**
 * How often the write of a status is tried. If another process wrote within the minute, a try has no effect, and the
 * next try follows a minute later.
 */
const writeTriesMax = 3;

/**
 * Leaves connections to requests, since a process has 10 connections to PostgreSQL. A request or a write fails if it
 * waits longer than 5 s for a connection.
 */
const concurrentWritesMax = 4;

interface KnownDevice {
  writtenAt: number;
  /** undefined after a failed write, since the database may then have another status. */
  written: DeviceStatusRow | undefined;
  /** The write that waits for its turn. */
  queued?: { status: DeviceStatusRow };
  /** The latest report, while it waits for the end of the minute. */
  waiting?: { status: DeviceStatusRow; timer: NodeJS.Timeout };
}

export function createDeviceReports({
  store,
  world,
  intervalMs = writeIntervalMsDefault,
}: DeviceReportsOptions): DeviceReports {
  const known = new Map<string, KnownDevice>();
  const writes = createWorkQueue(concurrentWritesMax);

  /**
   * Writes the status now if it says something new, since the last write is over a minute ago. Cancels a late timer,
   * whose report is older.
   */
  function writeIfNews(key: DeviceKeyWithText, status: DeviceStatusRow): void {
    const device = known.get(key.text);
    if (device?.waiting) {
      clearTimeout(device.waiting.timer);
      delete device.waiting;
    }
    const isRecent = device !== undefined && world.now() - device.writtenAt < unchangedWriteIntervalMs;
    if (isRecent && isSameStatus(device.written, status)) return;
    if (known.size >= knownDevicesMax) forgetIdle();
    write(key, status);
  }

  function write(key: DeviceKeyWithText, status: DeviceStatusRow, triesLeft = writeTriesMax): void {
    const now = world.now();
    const device = known.get(key.text) ?? { writtenAt: now, written: status };
    device.writtenAt = now;
    device.written = status;
    known.set(key.text, device);
    if (device.queued) {
      device.queued.status = status;
      return;
    }
    const queued = { status };
    device.queued = queued;
    writes.run(async () => {
      delete device.queued;
      const isWritten = await save(key, queued.status, device.writtenAt).catch(() => undefined);
      if (isWritten === undefined) device.written = undefined;
      else if (!isWritten && triesLeft > 1 && !device.waiting) wait(key, device, queued.status, triesLeft - 1);
    });
  }

  const save = async ({ accountId, deviceId }: DeviceKeyWithText, status: DeviceStatusRow, now: number) =>
    store.saveDeviceStatus(
      { accountId, deviceId },
      { status, now: new Date(now).toISOString(), lastWrittenMax: new Date(now - intervalMs).toISOString() },
    );

  function wait(key: DeviceKeyWithText, device: KnownDevice, status: DeviceStatusRow, triesLeft = writeTriesMax): void {
    const ms = Math.max(0, device.writtenAt + intervalMs - world.now()) + timerMarginMs;
    const timer = setTimeout(() => {
      const latest = device.waiting?.status ?? status;
      delete device.waiting;
      // Write in any second try: another process has written since, so the database may not have `written`.
      if (triesLeft < writeTriesMax || !isSameStatus(device.written, latest)) write(key, latest, triesLeft);
    }, ms);
    timer.unref();
    device.waiting = { status, timer };
  }

  return {
    record({ accountId, deviceId }, header) {
      const report = deviceId === null ? undefined : parseReport(header(deviceReportHeader));
      if (deviceId === null || !report) return;
      const now = world.now();
      const status = statusOfReport(report, { now, protocol: Number(header(protocolHeader)) });
      const key = { accountId, deviceId, text: `${accountId} ${deviceId}` };
      const device = known.get(key.text);
      if (!device || now - device.writtenAt >= intervalMs) writeIfNews(key, status);
      else if (device.waiting) device.waiting.status = status;
      else if (!isSameStatus(device.written, status)) wait(key, device, status);
    },
    async close() {
      for (const { waiting } of known.values()) clearTimeout(waiting?.timer);
      await writes.close();
    },
  };

  function forgetIdle(): void {
    for (const [text, { waiting }] of known) if (!waiting) known.delete(text);
  }
}

interface DeviceKeyWithText {
  accountId: string;
  deviceId: string;
  text: string;
}

function statusOfReport(
  { oldestSecs, ...report }: ParsedReport,
  { now, protocol }: { now: number; protocol: number },
): DeviceStatusRow {
  const oldest_unsent_at = oldestSecs === null ? null : new Date(now - oldestSecs * 1000).toISOString();
  return { reported_at: new Date(now).toISOString(), ...report, oldest_unsent_at, protocol };
}

function isSameStatus(one: DeviceStatusRow | undefined, other: DeviceStatusRow): boolean {
  if (!one) return false;
  const { reported_at: _one, oldest_unsent_at: oneOldest, ...oneRest } = one;
  const { reported_at: _other, oldest_unsent_at: otherOldest, ...otherRest } = other;
  const isSameRest = Object.entries(oneRest).every(
    ([name, value]) => otherRest[name as keyof typeof otherRest] === value,
  );
  if (!isSameRest || oneOldest === null || otherOldest === null) return isSameRest && oneOldest === otherOldest;
  return Math.abs(Date.parse(oneOldest) - Date.parse(otherOldest)) <= oldestUnsentDifferenceMsMax;
}
