import { Ajv2020 } from 'ajv/dist/2020.js';
import { customKeywords } from './field-errors.ts';
import { expect, test } from 'vitest';
import { isInstant } from './instant.ts';
import { deviceMadeIdMin, photosPerStepMax, stagesPerMapMax, stepsPerRecordingMax } from './limits.ts';
import { mutationArgs, mutationNames, type MutationName } from './mutation.ts';

const ajv = new Ajv2020({ keywords: customKeywords, formats: { instant: isInstant } });
const validate = Object.fromEntries(mutationNames.map((name) => [name, ajv.compile(mutationArgs[name])]));
const fits = (name: MutationName, args: unknown): boolean => validate[name]!(args) as boolean;

const map_id = '0196a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b';
const step = { stage_name: 'Weld', order: 1, duration_secs: 5 };
const classified = { work_type: 'waste', value_add: false };
const mapFields = { industry: 'steel', description: '', state: 'future' };
const stageTimes = { cycle_time_hrs: 1, wait_time_hrs: 0, ...classified };
const stageFields = { order: 2, ...stageTimes };
const recording = {
  recording_session_id: 'session-1',
  started_at: '2026-04-01T09:30:00.000Z',
  steps: [{ ...step, ...classified, duration_estimated: true, notes: 'cold', photos: ['photo:1'] }],
  digest: 'a'.repeat(64),
  run_id: deviceMadeIdMin,
  stage_ids: [deviceMadeIdMin],
};

/** The smallest and the fullest args of each mutation, and its required fields. */
const examples: Record<MutationName, { least: object; fullest: object; required: string[] }> = {
  create_map: { least: { name: 'Press' }, fullest: { map_id, name: 'Press', ...mapFields }, required: ['name'] },
  update_map: {
    least: { map_id },
    fullest: { map_id, name: 'Press', ...mapFields, archived: true },
    required: ['map_id'],
  },
  delete_map: { least: { map_id }, fullest: { map_id }, required: ['map_id'] },
  restore_map: { least: { map_id }, fullest: { map_id }, required: ['map_id'] },
  add_stage: {
    least: { map_id, stage: 'Weld' },
    fullest: { map_id, stage_id: deviceMadeIdMin, stage: 'Weld', ...stageFields },
    required: ['map_id', 'stage'],
  },
  update_stage: {
    least: { map_id, stage_id: 1 },
    fullest: { map_id, stage_id: 1, stage: 'Weld', ...stageFields },
    required: ['map_id', 'stage_id'],
  },
  delete_stage: { least: { map_id, stage_id: 1 }, fullest: { map_id, stage_id: 1 }, required: ['map_id', 'stage_id'] },
  reorder_stages: {
    least: { map_id, stage_ids: [] },
    fullest: { map_id, stage_ids: [3, 1, 2] },
    required: ['map_id', 'stage_ids'],
  },
  replace_stages: {
    least: { map_id, stages: [] },
    fullest: { map_id, stages: [{ id: 1, stage: 'Weld', ...stageTimes, aliases: ['Join'] }], stage_ids: [2 ** 31] },
    required: ['map_id', 'stages'],
  },
  upload_recording: {
    least: { map_id, steps: [step] },
    fullest: { map_id, ...recording },
    required: ['map_id', 'steps'],
  },
  record_new_map: {
    least: { name: 'Press', steps: [step] },
    fullest: { map_id, name: 'Press', ...recording },
    required: ['name', 'steps'],
  },
  update_run: {
    least: { run_id: 1 },
    fullest: { run_id: 1, name: 'Early', tags: ['shift A'], note: 'new jig', excluded: { reason: 'power cut' } },
    required: ['run_id'],
  },
  correct_run: {
    least: { run_id: 1, steps: [step] },
    fullest: { run_id: 1, steps: [step] },
    required: ['run_id', 'steps'],
  },
  delete_run: { least: { run_id: 1 }, fullest: { run_id: 1 }, required: ['run_id'] },
};

/** `excluded: null` ends the exclusion of a run. */
const nullableFields = new Set(['update_run.excluded']);

test.each(mutationNames)('[SCHEMA-10] the args of %s are what they are, no less and no more', (name) => {
  const { least, fullest, required } = examples[name];
  expect(fits(name, least)).toBe(true);
  expect(fits(name, fullest)).toBe(true);
  // Unknown fields are refused: a typo must not be lost silently.
  expect(fits(name, { ...fullest, nmae: 'Press' })).toBe(false);
  for (const field of required) {
    const { [field]: _left, ...rest } = least as Record<string, unknown>;
    expect(fits(name, rest), `without ${field}`).toBe(false);
  }
  for (const field of Object.keys(fullest)) {
    expect(fits(name, { ...fullest, [field]: null }), `${field}: null`).toBe(nullableFields.has(`${name}.${field}`));
  }
  for (const args of [null, [], 'args', 7]) expect(fits(name, args)).toBe(false);
});

test('[SCHEMA-11] a recording has 1 to 1,000 steps, a step up to 20 photos, and no step an unknown field', () => {
  const many = (count: number) => Array.from({ length: count }, (_, index) => ({ ...step, order: index + 1 }));
  const upload = (steps: unknown) => fits('upload_recording', { map_id, steps });
  expect(upload(many(stepsPerRecordingMax))).toBe(true);
  expect(upload(many(stepsPerRecordingMax + 1))).toBe(false);
  expect(upload([])).toBe(false);
  expect(upload([{ ...step, photos: Array(photosPerStepMax).fill('photo:1') }])).toBe(true);
  expect(upload([{ ...step, photos: Array(photosPerStepMax + 1).fill('photo:1') }])).toBe(false);
  expect(upload([{ ...step, note: 'cold' }])).toBe(false);
  expect(upload([{ ...step, work_type: 'rework' }])).toBe(false);
  for (const field of Object.keys(step)) {
    const { [field]: _left, ...rest } = step as Record<string, unknown>;
    expect(upload([rest]), `without ${field}`).toBe(false);
  }
});

test('[SCHEMA-12] ids that a recording brings are integers, distinct, and at most one for each possible step', () => {
  const upload = (ids: object) => fits('upload_recording', { map_id, steps: [step], ...ids });
  expect(upload({ stage_ids: [deviceMadeIdMin, deviceMadeIdMin] })).toBe(false);
  expect(upload({ stage_ids: [0.5] })).toBe(false);
  expect(upload({ run_id: '5' })).toBe(false);
  const idsOf = (count: number) => Array.from({ length: count }, (_, index) => deviceMadeIdMin + index);
  expect(upload({ stage_ids: idsOf(stepsPerRecordingMax) })).toBe(true);
  expect(upload({ stage_ids: idsOf(stepsPerRecordingMax + 1) })).toBe(false);
  expect(fits('reorder_stages', { map_id, stage_ids: idsOf(stagesPerMapMax) })).toBe(true);
  expect(fits('reorder_stages', { map_id, stage_ids: idsOf(stagesPerMapMax + 1) })).toBe(false);
});

test('[SCHEMA-13] [SCHEMA-17] a digest is 64 lower-case hex digits, a start an instant', () => {
  const upload = (more: object) => fits('upload_recording', { map_id, steps: [step], ...more });
  expect(upload({ digest: 'A'.repeat(64) })).toBe(false);
  expect(upload({ digest: 'a'.repeat(63) })).toBe(false);
  expect(upload({ started_at: '2026-02-30T00:00:00Z' })).toBe(false);
  expect(upload({ started_at: '2026-04-01T11:30:00+02:00' })).toBe(true);
});
