import { expect, test } from 'vitest';
import { requestedWorkType, workTypeOf, workTypes } from './work-type.ts';

test('[STAGE-6] [STAGE-9] [STAGE-10] work_type wins over value_add, value_add alone means valuable or waste, neither means incidental', () => {
  for (const work_type of workTypes) {
    expect(workTypeOf({ work_type })).toBe(work_type);
    expect(workTypeOf({ work_type, value_add: true })).toBe(work_type);
    expect(workTypeOf({ work_type, value_add: false })).toBe(work_type);
  }
  expect(workTypeOf({ value_add: true })).toBe('valuable');
  expect(workTypeOf({ value_add: false })).toBe('waste');
  expect(workTypeOf({})).toBe('incidental');
  expect(requestedWorkType({})).toBeUndefined();
});
