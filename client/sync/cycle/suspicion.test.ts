import { expect, test } from 'vitest';
import { afterFailingAlone, noSuspicion } from './suspicion.ts';

test('[SYNC-25] [SYNC-71] a mutation is withdrawn at its third failure alone, and at most three of them in a row', () => {
  let current = noSuspicion;
  const withdrawn = Array.from({ length: 15 }, () => {
    const { suspicion, isWithdrawn } = afterFailingAlone(current);
    current = suspicion;
    return isWithdrawn;
  });
  expect(withdrawn.flatMap((is, index) => (is ? [index + 1] : []))).toEqual([3, 6, 9]);
  expect(afterFailingAlone({ ...noSuspicion, triesAlone: 2 }).isWithdrawn).toBe(true);
});
