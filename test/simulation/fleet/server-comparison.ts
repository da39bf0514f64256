/** Compares an idle device with the server, by pull and by REST. */
import { isDeepStrictEqual } from 'node:util';
import { firstValueFrom } from 'rxjs';
import type { MapDoc } from '../../../shared/schema/map.ts';
import type { FleetDevice } from './device.ts';
import type { ServerContent } from './server-content.ts';
import type { Simulation } from './simulation.ts';

export async function expectDeviceEqualsServer(
  simulation: Simulation,
  device: FleetDevice,
  content: ServerContent,
): Promise<void> {
  const unlike = (what: string) => simulation.fail('unlike the server', `${device.name} shows ${what}`);
  await device.attempt(async (gemba) => {
    for (const doc of content.maps) {
      const shown = await firstValueFrom(gemba.map$(doc.id));
      const { pending, analytics: _analytics, ...map } = shown ?? { pending: undefined, analytics: undefined };
      if (pending !== false || !isDeepStrictEqual(map, doc)) unlike(`the map ${doc.name} otherwise`);
    }
    const shown = [...(await firstValueFrom(gemba.maps$)), ...(await firstValueFrom(gemba.deletedMaps$))];
    if (shown.length !== content.maps.length) unlike(`${shown.length} maps instead of ${content.maps.length}`);
    if (simulation.setting.kind === 'wearable') return;
    for (const doc of content.runs) {
      const run = await firstValueFrom(gemba.run$(doc.id));
      if (!isDeepStrictEqual(run, { ...doc, pending: false })) unlike(`the run ${doc.id} otherwise`);
    }
  });
}

/** REST and pull return the same map. */
export async function expectRestEqualToPull(simulation: Simulation, { maps, runs }: ServerContent): Promise<void> {
  for (const doc of maps.filter(({ deleted }) => !deleted)) {
    const { analytics: _analytics, ...map } = await simulation.rest<MapDoc & { analytics: unknown }>(
      'GET',
      `/maps/${doc.id}`,
    );
    if (!isDeepStrictEqual(map, doc))
      simulation.fail('unlike the server', `GET of the map ${doc.name} tells otherwise`);
    const { data } = await simulation.rest<{ data: { id: number }[] }>('GET', `/maps/${doc.id}/runs?limit=200`);
    const told = data.map(({ id }) => id).toSorted();
    const pulled = runs.flatMap(({ id, map_id }) => (map_id === doc.id ? [id] : [])).toSorted();
    if (!isDeepStrictEqual(told, pulled))
      simulation.fail('unlike the server', `GET of the runs of ${doc.name} tells otherwise`);
  }
}
