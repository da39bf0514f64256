import { expect, test } from 'vitest';
import { judgeSingleMutationFailure, type Suspicion } from './suspicion.ts';

const noSuspicion: Suspicion = { singleFailures: 0, unsendable: 0 };

test('[SYNC-25] [SYNC-71] a mutation is withdrawn at its third failure alone, and at most three of them in a row', () => {
  let current = noSuspicion;
  const withdrawn = Array.from({ length: 15 }, () => {
    const { suspicion, isUnsendable } = judgeSingleMutationFailure(current);
    current = suspicion;
    return isUnsendable;
  });
  expect(withdrawn.flatMap((is, index) => (is ? [index + 1] : []))).toEqual([3, 6, 9]);
  expect(judgeSingleMutationFailure({ ...noSuspicion, singleFailures: 2 }).isUnsendable).toBe(true);
});
