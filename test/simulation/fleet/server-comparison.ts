/** Compares an idle device with the server, by pull and by REST. */
import { isDeepStrictEqual } from 'node:util';
import { firstValueFrom } from 'rxjs';
import { filter } from 'rxjs/operators';
import type { Gemba, ScopedGemba } from '../../../client/client.ts';
import type { MapDoc } from '../../../shared/schema/map.ts';
import { selectLatestRuns } from '../../../client/sync/scope/fetch-latest-runs.ts';
import { latestRunsMax } from '../checks/shown.ts';
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
    if (simulation.setting.scopes.length > 0) await loadRest(gemba, content, unlike);
    for (const doc of content.runs) {
      const run = await firstValueFrom(gemba.run$(doc.id));
      if (!isDeepStrictEqual(run, { ...doc, pending: false })) unlike(`the run ${doc.id} otherwise`);
    }
  });
}

/** Compares what a device with a scope holds and counts, and then loads the rest. */
async function loadRest(gemba: Gemba, { maps, runs }: ServerContent, unlike: (what: string) => void): Promise<void> {
  const { ofMap } = await firstValueFrom((gemba as ScopedGemba).runsOnServer$);
  for (const { id, name } of maps) {
    const shown = await firstValueFrom(gemba.runs$(id));
    const ofServer = runs.filter(({ map_id }) => map_id === id);
    const held = new Set(shown.map((run) => run.id));
    if (shown.some((run) => !ofServer.some((doc) => doc.id === run.id))) unlike(`a run of ${name} that is gone`);
    const missing = ofServer.filter((doc) => !held.has(doc.id)).length;
    if ((ofMap.get(id) ?? 0) !== missing) unlike(`${ofMap.get(id) ?? 0} runs on the server instead of ${missing}`);
  }
  // The server tells no runs of a deleted map, unless a device asks for them by their ids.
  for (const { id, name } of maps.filter(({ deleted }) => !deleted)) {
    const latest = await firstValueFrom(
      (gemba as ScopedGemba).latestRuns$(id, latestRunsMax).pipe(filter(({ state }) => state !== 'loading')),
    );
    const ofServer = runs.filter((run) => run.map_id === id && !run.excluded);
    const expected = selectLatestRuns(ofServer, latestRunsMax).map((run) => run.id);
    if (
      latest.state === 'complete' &&
      !isDeepStrictEqual(
        latest.runs.map((run) => run.id),
        expected,
      )
    )
      unlike(`other latest runs of ${name}`);
    else if (latest.state !== 'complete') unlike(`the latest runs of ${name} in part`);
  }
  // No run of a shown list is dropped again.
  for (const { id } of maps) gemba.runs$(id).subscribe();
  for (const { id } of maps) await (gemba as ScopedGemba).loadRuns(id);
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
