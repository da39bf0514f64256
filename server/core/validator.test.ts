import { expect, test } from 'vitest';
import { NewMapRecording } from '../../shared/schema/recording.ts';
import { parseMutation } from '../mutate/parse-mutation.ts';
import { createValidator } from './validator.ts';

const check = createValidator(NewMapRecording);
const wrongFields = (candidate: unknown) => {
  const checked = check(candidate);
  return checked.ok ? [] : checked.error.errors!.map(({ path }) => path);
};

test('[REST-49] of a body with too many values only the first wrong field is named', () => {
  const few = Array.from({ length: 19_000 }, () => ({}));
  expect(wrongFields({ name: 'A', steps: few })).toHaveLength(100);
  const many = Array.from({ length: 30_000 }, () => ({}));
  expect(wrongFields({ name: 'A', steps: many })).toEqual(['/steps']);
  const fields = Object.fromEntries(many.map((_, index) => [`f${index}`, 1]));
  expect(wrongFields(fields)).toHaveLength(1);
});

test('[PUSH-14] of a mutation with too many values only the first wrong field is named', () => {
  const world = { now: () => 0, randomBytes: (count: number) => new Uint8Array(count) };
  const errorsOf = (count: number) => {
    const steps = Array.from({ length: count }, () => ({}));
    const parsed = parseMutation('record_new_map', { name: 'A', steps }, world);
    return parsed.ok ? 0 : parsed.error.errors!.length;
  };
  expect(errorsOf(10)).toBe(30);
  expect(errorsOf(200)).toBe(1);
});

test('[REST-53] of a field with a long name only the beginning is told', () => {
  expect(wrongFields({ name: 'A', steps: [], ['k'.repeat(1_000_000)]: 1 })[0]).toMatch(/^\/k{100}…$/);
});
