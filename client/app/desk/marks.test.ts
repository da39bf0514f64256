import { expect, test } from 'vitest';
import { runsPerCompareMax } from '../../client.ts';
import { newestRunIdsOf } from './marks.ts';

test('[APP-311] the latest runs are marked, however the list is sorted', () => {
  const longestFirst = Array.from({ length: runsPerCompareMax + 2 }, (_, index) => ({
    id: 1000 + index,
    number: index + 1,
    excluded: index === 5 ? { reason: 'Die broke' } : null,
  }));
  const marked = newestRunIdsOf(longestFirst);
  expect(marked).toHaveLength(runsPerCompareMax);
  expect(marked).toContain(1000 + runsPerCompareMax + 1);
  expect(marked).not.toContain(1000);
  expect(marked).not.toContain(1005);
});
