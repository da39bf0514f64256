/** Lists the devices of an account with their health. */
import { deviceHealths, type DeviceHealth, type ListedDevice } from '../../shared/schema/fleet.ts';
import type { World } from '../core/world.ts';
import type { CredentialPage } from '../store/credentials/credentials.ts';
import type { DeviceWithStatus } from '../store/credentials/device-status.ts';
import { pageOf } from '../store/page.ts';
import type { Store } from '../store/store.ts';
import { healthOfDevice, healthCutoffsAt, type HealthThresholds } from './device-health.ts';

interface DeviceListQuery {
  health?: DeviceHealth | undefined;
  /** `health` lists the worst first. Default: newest first. */
  sort?: 'health' | undefined;
  /** The position of the last device of the previous page. Selects devices with a lower position. */
  before?: string;
  limit: number;
}

interface ListServices {
  store: Pick<Store, 'devicesWithStatus'>;
  world: World;
  healthThresholds: HealthThresholds;
}

interface DeviceWithHealth {
  device: DeviceWithStatus;
  health: DeviceHealth | null;
}

export async function listDevicesWithHealth(
  { store, world, healthThresholds }: ListServices,
  accountId: string,
  { health, sort, before, limit }: DeviceListQuery,
): Promise<CredentialPage<ListedDevice>> {
  const cutoffs = healthCutoffsAt(healthThresholds, world.now());
  const judge = (device: DeviceWithStatus): DeviceWithHealth => ({ device, health: healthOfDevice(device, cutoffs) });
  if (health === undefined && sort === undefined) {
    const page = await store.devicesWithStatus(accountId, { limit, ...(before === undefined ? {} : { before }) });
    return { rows: page.rows.map((device) => toListedDevice(judge(device))), next: page.next };
  }
  // A health changes as time passes, so no index of the database can filter or sort by it.
  const judged = (await loadAllDevices(store, accountId)).map(judge);
  const position = sort === undefined ? ({ device }: DeviceWithHealth) => device.list_id : healthPositionOf;
  const rest = judged
    .filter((each) => health === undefined || each.health === health)
    .filter((each) => before === undefined || position(each) < before)
    .toSorted((one, other) => (position(one) < position(other) ? 1 : -1));
  return pageOf(rest.slice(0, limit + 1), limit, { position, row: toListedDevice });
}

/** A worse health has a higher position, since lists are in descending order. A revoked device comes last. */
function healthPositionOf({ device, health }: DeviceWithHealth): string {
  const rank = health === null ? 0 : deviceHealths.length - deviceHealths.indexOf(health);
  return `${rank}-${device.list_id}`;
}

/** Accepts only the form in which `listDevicesWithHealth` writes positions of a list by health. */
export const isHealthListPosition = (text: string): boolean =>
  /^[0-5]-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text);

function toListedDevice({ device: { list_id: _listId, status, ...device }, health }: DeviceWithHealth): ListedDevice {
  if (status === null) return { ...device, status, health };
  const { protocol: _protocol, ...shown } = status;
  return { ...device, status: shown, health };
}

const devicesPerRead = 1_000;
/** Limits the loop. This many reads load far more devices than one account can have. */
const readsMax = 100;

async function loadAllDevices(store: Pick<Store, 'devicesWithStatus'>, accountId: string): Promise<DeviceWithStatus[]> {
  const devices: DeviceWithStatus[] = [];
  let before: string | undefined;
  for (let reads = 0; reads < readsMax; reads += 1) {
    const query = { limit: devicesPerRead, ...(before === undefined ? {} : { before }) };
    const page = await store.devicesWithStatus(accountId, query);
    devices.push(...page.rows);
    if (page.next === null) return devices;
    before = page.next;
  }
  return devices;
}
