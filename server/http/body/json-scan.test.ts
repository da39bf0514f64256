import { expect, test } from 'vitest';
import { jsonNamesMax } from '../../../shared/schema/limits.ts';
import { describeExceededLimit } from './json-scan.ts';

test('[REST-70] each body may have its own names, and one with too many is refused each time', () => {
  // Some of the names share a bucket, so twice as many as allowed are too many in any case.
  const tooMany = Buffer.from(JSON.stringify(objectWithNames('a', 2 * jsonNamesMax)));
  const allowed = ['b', 'c', 'd'].map((start) => Buffer.from(JSON.stringify(objectWithNames(start, jsonNamesMax))));
  const described = [tooMany, tooMany, ...allowed, tooMany].map(describeExceededLimit);
  const refusal = `more than ${jsonNamesMax} different names of fields`;
  expect(described).toEqual([refusal, refusal, undefined, undefined, undefined, refusal]);
});

const objectWithNames = (start: string, count: number): object =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`${start}${index}`, 1]));
