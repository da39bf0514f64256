import { expect, test } from 'vitest';
import { withStages } from '../../shared/domain/map.ts';
import type { Applied } from '../../shared/domain/state.ts';
import { newStage } from '../../shared/domain/stages/stages.ts';
import { deviceMadeIdMin, stagesPerMapMax } from '../../shared/schema/limits.ts';
import type { RecordingStep, StagesMode } from '../../shared/schema/recording.ts';
import { AccountModel } from './account-model.ts';
import { mapIdOf } from './mutations.ts';

const map_id = mapIdOf(1);
const now = '2026-04-01T09:30:00.000Z';
const stepsNamed = (...names: string[]): RecordingStep[] =>
  names.map((stage_name, index) => ({ stage_name, order: index + 1, duration_secs: 60 }));
const idAt = (index: number) => deviceMadeIdMin + index;

function modelWith(stageCount: number): AccountModel {
  const model = new AccountModel();
  expect(model.commit({ name: 'create_map', args: { map_id, name: 'Press' } }, { now }).ok).toBe(true);
  const stages = Array.from({ length: stageCount }, (_, index) =>
    newStage({ id: index + 1, mapId: map_id }, { stage: `Stage ${index}`, order: index + 1 }),
  );
  model.maps.set(map_id, withStages(model.map(map_id)!, stages));
  return model;
}

function recorded(model: AccountModel, steps: RecordingStep[], stages?: StagesMode): Applied {
  const stage_ids = steps.map((_, index) => idAt(index));
  const args = { map_id, recording_session_id: 'one', steps, stage_ids, ...(stages ? { stages } : {}) };
  const outcome = model.commit({ name: 'upload_recording', args }, { now });
  if (!outcome.ok) throw new Error(outcome.error.detail);
  return outcome;
}

test('[RECORDING-19] a merge may fill a map up to its limit, and a map that is over it takes what adds no stage', () => {
  const filled = recorded(modelWith(stagesPerMapMax - 1), stepsNamed('New'), 'merge');
  expect(filled.changes.map?.stage_count).toBe(stagesPerMapMax);
  const over = recorded(modelWith(stagesPerMapMax + 1), stepsNamed('Stage 1'), 'merge');
  expect(over.changes.map?.stage_count).toBe(stagesPerMapMax + 1);
});

test('[RECORDING-24] an outcome names the ids of stages that follow from the steps alone', () => {
  const steps = stepsNamed('Load', 'Weld');
  const ids = [idAt(0), idAt(1)];
  expect(recorded(modelWith(0), steps).affectedIds.stageIdsOfSteps).toEqual(ids);
  expect(recorded(modelWith(0), steps, 'replace').affectedIds.stageIdsOfSteps).toEqual(ids);
  for (const mode of ['keep', 'merge'] as const) {
    expect(recorded(modelWith(1), steps, mode).affectedIds).not.toHaveProperty('stageIdsOfSteps');
  }
  const interrupted = steps.map((step, index) => ({ ...step, interruption: index === 0 }));
  expect(recorded(modelWith(0), interrupted).affectedIds).not.toHaveProperty('stageIdsOfSteps');

  // The second stage takes over an earlier name.
  const renamed = modelWith(1);
  const rename = { name: 'update_stage', args: { map_id, stage_id: 1, stage: 'Weld' } } as const;
  expect(renamed.commit(rename, { now }).ok).toBe(true);
  const outcome = recorded(renamed, steps);
  expect(outcome.changes.map?.stages.map(({ aliases }) => aliases)).toEqual([undefined, ['Stage 0']]);
  expect(outcome.affectedIds).not.toHaveProperty('stageIdsOfSteps');
});

test('[RECORDER-35] the stages of a recording with an interruption get the ids of their own steps', () => {
  const steps = stepsNamed('Phone', 'Load', 'Weld').map((step, index) => ({ ...step, interruption: index === 0 }));
  const { map } = recorded(modelWith(0), steps).changes;
  expect(map?.stages.map(({ id, stage }) => [id, stage])).toEqual([
    [idAt(1), 'Load'],
    [idAt(2), 'Weld'],
  ]);
});
