/** Versions that differ: a server process or a device is of an earlier one for a while. */
import { pickOne } from '../../random.ts';
import type { FleetDevice } from '../fleet/device.ts';
import type { Simulation } from '../fleet/simulation.ts';

export async function changeVersions(simulation: Simulation, device: FleetDevice): Promise<void> {
  const { random, server } = simulation;
  const isOlder = random() < 0.6;
  const version = isOlder ? 'an earlier version' : 'the latest version';
  if (random() < 0.5) {
    if (isOlder) simulation.meet('older server');
    simulation.say(`a server process is of ${version}`);
    return server.setVersion({ isOlder });
  }
  if (isOlder) simulation.meet('older device');
  simulation.say(`${device.name} is of ${version}`);
  device.tabs.isOlder = isOlder;
  // A tab that is open stays of its version.
  if (pickOne(random, [true, false])) return;
  await device.close();
  await device.open();
}
