import { deviceHealths, type DeviceHealth } from '../../shared/schema/fleet.ts';
import type { Store } from '../store/store.ts';
import type { World } from '../core/world.ts';
import { healthCutoffs, healthOfFacts, type FleetThresholds } from './health.ts';

/** The count reads all devices of the store. */
const countIntervalMs = 60_000;

interface Gauge {
  set(labels: { health: DeviceHealth }, value: number): void;
}

/**
 * Returns a function that counts anew in the background, at most once a minute. Nobody waits for the database, so that the
 * metrics of the process come while it is down; the gauge then keeps the earlier figures.
 */
export function createFleetCounter(services: CountServices, gauge: Gauge): () => void {
  let countedAt = -Infinity;
  return () => {
    const now = services.world.now();
    if (now - countedAt < countIntervalMs) return;
    countedAt = now;
    countFleet(services).then(
      (counts) => {
        for (const [health, devices] of counts) gauge.set({ health }, devices);
      },
      // Counts again at the next request.
      () => (countedAt = -Infinity),
    );
  };
}

interface CountServices {
  store: Pick<Store, 'fleetCounts'>;
  world: World;
  fleetThresholds: FleetThresholds;
}

/** Counts the devices of all accounts by their health, without the revoked ones. */
async function countFleet({
  store,
  world,
  fleetThresholds,
}: CountServices): Promise<[health: DeviceHealth, devices: number][]> {
  const counts = await store.fleetCounts(healthCutoffs(fleetThresholds, world.now()));
  return deviceHealths.map((health) => {
    const ofHealth = counts.filter((facts) => healthOfFacts(facts) === health);
    return [health, ofHealth.reduce((sum, { devices }) => sum + devices, 0)];
  });
}
