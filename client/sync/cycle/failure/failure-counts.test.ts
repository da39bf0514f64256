import { expect, test } from 'vitest';
import { judgeSingleMutationFailure, type FailureCounts } from './failure-counts.ts';

const noFailures: FailureCounts = { singleFailures: 0, unsendable: 0 };

test('[SYNC-25] [SYNC-71] a mutation is withdrawn at its third failure alone, and at most three of them in a row', () => {
  let current = noFailures;
  const withdrawn = Array.from({ length: 15 }, () => {
    const { counts, isUnsendable } = judgeSingleMutationFailure(current);
    current = counts;
    return isUnsendable;
  });
  expect(withdrawn.flatMap((is, index) => (is ? [index + 1] : []))).toEqual([3, 6, 9]);
  expect(judgeSingleMutationFailure({ ...noFailures, singleFailures: 2 }).isUnsendable).toBe(true);
});
