/** Compares runs in slices, so that the server can handle other requests in between. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { compareInPortions, type RunToCompare } from '../../shared/domain/study/compare.ts';
import type { CompareRequest, RunDoc } from '../../shared/schema/run.ts';
import type { Stage } from '../../shared/schema/stage.ts';
import { successReply, type RestReply } from '../core/reply.ts';
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
  const runs = [...byId.values()];
  const stages = await loadStages(store, accountId, runs);
  const work = compareInPortions(runs, { request: studyRequest, stagesOf: (mapId) => stages.get(mapId) ?? [] });
  let step = work.next();
  for (; !step.done; step = work.next()) await nextTurn();
  return successReply(200, step.value);
}

/** Loads the runs one after another and keeps only their times, since each run may have megabytes of notes. */
async function loadRuns(store: Store, accountId: string, runIds: number[]): Promise<Map<number, RunToCompare>> {
  const runs = new Map<number, RunToCompare>();
  for (const runId of runIds) {
    await nextTurn();
    const run = await store.run(accountId, runId);
    if (!run) continue;
    runs.set(runId, runToCompare(run));
  }
  return runs;
}

/** Keeps only the fields that a comparison reads: neither notes nor photos, nor the first recording of a corrected run. */
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
  const stages = new Map<string, Stage[]>();
  for (const mapId of new Set(runs.map(({ map_id }) => map_id))) {
    await nextTurn();
    stages.set(mapId, (await store.map(accountId, mapId))?.stages ?? []);
  }
  return stages;
}
