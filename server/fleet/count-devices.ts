import { deviceHealths, type DeviceHealth } from '../../shared/schema/fleet.ts';
import type { Store } from '../store/store.ts';
import { throttle } from '../core/throttle.ts';
import type { World } from '../core/world.ts';
import { healthCutoffsAt, healthOfFacts, type HealthThresholds } from './device-health.ts';

/** Each count reads all devices of the store, so counts are rare. */
const countIntervalMs = 60_000;

interface HealthGauge {
  set(labels: { health: DeviceHealth }, value: number): void;
}

/**
 * Returns a function that starts a count of the devices in the background, at most once a minute. `/metrics` does not
 * wait for the count, so it replies during an outage of the database. The gauge then keeps the last counts.
 */
export function createDeviceCountRefresher(services: CountServices, gauge: HealthGauge): () => void {
  return throttle({ ms: countIntervalMs, now: services.world.now }, async () => {
    for (const [health, devices] of await countDevicesByHealth(services)) gauge.set({ health }, devices);
  });
}

interface CountServices {
  store: Pick<Store, 'deviceCounts'>;
  world: World;
  healthThresholds: HealthThresholds;
}

/** Counts the unrevoked devices of all accounts by their health. */
async function countDevicesByHealth({
  store,
  world,
  healthThresholds,
}: CountServices): Promise<[health: DeviceHealth, devices: number][]> {
  const counts = await store.deviceCounts(healthCutoffsAt(healthThresholds, world.now()));
  return deviceHealths.map((health) => {
    const ofHealth = counts.filter((facts) => healthOfFacts(facts) === health);
    return [health, ofHealth.reduce((sum, { devices }) => sum + devices, 0)];
  });
}
