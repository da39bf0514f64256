import { expect, test } from 'vitest';
import { Pseudonyms } from './pseudonyms.ts';

const hidden = { texts: false };

test('[DEV-9] the same text has the same pseudonym, which says its length', () => {
  const pseudonyms = new Pseudonyms();
  expect(pseudonyms.text('Press', hidden)).toBe('text 1 (5)');
  expect(pseudonyms.text('Säge 👍', hidden)).toBe('text 2 (6)');
  expect(pseudonyms.text('Press', hidden)).toBe('text 1 (5)');
  expect(pseudonyms.text('', hidden)).toBe('');
  expect(pseudonyms.text('Press', { texts: true })).toBe('Press');
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
