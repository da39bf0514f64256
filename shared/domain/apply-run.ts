/** The rules for existing runs: changes of name, tags, note and exclusion, corrections of steps, and deletion. */
import type { MapDoc } from '../schema/map.ts';
import type { RunDoc, RunStep } from '../schema/run.ts';
import { assert } from './assert.ts';
import { fieldsOf } from './fields-of.ts';
import { findMap } from './guards.ts';
import { hasEqualJson } from './has-equal-json.ts';
import { applied, validationRefusal, refused } from './outcome.ts';
import { runFieldsOfSteps, toRunSteps, stepOrderErrors } from './run.ts';
import type { Applied, Refused, MutationRule } from './state.ts';
import { distinctTags } from './tags.ts';

const update_run: MutationRule<'update_run'> = (state, { run_id, ...patch }) => {
  const run = state.runWithSteps(run_id);
  if (!run) return runNotFoundRefusal(run_id);
  const after: RunDoc = { ...run, ...patch, ...(patch.tags && { tags: distinctTags(patch.tags) }) };
  const fields = fieldsOf(patch);
  return appliedRunChange(after, { differs: fields.some((field) => !hasEqualJson(after[field], run[field])) });
};

/** Replaces the steps of the run. `recorded_steps` keeps the steps of the recording, before any correction. */
const correct_run: MutationRule<'correct_run'> = (state, { run_id, steps: corrected }) => {
  const errors = stepOrderErrors(corrected);
  if (errors.length > 0) return validationRefusal(errors);
  const run = state.runWithSteps(run_id);
  if (!run) return runNotFoundRefusal(run_id);
  const steps = toRunSteps(corrected);
  const recorded_steps: RunStep[] = run.recorded_steps ?? run.steps;
  const after: RunDoc = { ...run, ...runFieldsOfSteps(steps), recorded_steps, revision: (run.revision ?? 1) + 1 };
  return appliedRunChange(after, { differs: !hasEqualJson(steps, run.steps) });
};

const delete_run: MutationRule<'delete_run'> = (state, { run_id }, { now }) => {
  const run = state.run(run_id);
  if (!run) return runNotFoundRefusal(run_id);
  const found = findMap(state, run.map_id);
  assert(found.ok, `run ${run_id} has its map`);
  const map: MapDoc = {
    ...found.record,
    run_count: found.record.run_count - 1,
    last_run_at: state.newestRun(run.map_id, run_id)?.created_at ?? null,
    updated_at: now,
  };
  return applied({ map, deletedRunId: run_id }, { runId: run_id, mapId: run.map_id });
};

function appliedRunChange(after: RunDoc, { differs }: { differs: boolean }): Applied {
  return applied(differs ? { changedRun: after } : {}, { mapId: after.map_id, runId: after.id });
}

function runNotFoundRefusal(runId: number): Refused {
  return refused('run_not_found', `There is no run ${runId}.`);
}

export const runMutationRules = { update_run, correct_run, delete_run };
