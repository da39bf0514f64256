/** Acts of a worker whose device holds a part of the runs. */
import type { ScopedGemba } from '../../client/client.ts';
import type { FleetDevice } from './fleet/device.ts';
import type { Simulation } from './fleet/simulation.ts';

type PickMap = (simulation: Simulation, device: FleetDevice) => Promise<{ id: string; name: string } | undefined>;

export const loadRunsOf = (pickMap: PickMap) => async (simulation: Simulation, device: FleetDevice) => {
  const map = await pickMap(simulation, device);
  if (!map) return;
  simulation.say(`${device.name} loads runs of ${map.name}`);
  await device.attempt((gemba) =>
    Promise.race([(gemba as ScopedGemba).loadRuns(map.id).then(() => {}), device.network.untilHeld()]),
  );
};
