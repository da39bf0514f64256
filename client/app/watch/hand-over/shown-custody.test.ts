import { expect, test } from 'vitest';
import { placeOf } from './shown-custody.ts';

test('[CODES-12] a recording whose receipt tells of a refusal needs attention, and is not safe on the server', () => {
  expect(placeOf('device', 'attention', 0)).toBe('attention');
  expect(placeOf('device', 'attention', 2)).toBe('attention');
  expect(placeOf('device', 'arrived', 1)).toBe('server');
  expect(placeOf('server', 'attention', 1)).toBe('server');
  expect(placeOf('device', null, 1)).toBe('phone');
  expect(placeOf('device', null, 0)).toBe('device');
});
