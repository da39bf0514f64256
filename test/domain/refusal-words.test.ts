import { expect, test } from 'vitest';
import { withStages } from '../../shared/domain/map.ts';
import { applied, refused, validationRefusal } from '../../shared/domain/outcome.ts';
import { newStage } from '../../shared/domain/stages/stages.ts';
import { deviceMadeIdMin, stagesPerMapMax } from '../../shared/schema/limits.ts';
import type { Mutation } from '../../shared/schema/mutation.ts';
import { AccountModel } from './account-model.ts';
import { mapIdOf } from './mutations.ts';

const now = '2026-04-01T09:30:00.000Z';
const [press, bin, full, missing] = [mapIdOf(1), mapIdOf(2), mapIdOf(3), mapIdOf(9)];
const [stageId, runId] = [deviceMadeIdMin, deviceMadeIdMin + 2];
const step = { stage_name: 'Open', order: 1, duration_secs: 5 };
const upload = { recording_session_id: 'new', steps: [step] };

/** A press with a stage and a run, a map in the recycle bin, and one with as many stages as a map takes. */
function createModel(): AccountModel {
  const made = new AccountModel();
  const first = { map_id: press, recording_session_id: 'first', steps: [step], run_id: runId, stage_ids: [stageId] };
  const mutations: Mutation[] = [
    { name: 'create_map', args: { map_id: press, name: 'Press' } },
    { name: 'create_map', args: { map_id: bin, name: 'Old press' } },
    { name: 'create_map', args: { map_id: full, name: 'Full' } },
    { name: 'upload_recording', args: first },
    { name: 'delete_map', args: { map_id: bin } },
  ];
  for (const mutation of mutations) expect(made.commit(mutation, { now }).ok).toBe(true);
  const stages = Array.from({ length: stagesPerMapMax }, (_, index) =>
    newStage({ id: deviceMadeIdMin + index, mapId: full }, { stage: 'A', order: index + 1 }),
  );
  made.maps.set(full, withStages(made.map(full)!, stages));
  return made;
}

const invalid = (path: string, message: string) => ({
  code: 'validation_failed',
  detail: `${path}: ${message}`,
  errors: [{ path, message }],
});
const taken = (field: string, id: string | number) => ({
  code: 'id_taken',
  detail: `Another record has, or had, the ${field} ${id}.`,
  members: { field },
});
const clientMade = 'an id made by a client is at least 2147483648';

