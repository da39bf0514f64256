import type { PullResponse } from '../../../shared/protocol/pull.ts';
import type { MapDoc } from '../../../shared/schema/map.ts';
import type { RunDoc } from '../../../shared/schema/run.ts';
import type { Simulation } from './simulation.ts';

export interface ServerContent {
  maps: MapDoc[];
  runs: RunDoc[];
}

export async function pullContent(simulation: Simulation): Promise<ServerContent> {
  const content: ServerContent = { maps: [], runs: [] };
  let page: PullResponse | undefined;
  while (page?.has_more ?? true) {
    page = await simulation.rest<PullResponse>('GET', `/sync/pull?cursor=${page?.cursor ?? ''}&limit=1000`);
    for (const change of page.changes) {
      if (change.kind === 'map' && change.doc) content.maps.push(change.doc);
      if (change.kind === 'run' && change.doc) content.runs.push(change.doc);
    }
  }
  return content;
}
