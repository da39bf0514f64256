/** The maps and stages among which a worker chooses. */
import { firstValueFrom } from 'rxjs';
import type { Gemba } from '../../../client/client.ts';
import { pickOne } from '../../random.ts';
import type { FleetDevice } from './device.ts';
import type { Simulation } from './simulation.ts';

/** Picks by name, so that an act left out changes the picks of later acts little. */
export async function pickMap(
  simulation: Simulation,
  device: FleetDevice,
): Promise<{ id: string; name: string } | undefined> {
  const maps = (await device.show(({ maps$ }) => maps$)) ?? [];
  return maps.length > 0 ? pickOne(simulation.random, sortedByName(maps)) : undefined;
}

export async function pickDeletedMap(simulation: Simulation, device: FleetDevice): ReturnType<typeof pickMap> {
  const maps = (await device.show(({ deletedMaps$ }) => deletedMaps$)) ?? [];
  return maps.length > 0 ? pickOne(simulation.random, sortedByName(maps)) : undefined;
}

const sortedByName = <Named extends { name: string }>(maps: Named[]): Named[] =>
  maps.toSorted((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));

export async function readStageIds(gemba: Gemba, mapId: string | undefined): Promise<number[]> {
  const map = mapId === undefined ? undefined : await firstValueFrom(gemba.map$(mapId));
  return map?.stages.map(({ id }) => id) ?? [];
}
