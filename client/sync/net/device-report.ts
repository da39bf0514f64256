/** The report that a device sends with each push and pull: how much it has not sent, and how it does. */
import type { DeviceReport } from '../../../shared/protocol/device-report.ts';
import { appVersion } from '../../../shared/protocol/version.ts';
import type { SendableEntry } from '../../outbox/model/entry.ts';
import type { Status } from '../tabs/status.ts';

export interface DeviceReporter {
  /** Undefined until the first status is known. */
  current(): DeviceReport | undefined;
  /** Keeps the latest status, from which reports are made. */
  update(status: Status): void;
  /** Leaves out of the next reports what the server has answered, though no pull has shown it yet. */
  onPushed(clientId: string, lastSeq: number): void;
}

/** Chromium alone has a battery; its promise resolves to an object whose level stays up to date. */
interface BatteryManager {
  level: number;
}

interface ReportedNavigator {
  getBattery?: () => Promise<BatteryManager>;
  storage?: Pick<StorageManager, 'estimate'>;
}

interface ReporterOptions {
  /** Returns milliseconds since 1970. */
  wallMs: () => number;
  /** Returns the mutations that no pull has settled. */
  unsettled: () => readonly Pick<SendableEntry, 'client_id' | 'seq' | 'recorded_at'>[];
}

export function deviceReporter({ wallMs, unsettled }: ReporterOptions): DeviceReporter {
  const lastPushedSeqs = new Map<string, number>();
  const isWeb = typeof document !== 'undefined';
  const device: ReportedNavigator = isWeb ? navigator : {};
  let status: Status | undefined;
  let battery: BatteryManager | undefined;
  let storageFree: number | undefined;
  device.getBattery?.().then(
    (found) => (battery = found),
    // A page may be forbidden to read the battery.
    () => undefined,
  );
  const readStorage = () =>
    device.storage?.estimate().then(
      ({ usage, quota }) => (storageFree = usage === undefined || !quota ? undefined : 1 - usage / quota),
      () => undefined,
    );
  void readStorage();
  return {
    update: (latest) => (status = latest),
    onPushed: (clientId, lastSeq) => void lastPushedSeqs.set(clientId, lastSeq),
    current() {
      if (!status) return undefined;
      void readStorage();
      const { attention, second_copy } = status;
      const all = unsettled();
      const unsent = all.filter(({ client_id, seq }) => seq > (lastPushedSeqs.get(client_id) ?? 0));
      // A status counts finished recordings, too, which are not among the mutations yet.
      const pending = status.pending - (all.length - unsent.length);
      const oldestUnsentAt = all.length === unsent.length ? status.oldest_pending_at : unsent[0]?.recorded_at;
      const oldestMs = pending <= 0 || !oldestUnsentAt ? undefined : wallMs() - Date.parse(oldestUnsentAt);
      return {
        pending: Math.max(0, pending),
        ...(oldestMs === undefined ? {} : { oldest_secs: Math.max(0, Math.floor(oldestMs / 1000)) }),
        attention,
        ...(battery === undefined ? {} : { battery: tenths(battery.level) }),
        ...(storageFree === undefined ? {} : { storage_free: tenths(storageFree) }),
        second_copy,
        platform: isWeb ? 'web' : 'node',
        app_version: appVersion,
      };
    },
  };
}

const tenths = (share: number): number => Math.round(Math.min(1, Math.max(0, share)) * 10) / 10;
