/** Compares runs in slices, so that the server can handle other requests in between. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { compareInPortions, type RunToCompare } from '../../shared/domain/study/compare.ts';
import type { MapDoc } from '../../shared/schema/map.ts';
import type { CompareRequest, RunDoc } from '../../shared/schema/run.ts';
import type { Stage } from '../../shared/schema/stage.ts';
import { successReply, type RestReply } from '../core/reply.ts';
import type { Page } from '../store/page.ts';
import type { Store } from '../store/store.ts';

/** Compares the runs in the order in which the request lists them. */
export async function comparisonReply(store: Store, accountId: string, request: CompareRequest): Promise<RestReply> {
  const { run_ids: runIds, ...studyRequest } = request;
  const byId = await loadRuns(store, accountId, runIds);
  const missing = runIds.filter((id) => !byId.has(id));
  if (missing.length > 0) {
    const detail = `There is no run ${missing.join(', ')}.`;
    return { ok: false, error: { code: 'run_not_found', detail, members: { missing } } };
  }
  const runs = runIds.flatMap((id) => byId.get(id) ?? []);
  const stages = await loadStages(store, accountId, runs);
  const work = compareInPortions(runs, { request: studyRequest, stagesOf: (mapId) => stages.get(mapId) ?? [] });
  let step = work.next();
  for (; !step.done; step = work.next()) await nextTurn();
  return successReply(200, step.value);
}

/** A comparison reads about this many bytes at once, which takes a few milliseconds to parse. */
const batchBytesMax = 1024 * 1024;

/** Keeps only the times of the runs, since each run may have megabytes of notes. */
async function loadRuns(store: Store, accountId: string, ids: readonly number[]): Promise<Map<number, RunToCompare>> {
  const runs = new Map<number, RunToCompare>();
  for (let after: number | null = 0; after !== null;) {
    await nextTurn();
    const page: Page<RunDoc> = await store.runsByIds(accountId, { ids, after, bytesMax: batchBytesMax });
    for (const run of page.rows) runs.set(run.id, runToCompare(run));
    after = page.next;
  }
  return runs;
}

/** Keeps only the fields that a comparison reads, without notes, photos and the recorded steps of a corrected run. */
function runToCompare({ id, map_id, number, total_time_secs, pce, version, ...run }: RunDoc): RunToCompare {
  const steps = run.steps.map(({ stage_name, duration_secs, duration_estimated }) => ({
    stage_name,
    duration_secs,
    duration_estimated,
  }));
  const { started_at, created_at } = run;
  return { id, map_id, number, total_time_secs, pce, version, started_at, created_at, steps };
}

/**
 * Loads the stages of the runs' maps. A stage lists its earlier names, which match steps that were recorded before the
 * stage was renamed.
 */
async function loadStages(store: Store, accountId: string, runs: RunToCompare[]): Promise<Map<string, Stage[]>> {
  const ids = [...new Set(runs.map(({ map_id }) => map_id))];
  const stages = new Map<string, Stage[]>();
  const query = { ids, bytesMax: batchBytesMax };
  for (let after: { after?: string } | null = {}; after !== null;) {
    await nextTurn();
    const page: Page<MapDoc, string> = await store.mapsByIds(accountId, { ...query, ...after });
    for (const map of page.rows) stages.set(map.id, map.stages);
    after = page.next === null ? null : { after: page.next };
  }
  return stages;
}
