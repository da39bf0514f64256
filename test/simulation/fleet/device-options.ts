/** Options of a device of a fleet. */
import type { RunScopeBounds, Status } from '../../../client/client.ts';
import type { Facts } from '../checks/facts.ts';
import type { DiskImage } from '../platform/device/disk.ts';
import type { FaultyNetwork } from '../platform/faulty-network.ts';
import type { ServerLog } from '../platform/server-log.ts';
import type { VirtualTime } from '../platform/virtual-time.ts';
import type { FailureKind } from './failure.ts';

export interface FleetDeviceOptions {
  name: string;
  kind: 'phone' | 'wearable';
  network: FaultyNetwork;
  time: VirtualTime;
  /** Gives each life of the device its ids. */
  seed: number;
  /** Whether the server has a request without an answer. */
  isServerBusy: () => boolean;
  image: DiskImage;
  log: ServerLog;
  facts: Facts;
  /** Whether REST changes the account, too, which the log does not have. */
  hasOtherWriters: boolean;
  hasRestored: () => boolean;
  scopes: readonly RunScopeBounds[];
  /** Whether the device may have several tabs. */
  hasTabs: boolean;
  /** Whether some lives ask for packed pages and push in the brief form. */
  hasPackedForms: boolean;
  onFailure: (kind: FailureKind, detail: string) => void;
  /** `shown` is the name of the device, and of its tab if it has several. */
  onStatus: (status: Status, shown: string) => void;
}