const refusals: [mutation: Mutation, error: object][] = [
  [
    { name: 'update_map', args: { map_id: missing } },
    { code: 'map_not_found', detail: `There is no map ${missing}.` },
  ],
  [
    { name: 'update_map', args: { map_id: bin } },
    { code: 'map_deleted', detail: 'The map "Old press" is in the recycle bin; restore it first.' },
  ],
  [{ name: 'create_map', args: { map_id: press, name: 'A' } }, taken('map_id', press)],
  [{ name: 'add_stage', args: { map_id: press, stage: 'A', stage_id: stageId } }, taken('stage_id', stageId)],
  [{ name: 'upload_recording', args: { map_id: press, ...upload, run_id: runId } }, taken('run_id', runId)],
  [{ name: 'upload_recording', args: { map_id: press, ...upload, stage_ids: [stageId] } }, taken('stage_ids', stageId)],
  [{ name: 'add_stage', args: { map_id: press, stage: 'A', stage_id: stageId - 1 } }, invalid('/stage_id', clientMade)],
  [{ name: 'upload_recording', args: { map_id: press, ...upload, run_id: 7 } }, invalid('/run_id', clientMade)],
  [
    {
      name: 'upload_recording',
      args: {
        map_id: press,
        recording_session_id: 'new',
        steps: [step, { ...step, order: 2 }],
        stage_ids: [stageId + 1, 7],
      },
    },
    invalid('/stage_ids/1', clientMade),
  ],
  [
    { name: 'upload_recording', args: { map_id: press, ...upload, stage_ids: [] } },
    invalid('/stage_ids', 'there are 1 steps and 0 stage ids'),
  ],
  [
    { name: 'upload_recording', args: { map_id: press, recording_session_id: 'new', steps: [step, step] } },
    invalid('/steps/1/order', 'order 1 stands twice in the recording'),
  ],
  [
    { name: 'upload_recording', args: { map_id: full, ...upload, stages: 'merge' } },
    invalid('/steps', 'a map has at most 5000 stages'),
  ],
  [{ name: 'add_stage', args: { map_id: full, stage: 'B' } }, invalid('/stage', 'a map has at most 5000 stages')],
  [
    { name: 'upload_recording', args: { map_id: bin, recording_session_id: 'first', steps: [step] } },
    {
      code: 'recording_session_mismatch',
      detail: 'The recording session first was used with other steps or another target.',
    },
  ],
  [
    { name: 'delete_stage', args: { map_id: press, stage_id: 1 } },
    { code: 'stage_not_found', detail: 'The map has no stage 1.' },
  ],
  [
    { name: 'reorder_stages', args: { map_id: press, stage_ids: [] } },
    { code: 'stage_ids_mismatch', detail: "stage_ids must hold each of the map's stages exactly once." },
  ],
  [
    { name: 'replace_stages', args: { map_id: press, stages: [{ stage: 'A' }], stage_ids: [] } },
    invalid('/stage_ids', 'there are 1 stages and 0 stage ids'),
  ],
  [
    {
      name: 'replace_stages',
      args: {
        map_id: press,
        stages: [
          { id: stageId, stage: 'A' },
          { id: stageId, stage: 'B' },
        ],
      },
    },
    invalid('/stages/1/id', 'the stage is listed before'),
  ],
  [
    { name: 'delete_run', args: { run_id: 1 } },
    { code: 'run_not_found', detail: 'There is no run 1.' },
  ],
  [
    { name: 'update_run', args: { run_id: 1 } },
    { code: 'run_not_found', detail: 'There is no run 1.' },
  ],
];

test.each(refusals)('[DOMAIN-19] a refusal names in words what stands in the way: %j', (mutation, error) => {
  expect(createModel().commit(mutation, { now })).toStrictEqual({ ok: false, error });
});

test('[DOMAIN-19] a refusal names each field that is wrong, and the plan that has no room', () => {
  const model = new AccountModel({ plan: 'free' });
  for (const map_id of [press, bin]) {
    expect(model.commit({ name: 'create_map', args: { map_id, name: 'A' } }, { now }).ok).toBe(true);
  }
  const steps = [step, step, step];
  const thrice = { name: 'upload_recording', args: { map_id: press, recording_session_id: 'new', steps } } as const;
  expect(model.commit(thrice, { now })).toMatchObject({
    error: {
      detail:
        '/steps/1/order: order 1 stands twice in the recording; /steps/2/order: order 1 stands twice in the recording',
    },
  });
  const third: Mutation = { name: 'create_map', args: { map_id: full, name: 'A' } };
  const refusal = {
    code: 'map_cap_reached',
    detail: 'The free plan has room for 2 maps.',
    members: { limit: 2, plan: 'free' },
  };
  expect(model.commit(third, { now })).toStrictEqual({ ok: false, error: refusal });
});

test('[DOMAIN-19] a refusal says where a field is wrong, also when it is the whole', () => {
  const whole = { path: '', message: 'has too many values' };
  const name = { path: '/name', message: 'is required' };
  expect(validationRefusal([whole, name])).toStrictEqual({
    ok: false,
    error: {
      code: 'validation_failed',
      detail: 'the whole: has too many values; /name: is required',
      errors: [whole, name],
    },
  });
});

test('an outcome has what was given, and takes no id unless that is said', () => {
  expect(applied({}, { mapId: 'map' })).toStrictEqual({
    ok: true,
    changes: {},
    affectedIds: { mapId: 'map' },
    idsTaken: 0,
  });
  expect(refused('map_not_found', 'There is none.')).toStrictEqual({
    ok: false,
    error: { code: 'map_not_found', detail: 'There is none.' },
  });
});
