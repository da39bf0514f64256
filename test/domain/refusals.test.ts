import { expect, test } from 'vitest';
import { withStages } from '../../shared/domain/map.ts';
import { newStage } from '../../shared/domain/stages/stages.ts';
import { deviceMadeIdMin, stagesPerMapMax } from '../../shared/schema/limits.ts';
import type { Mutation } from '../../shared/schema/mutation.ts';
import { mapIdOf } from './mutations.ts';
import { AccountModel } from './account-model.ts';

const now = '2026-04-01T09:30:00.000Z';
const [press, oven, bin, missing] = [mapIdOf(1), mapIdOf(2), mapIdOf(3), mapIdOf(9)];
const [stageId, runId] = [deviceMadeIdMin + 1, deviceMadeIdMin + 2];
const steps = [{ stage_name: 'Open', order: 1, duration_secs: 5 }];
const upload = { recording_session_id: 'new', steps };

/** A press with one run and one stage, an oven, and a map in the recycle bin. */
function createModel(): AccountModel {
  const made = new AccountModel();
  for (const [map_id, name] of [
    [press, 'Press'],
    [oven, 'Oven'],
    [bin, 'Bin'],
  ] as const) {
    expect(made.commit({ name: 'create_map', args: { map_id, name } }, { now }).ok).toBe(true);
  }
  const first = { map_id: press, recording_session_id: 'first', steps, run_id: runId, stage_ids: [stageId] };
  expect(made.commit({ name: 'upload_recording', args: first }, { now }).ok).toBe(true);
  expect(made.commit({ name: 'delete_map', args: { map_id: bin } }, { now }).ok).toBe(true);
  return made;
}

const refusals: [why: string, mutation: Mutation, error: object][] = [
  ['a map id that is taken', { name: 'create_map', args: { map_id: press, name: 'A' } }, idTakenError('map_id')],
  [
    'a map id of the recycle bin',
    { name: 'record_new_map', args: { map_id: bin, name: 'A', ...upload } },
    idTakenError('map_id'),
  ],
  [
    'a stage id that is taken',
    { name: 'add_stage', args: { map_id: press, stage: 'A', stage_id: stageId } },
    idTakenError('stage_id'),
  ],
  [
    'a run id that is taken',
    { name: 'upload_recording', args: { map_id: oven, ...upload, run_id: runId } },
    idTakenError('run_id'),
  ],
  [
    'stage ids of which one is taken',
    { name: 'upload_recording', args: { map_id: press, ...upload, stage_ids: [stageId] } },
    idTakenError('stage_ids'),
  ],
  [
    'fewer stage ids than steps',
    { name: 'upload_recording', args: { map_id: press, ...upload, stage_ids: [] } },
    { code: 'validation_failed', errors: [{ path: '/stage_ids' }] },
  ],
  [
    'steps that share an order',
    { name: 'upload_recording', args: { map_id: press, recording_session_id: 'new', steps: [...steps, ...steps] } },
    { code: 'validation_failed', errors: [{ path: '/steps/1/order' }] },
  ],
  [
    'the session of another recording with other steps',
    {
      name: 'upload_recording',
      args: { map_id: press, recording_session_id: 'first', steps: [{ ...steps[0]!, notes: 'x' }] },
    },
    { code: 'recording_session_mismatch' },
  ],
  [
    'the session of another recording with another target',
    { name: 'upload_recording', args: { map_id: oven, recording_session_id: 'first', steps } },
    { code: 'recording_session_mismatch' },
  ],
  [
    'the session of a recording on a map, for a new map',
    { name: 'record_new_map', args: { map_id: missing, name: 'Press', recording_session_id: 'first', steps } },
    { code: 'recording_session_mismatch' },
  ],
  ['a change of no map', { name: 'update_map', args: { map_id: missing } }, { code: 'map_not_found' }],
  ['the deletion of no map', { name: 'delete_map', args: { map_id: missing } }, { code: 'map_not_found' }],
  ['the restoring of no map', { name: 'restore_map', args: { map_id: missing } }, { code: 'map_not_found' }],
  [
    'a recording of no map',
    { name: 'upload_recording', args: { map_id: missing, ...upload } },
    { code: 'map_not_found' },
  ],
  ['a stage of no map', { name: 'add_stage', args: { map_id: missing, stage: 'A' } }, { code: 'map_not_found' }],
  ['a change in the bin', { name: 'update_map', args: { map_id: bin } }, { code: 'map_deleted' }],
  ['a stage in the bin', { name: 'add_stage', args: { map_id: bin, stage: 'A' } }, { code: 'map_deleted' }],
  ['a recording into the bin', { name: 'upload_recording', args: { map_id: bin, ...upload } }, { code: 'map_deleted' }],
  [
    'a change of no stage',
    { name: 'update_stage', args: { map_id: oven, stage_id: stageId } },
    { code: 'stage_not_found' },
  ],
  [
    'the deletion of no stage',
    { name: 'delete_stage', args: { map_id: oven, stage_id: 1 } },
    { code: 'stage_not_found' },
  ],
  [
    'an order that is none',
    { name: 'reorder_stages', args: { map_id: press, stage_ids: [] } },
    { code: 'stage_ids_mismatch' },
  ],
  ['the deletion of no run', { name: 'delete_run', args: { run_id: 1 } }, { code: 'run_not_found' }],
];

