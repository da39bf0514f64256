/** After a round, an account's records fit together, and REST and pull return the same. */
import { isDeepStrictEqual } from 'node:util';
import type { PullResponse } from '../../shared/protocol/pull.ts';
import type { FullMap, MapDoc, MapRecord } from '../../shared/schema/map.ts';
import type { RunDoc, RunRecord } from '../../shared/schema/run.ts';
import { restClient } from '../device/test-server.ts';

/** Describes each inconsistency. */
export async function inconsistencies(url: string, token: string): Promise<string[]> {
  const rest = restClient(url, token);
  const { maps, runs } = await pullRecords(url, token);
  const live = await rest.list<MapRecord>('/maps');
  const binned = await rest.list<MapRecord>('/maps?deleted=true');
  const found: string[] = [];
  const expectEqual = (what: string, actual: unknown, expected: unknown) => {
    if (isDeepStrictEqual(actual, expected)) return;
    found.push(`${what}: ${JSON.stringify(actual).slice(0, 300)} is not ${JSON.stringify(expected).slice(0, 300)}`);
  };
  const ids = (records: { id: string | number }[]) => records.map(({ id }) => id).toSorted();
  expectEqual('the maps of REST and pull', ids([...live, ...binned]), ids([...maps.values()]));
  for (const doc of maps.values()) {
    const orders = doc.stages.map(({ order }) => order);
    expectEqual(
      `the positions in map ${doc.id}`,
      orders,
      orders.map((_, index) => index + 1),
    );
    expectEqual(`stage_count of map ${doc.id}`, doc.stage_count, doc.stages.length);
    const own = [...runs.values()].filter(({ map_id }) => map_id === doc.id);
    expectEqual(`run_count of map ${doc.id}`, doc.run_count, own.length);
    const numbers = own.map(({ number }) => number);
    expectEqual(`the run numbers of map ${doc.id}`, new Set(numbers).size, numbers.length);
  }
  for (const record of [...live, ...binned]) {
    const { stages: _, ...doc } = maps.get(record.id) ?? { stages: [] };
    expectEqual(`map ${record.id} in the list and in the pull`, record, doc);
  }
  for (const { id } of live) {
    const { analytics, ...doc } = await rest.get<FullMap>(`/maps/${id}`);
    expectEqual(`map ${id} of REST and pull`, doc, maps.get(id));
    expectEqual(`the analytics of map ${id}`, analytics.stage_count, doc.stages.length);
    const listed = await rest.list<RunRecord>(`/maps/${id}/runs`);
    const own = [...runs.values()].filter(({ map_id }) => map_id === id);
    expectEqual(`the runs of map ${id}`, ids(listed), ids(own));
  }
  for (const run of runs.values()) {
    if (live.some(({ id }) => id === run.map_id)) expectEqual(`run ${run.id}`, await rest.get(`/runs/${run.id}`), run);
  }
  return found;
}

async function pullRecords(
  url: string,
  token: string,
): Promise<{ maps: Map<string, MapDoc>; runs: Map<number, RunDoc> }> {
  const maps = new Map<string, MapDoc>();
  const runs = new Map<number, RunDoc>();
  const headers = { Authorization: `Bearer ${token}`, 'Gemba-Protocol': '1' };
  for (let cursor = '', more = true; more;) {
    const response = await fetch(`${url}/api/v1/sync/pull?cursor=${cursor}`, { headers });
    const page = (await response.json()) as PullResponse;
    for (const change of page.changes) {
      if (change.kind === 'map' && change.doc) maps.set(change.id, change.doc);
      if (change.kind === 'run' && change.doc) runs.set(change.id, change.doc);
      if (change.kind === 'map' && !change.doc) maps.delete(change.id);
      if (change.kind === 'run' && !change.doc) runs.delete(change.id);
    }
    ({ cursor, has_more: more } = page);
  }
  return { maps, runs };
}
