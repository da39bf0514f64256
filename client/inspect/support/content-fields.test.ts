import { expect, test } from 'vitest';
import { Pseudonyms } from './pseudonyms.ts';
import { argsRuleOf, isListedField, recordRules } from './content-fields.ts';

const uuid = '01a1fc69-d7f9-71cc-87c5-aaaaaaaaaaaa';
const secret = '5f0c2f6e-9d55-4f0e-8a53-bbbbbbbbbbbb';
const at = '2026-03-01T08:00:00.000Z';
const listed = (content: typeof recordRules.map, value: object, texts = false) =>
  content(value, { pseudonyms: new Pseudonyms(), options: { texts } });

const step = {
  stage_name: 'Press',
  order: 1,
  duration_secs: 2.5,
  work_type: 'valuable',
  notes: 'valuable',
  photos: [`sha256:${'a'.repeat(64)}`],
};

test('[DEV-8] content keeps the numbers, times, UUIDs and words of the protocol in their fields, and no text of a person', () => {
  const recording = {
    map_id: uuid,
    recording_session_id: 'order-4711',
    started_at: at,
    stages: 'keep',
    steps: [{ ...step, interruption: false }],
    stage_ids: [2 ** 33],
  };
  expect(listed(argsRuleOf('upload_recording'), recording)).toEqual({
    map_id: uuid,
    recording_session_id: 'text 1 (10)',
    started_at: at,
    stages: 'keep',
    steps: [
      {
        ...step,
        interruption: false,
        stage_name: 'text 2 (5)',
        notes: 'text 3 (8)',
        photos: ['text 4 (71)'],
      },
    ],
    stage_ids: [2 ** 33],
  });
  expect(listed(argsRuleOf('upload_recording'), recording, true)).toEqual(recording);
  const said = { name: secret, note: at, tags: ['4711'], excluded: null };
  expect(listed(recordRules.run, { id: 7, map_id: uuid, started_at: null, ...said })).toEqual({
    id: 7,
    map_id: uuid,
    started_at: null,
    name: 'text 1 (36)',
    tags: [expect.stringMatching(/^text \d \(4\)$/)],
    note: expect.stringMatching(/^text \d \(24\)$/),
    excluded: null,
  });
});

test('[DEV-16] content has no field that is not listed, at any depth, and no value of another type than that of its field', () => {
  const added = { added_count: 4711, added_flag: true, added_at: at, added_id: secret, added_text: 'Maria' };
  const stage = { id: 1, map_id: uuid, stage: 'Press', order: 1, ...added };
  expect(listed(recordRules.map, { id: uuid, state: 'future', stages: [stage, 'Maria'], ...added })).toEqual({
    id: uuid,
    state: 'future',
    stages: [{ id: 1, map_id: uuid, stage: 'text 1 (5)', order: 1 }],
  });
  expect(listed(recordRules.map, { id: 4711, version: '4711', archived: 'Maria', stages: { Maria: 1 } })).toEqual({});
  expect(listed(argsRuleOf('update_run'), { run_id: 7, excluded: { reason: 'Maria', ...added }, ...added })).toEqual({
    run_id: 7,
    excluded: { reason: 'text 1 (5)' },
  });
  expect(listed(argsRuleOf('a_later_mutation'), added)).toBeUndefined();
  expect(['name', 'added_count'].map((name) => isListedField('map', name))).toEqual([true, false]);
});
