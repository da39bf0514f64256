import { expect, test } from 'vitest';
import { Pseudonyms } from './pseudonyms.ts';

const hidden = { texts: false };
const uuid = '01a1fc69-d7f9-71cc-87c5-aaaaaaaaaaaa';

test('[DEV-9] the same text has the same pseudonym, which says its length', () => {
  const pseudonyms = new Pseudonyms();
  expect(pseudonyms.text('Press', hidden)).toBe('text 1 (5)');
  expect(pseudonyms.text('Säge 👍', hidden)).toBe('text 2 (6)');
  expect(pseudonyms.text('Press', hidden)).toBe('text 1 (5)');
  expect(pseudonyms.text('', hidden)).toBe('');
  expect(pseudonyms.text('Press', { texts: true })).toBe('Press');
});

test('[DEV-8] a value keeps numbers, times, UUIDs and words of the protocol, and no other text', () => {
  const value = {
    map_id: uuid,
    order: 3,
    deleted: false,
    started_at: '2026-03-01T08:00:00.000Z',
    work_type: 'valuable',
    stages: 'keep',
    notes: 'valuable',
    recording_session_id: 'order-4711',
    photos: [`sha256:${'a'.repeat(64)}`],
    'Key of Maria': null,
    steps: [{ stage_name: 'Press', duration_secs: 2.5 }],
  };
  expect(new Pseudonyms().value(value, hidden)).toEqual({
    map_id: uuid,
    order: 3,
    deleted: false,
    started_at: '2026-03-01T08:00:00.000Z',
    work_type: 'valuable',
    stages: 'keep',
    notes: 'text 1 (8)',
    recording_session_id: 'text 2 (10)',
    photos: ['text 3 (71)'],
    'text 4 (12)': null,
    steps: [{ stage_name: 'text 5 (5)', duration_secs: 2.5 }],
  });
});

test('[DEV-8] a problem keeps its code, its status and its paths', () => {
  const problem = {
    code: 'validation_failed',
    status: 422,
    title: 'Maria is not allowed',
    detail: 'Maria is too long',
    map_name: 'Press',
    errors: [
      { path: '/steps/3/stage_name', message: 'Maria' },
      { path: '/Maria', message: 'unknown' },
    ],
  };
  expect(new Pseudonyms().problem(problem, hidden)).toEqual({
    code: 'validation_failed',
    status: 422,
    detail: 'text 1 (17)',
    errors: [{ path: '/steps/3/stage_name' }, { path: 'text 2 (6)' }],
  });
});
