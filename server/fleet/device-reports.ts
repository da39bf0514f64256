/**
 * Stores what devices report, beside the requests and outside of their transactions: at most one write a device and
 * minute, and only of a report that says something new.
 *
 *   report ─► like the last one ─────────────► nothing
 *          ─► no write within the minute ────► write
 *          ─► else kept in memory ── minute over ──► write the latest
 *
 * The database holds the minute among several processes. Nobody waits for a write, and a failed write is ignored: the next
 * report brings the same again.
 */
import { protocolHeader } from '../../shared/protocol/version.ts';
import { deviceReportHeader } from '../../shared/protocol/device-report.ts';
import type { World } from '../core/world.ts';
import type { DeviceStatusRow } from '../store/credentials/device-status.ts';
import type { Store } from '../store/store.ts';
import { parseReport, type ParsedReport } from './parse-report.ts';

export interface DeviceReports {
  record(caller: { accountId: string; deviceId: string | null }, header: (name: string) => string | undefined): void;
  /** Ends the writes. A device repeats what waits in memory when it syncs with the next process. */
  close(): Promise<void>;
}

interface DeviceReportsOptions {
  store: Pick<Store, 'saveDeviceStatus'>;
  world: World;
  intervalMs?: number | undefined;
}

const intervalMsDefault = 60_000;
/** An unchanged report is written again after this time, so that a device that syncs has a recent one. */
const unchangedMsMax = 30 * 60_000;
/** The age of the oldest work differs by the time that a request takes. */
const oldestDifferenceMsMax = 90_000;
/** A full memory is emptied, which costs at most one more write for each device. */
const devicesMax = 50_000;
/** A timer may fire a little early by the clock of the world. */
const timerEarlyMsMax = 10;
/** Another process may have written within the minute, so a write may have to wait once more. */
const writesTriedMax = 3;

interface KnownDevice {
  writtenAt: number;
  written: DeviceStatusRow;
  /** The latest report that waits for the end of the minute. */
  waiting?: { status: DeviceStatusRow; timer: NodeJS.Timeout };
}

export function createDeviceReports({
  store,
  world,
  intervalMs = intervalMsDefault,
}: DeviceReportsOptions): DeviceReports {
  const known = new Map<string, KnownDevice>();
  const underWay = new Set<Promise<void>>();

  function write(key: DeviceKeyText, status: DeviceStatusRow, triesLeft = writesTriedMax): void {
    const now = world.now();
    const device = known.get(key.text) ?? { writtenAt: now, written: status };
    device.writtenAt = now;
    device.written = status;
    known.set(key.text, device);
    const writing = save(key, status, now)
      .then((isWritten) => {
        if (!isWritten && triesLeft > 1 && !device.waiting) wait(key, device, status, triesLeft - 1);
      })
      .catch(() => {})
      .finally(() => underWay.delete(writing));
    underWay.add(writing);
  }

  const save = async ({ accountId, deviceId }: DeviceKeyText, status: DeviceStatusRow, now: number) =>
    store.saveDeviceStatus(
      { accountId, deviceId },
      { status, now: new Date(now).toISOString(), lastWrittenMax: new Date(now - intervalMs).toISOString() },
    );

  function wait(key: DeviceKeyText, device: KnownDevice, status: DeviceStatusRow, triesLeft = writesTriedMax): void {
    const ms = Math.max(0, device.writtenAt + intervalMs - world.now()) + timerEarlyMsMax;
    const timer = setTimeout(() => {
      const latest = device.waiting?.status ?? status;
      delete device.waiting;
      // Another process may have written meanwhile, so a second try compares nothing.
      if (triesLeft < writesTriedMax || !isSame(device.written, latest)) write(key, latest, triesLeft);
    }, ms);
    timer.unref();
    device.waiting = { status, timer };
  }

  return {
    record({ accountId, deviceId }, header) {
      const report = deviceId === null ? undefined : parseReport(header(deviceReportHeader));
      if (deviceId === null || !report) return;
      const now = world.now();
      const status = statusOf(report, { now, protocol: Number(header(protocolHeader)) });
      const key = { accountId, deviceId, text: `${accountId} ${deviceId}` };
      const device = known.get(key.text);
      const isDue = !device || now - device.writtenAt >= intervalMs;
      if (device?.waiting && isDue) {
        clearTimeout(device.waiting.timer);
        delete device.waiting;
      }
      if (device?.waiting) device.waiting.status = status;
      else if (isDue) {
        if (device && now - device.writtenAt < unchangedMsMax && isSame(device.written, status)) return;
        if (known.size >= devicesMax) forgetIdle();
        write(key, status);
      } else if (!isSame(device.written, status)) wait(key, device, status);
    },
    async close() {
      for (const { waiting } of known.values()) clearTimeout(waiting?.timer);
      await Promise.all(underWay);
    },
  };

  function forgetIdle(): void {
    for (const [text, { waiting }] of known) if (!waiting) known.delete(text);
  }
}

interface DeviceKeyText {
  accountId: string;
  deviceId: string;
  text: string;
}

function statusOf(
  { oldestSecs, ...report }: ParsedReport,
  { now, protocol }: { now: number; protocol: number },
): DeviceStatusRow {
  const oldest_unsent_at = oldestSecs === null ? null : new Date(now - oldestSecs * 1000).toISOString();
  return { reported_at: new Date(now).toISOString(), ...report, oldest_unsent_at, protocol };
}

function isSame(one: DeviceStatusRow, other: DeviceStatusRow): boolean {
  const { reported_at: _one, oldest_unsent_at: oneOldest, ...oneRest } = one;
  const { reported_at: _other, oldest_unsent_at: otherOldest, ...otherRest } = other;
  const isSameRest = Object.entries(oneRest).every(
    ([name, value]) => otherRest[name as keyof typeof otherRest] === value,
  );
  if (!isSameRest || oneOldest === null || otherOldest === null) return isSameRest && oneOldest === otherOldest;
  return Math.abs(Date.parse(oneOldest) - Date.parse(otherOldest)) <= oldestDifferenceMsMax;
}
