import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { Type } from 'typebox';
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

test('[REST-8] a list with an item twice is refused, as JSON Schema has it, whatever its items are', () => {
  const schema = Type.Array(Type.Any(), { uniqueItems: true });
  const [isUnique, plain] = [createValidator(schema), new Ajv2020().compile(schema)];
  const item = fc.oneof(
    fc.integer({ min: 0, max: 3 }),
    fc.constantFrom<unknown>('1', '2', '{"a":1}', null, true, 2 ** 46, 2 ** 46 + 1),
    fc.constantFrom<unknown>({ a: 1 }, { a: 1, b: 2 }, { b: 2, a: 1 }, [1], ['1']),
  );
  const seed = process.env['GEMBA_SEED'];
  fc.assert(
    fc.property(fc.array(item, { maxLength: 5 }), (list) => {
      const copied: unknown = structuredClone(list);
      expect(isUnique(copied).ok).toBe(plain(copied));
    }),
    { numRuns: 1_000, ...(seed === undefined ? {} : { seed: Number(seed) }) },
  );
  const ids = [7, 8, 9, 8].map((id) => 2 ** 46 + id);
  const args = { map_id: '0190a7b8-b8b8-4444-8aaa-1234567890ab', steps: [], stage_ids: ids };
  const world = { now: () => 0, randomBytes: (count: number) => new Uint8Array(count) };
  const parsed = parseMutation(
    'upload_recording',
    { ...args, steps: [{ stage_name: 'A', order: 1, duration_secs: 1 }] },
    world,
  );
  expect(parsed.ok ? [] : parsed.error.errors).toEqual([
    { path: '/stage_ids', message: 'must NOT have duplicate items (items ## 3 and 1 are identical)' },
  ]);
});
