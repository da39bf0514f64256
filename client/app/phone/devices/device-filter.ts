import type { DeviceHealth, PairedDevice } from '../../../client.ts';
import { locale } from '../../text/language.ts';
import { deviceTexts, reportTexts } from '../../text/phone-on-demand.ts';
import { keysOf } from '../../ui/keys-of.ts';

export interface DeviceFilter {
  /** A part of a device's name or kind, such as "watch"; '' for any. */
  query: string;
  /** '' for any health. */
  health: DeviceHealth | '';
  sort: 'health' | 'name' | 'seen' | 'unsent';
}

export const noDeviceFilter: DeviceFilter = { query: '', health: '', sort: 'health' };

/** Returns 'ok' if an older server sends no health. */
export const healthOf = ({ health }: PairedDevice): DeviceHealth => health ?? 'ok';

type CompareDevices = (one: PairedDevice, other: PairedDevice) => number;

/** The worst health has rank 0, since `reportTexts.health` lists the worst first. */
const healthRankOf = (device: PairedDevice): number => keysOf(reportTexts.health).indexOf(healthOf(device));
const seenAtMsOf = ({ last_seen_at, paired_at }: PairedDevice): number => Date.parse(last_seen_at ?? paired_at);
const unsentCountOf = ({ status }: PairedDevice): number => status?.pending ?? 0;

const comparisonBySort: Record<DeviceFilter['sort'], CompareDevices> = {
  health: (one, other) => healthRankOf(one) - healthRankOf(other),
  name: (one, other) => one.name.localeCompare(other.name, locale, { numeric: true }),
  seen: (one, other) => seenAtMsOf(one) - seenAtMsOf(other),
  unsent: (one, other) => unsentCountOf(other) - unsentCountOf(one),
};

/** `devices` has the newest device first. Devices that compare as equal stay in this order. */
export function filterAndSortDevices<D extends PairedDevice>(devices: readonly D[], filter: DeviceFilter): D[] {
  const wanted = filter.query.trim().toLocaleLowerCase();
  return devices
    .filter((device) => {
      const searched = `${device.name} ${deviceTexts.kinds[device.kind]}`.toLocaleLowerCase();
      return searched.includes(wanted) && (filter.health === '' || healthOf(device) === filter.health);
    })
    .toSorted(comparisonBySort[filter.sort]);
}

export const countProblemDevices = (devices: readonly PairedDevice[]): number =>
  devices.filter((device) => !device.revoked_at && healthOf(device) !== 'ok').length;

export const countByHealth = (devices: readonly PairedDevice[], health: DeviceHealth): number =>
  devices.filter((device) => healthOf(device) === health).length;
