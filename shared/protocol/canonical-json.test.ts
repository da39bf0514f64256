import canonicalize from 'canonicalize';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { canonicalJson } from './canonical-json.ts';

/** The package's export is the function itself, unlike its types say. */
const reference = canonicalize as unknown as (value: unknown) => string;

test('[PUSH-48] the canonical text of any JSON value is that of a second implementation of RFC 8785', () => {
  const key = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('10', '9', '__proto__', 'toString', 'a"b', 'é'));
  const { value } = fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 3 },
      fc.constant(null),
      fc.boolean(),
      fc.string({ unit: 'binary' }),
      fc.integer(),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.array(tie('value'), { maxLength: 5 }),
      fc.array(fc.tuple(key, tie('value')), { maxLength: 5 }).map((entries) => Object.fromEntries(entries) as object),
    ),
  }));
  const seed = process.env['GEMBA_SEED'];
  fc.assert(
    fc.property(value, (one) => {
      // Each record twice, since the second takes its keys from the first.
      expect(canonicalJson([one, one])).toBe(reference([one, one]));
    }),
    { numRuns: 1_000, ...(seed === undefined ? {} : { seed: Number(seed) }) },
  );
});

test('[PUSH-48] a record has its own keys in order, whatever the record before it has', () => {
  const records = [{ b: 1, a: 2 }, { b: 1, a: { c: 3, b: 4 } }, { a: 5, b: 6 }, { b: 7 }, { b: undefined, a: 8 }];
  expect(canonicalJson(records)).toBe('[{"a":2,"b":1},{"a":{"b":4,"c":3},"b":1},{"a":5,"b":6},{"b":7},{"a":8}]');
});

test('[PUSH-48] a number that JSON has no text for is refused', () => {
  expect(() => canonicalJson([JSON.parse('1e400')])).toThrow(RangeError);
});