test.each(refusals)('[DOMAIN-13] the code says why: %s', (_why, mutation, error) => {
  expect(createModel().commit(mutation, { now })).toMatchObject({ ok: false, error });
});

test('[RECORDING-9] a refused recording uses up nothing: its session may be tried again', () => {
  const made = createModel();
  const recording: Mutation = { name: 'upload_recording', args: { map_id: bin, ...upload, run_id: runId + 1 } };
  expect(made.commit(recording, { now }).ok).toBe(false);
  expect(made.commit({ name: 'restore_map', args: { map_id: bin } }, { now }).ok).toBe(true);
  expect(made.commit(recording, { now })).toMatchObject({ ok: true, affectedIds: { runId: runId + 1 } });
});

test('[RECORDING-10] the id, the number and the session of a deleted run stay used', () => {
  const made = createModel();
  expect(made.commit({ name: 'delete_run', args: { run_id: runId } }, { now }).ok).toBe(true);
  const again: Mutation = { name: 'upload_recording', args: { map_id: press, recording_session_id: 'first', steps } };
  const repeated = made.commit(again, { now });
  expect(repeated).toMatchObject({ ok: true, affectedIds: { runId, isRepeatedUpload: true } });
  expect(repeated).toHaveProperty('changes', {});
  expect(made.run(runId)).toBeUndefined();
  const sameId: Mutation = { name: 'upload_recording', args: { map_id: press, ...upload, run_id: runId } };
  expect(made.commit(sameId, { now })).toMatchObject({ ok: false, error: idTakenError('run_id') });
  const next: Mutation = { name: 'upload_recording', args: { map_id: press, ...upload } };
  expect(made.commit(next, { now })).toMatchObject({ ok: true, changes: { newRun: { number: 2 } } });
});

test('[DOMAIN-17] a run of a map in the recycle bin can be deleted', () => {
  const made = createModel();
  expect(made.commit({ name: 'delete_map', args: { map_id: press } }, { now }).ok).toBe(true);
  const deletion: Mutation = { name: 'delete_run', args: { run_id: runId } };
  expect(made.commit(deletion, { now })).toMatchObject({
    ok: true,
    changes: { map: { run_count: 0, last_run_at: null }, deletedRunId: runId },
    affectedIds: { mapId: press, runId },
  });
  expect(made.run(runId)).toBeUndefined();
});

test('[DOMAIN-18] a recording that a map took before it went to the recycle bin is answered again there', () => {
  const made = createModel();
  expect(made.commit({ name: 'delete_map', args: { map_id: press } }, { now }).ok).toBe(true);
  const again: Mutation = { name: 'upload_recording', args: { map_id: press, recording_session_id: 'first', steps } };
  const repeated = made.commit(again, { now });
  expect(repeated).toMatchObject({ ok: true, affectedIds: { runId, isRepeatedUpload: true } });
  expect(repeated).toHaveProperty('changes', {});
});

test('[DOMAIN-7] the id of a deleted stage stays used', () => {
  const made = createModel();
  expect(made.commit({ name: 'delete_stage', args: { map_id: press, stage_id: stageId } }, { now }).ok).toBe(true);
  const add = (map_id: string): Mutation => ({ name: 'add_stage', args: { map_id, stage: 'A', stage_id: stageId } });
  expect(made.commit(add(press), { now })).toMatchObject({ ok: false, error: idTakenError('stage_id') });
  expect(made.commit(add(oven), { now })).toMatchObject({ ok: true, affectedIds: { stageId } });
});

test('[STAGE-7] a map takes stages up to its limit', () => {
  const made = createModel();
  const stages = Array.from({ length: stagesPerMapMax - 1 }, (_, index) =>
    newStage({ id: deviceMadeIdMin + index, mapId: oven }, { stage: 'A', order: index + 1 }),
  );
  made.maps.set(oven, withStages(made.map(oven)!, stages));
  const add: Mutation = { name: 'add_stage', args: { map_id: oven, stage: 'A' } };
  expect(made.commit(add, { now })).toMatchObject({ ok: true, changes: { map: { stage_count: stagesPerMapMax } } });
  expect(made.commit(add, { now })).toMatchObject({ ok: false, error: { code: 'validation_failed' } });
});

function idTakenError(field: string) {
  return { code: 'id_taken', members: { field } };
}
