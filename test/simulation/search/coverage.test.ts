import { expect, test } from 'vitest';
import { coverageCounts, coverageOf } from './coverage.ts';

test('[SIM-20] two faults have met if at most 6 acts lie between them, in either order', () => {
  const faultsMet = [
    { act: 1, fault: 'lost' },
    { act: 7, fault: 'cut' },
    { act: 14, fault: 'lost' },
  ];
  const seen = coverageOf({ faultsMet, states: ['idle', 'idle', 'waiting'] });
  expect(seen.toSorted()).toEqual(['fault cut', 'fault lost', 'pair cut + lost', 'state idle', 'state waiting']);
  expect(coverageCounts(new Set(seen))).toEqual({ fault: 2, pair: 1, state: 2 });
  expect(coverageOf({ faultsMet: faultsMet.slice(1), states: [] })).not.toContain('pair cut + lost');
});
