/** Makes the report that a device sends with each push and pull: its unsent work, storage and battery. */
import type { DeviceReport } from '../../../shared/protocol/device-report.ts';
import { appVersion } from '../../../shared/protocol/version.ts';
import type { SendableEntry } from '../../outbox/model/entry.ts';
import type { Status } from '../tabs/status.ts';

export interface DeviceReporter {
  /** Returns the report of the latest status; undefined until the first status is known. */
  current(): DeviceReport | undefined;
  /** Returns the report for this status. */
  reportOf(status: Status): DeviceReport;
  /** Stores the latest status, from which the next reports are made. */
  update(status: Status): void;
  /**
   * Must be called when the server has answered the client id's mutations up to `lastSeq`. Later reports do not count
   * these mutations as unsent, even if no pull has settled them.
   */
  onPushed(clientId: string, lastSeq: number): void;
}

/** The battery by the Battery Status API, which only Chromium has. The browser keeps `level` up to date. */
interface BatteryManager {
  level: number;
}

interface NavigatorWithBattery {
  getBattery?: () => Promise<BatteryManager>;
  storage?: Pick<StorageManager, 'estimate'>;
}

interface ReporterOptions {
  /** Returns milliseconds since 1970. */
  wallMs: () => number;
  /** Returns the unsettled mutations. */
  unsettled: () => readonly Pick<SendableEntry, 'client_id' | 'seq' | 'recorded_at'>[];
}

export function deviceReporter({ wallMs, unsettled }: ReporterOptions): DeviceReporter {
  const lastPushedSeqs = new Map<string, number>();
  const isWeb = typeof document !== 'undefined';
  const device: NavigatorWithBattery = isWeb ? navigator : {};
  let latest: Status | undefined;
  let battery: BatteryManager | undefined;
  let storageFree: number | undefined;
  device.getBattery?.().then(
    (found) => (battery = found),
    // Leaves the battery out of reports if the page may not read the battery.
    () => undefined,
  );
  const readStorage = () =>
    device.storage?.estimate().then(
      ({ usage, quota }) => (storageFree = usage === undefined || !quota ? undefined : 1 - usage / quota),
      () => undefined,
    );
  const reportOf = ({ attention, second_copy, ...status }: Status): DeviceReport => {
    void readStorage();
    const all = unsettled();
    const unsent = all.filter(({ client_id, seq }) => seq > (lastPushedSeqs.get(client_id) ?? 0));
    // `status.pending` also counts finished recordings that are not in the outbox yet.
    const pending = status.pending - (all.length - unsent.length);
    const oldestUnsentAt = all.length === unsent.length ? status.oldest_pending_at : unsent[0]?.recorded_at;
    const oldestMs = pending <= 0 || !oldestUnsentAt ? undefined : wallMs() - Date.parse(oldestUnsentAt);
    return {
      pending: Math.max(0, pending),
      ...(oldestMs === undefined ? {} : { oldest_secs: Math.max(0, Math.floor(oldestMs / 1000)) }),
      attention,
      ...(battery === undefined ? {} : { battery: roundToTenths(battery.level) }),
      ...(storageFree === undefined ? {} : { storage_free: roundToTenths(storageFree) }),
      second_copy,
      platform: isWeb ? 'web' : 'node',
      app_version: appVersion,
    };
  };
  void readStorage();
  return {
    update: (status) => (latest = status),
    onPushed: (clientId, lastSeq) => void lastPushedSeqs.set(clientId, lastSeq),
    current: () => latest && reportOf(latest),
    reportOf,
  };
}

const roundToTenths = (share: number): number => Math.round(Math.min(1, Math.max(0, share)) * 10) / 10;
