import { expect, test } from 'vitest';
import { stageTimeOf } from './recorded-map.ts';

const stages = [
  { stage: 'Stamp', aliases: ['Press'], work_type: 'valuable' as const, cycle_time_hrs: 0.5 },
  { stage: 'Pack', work_type: 'waste' as const, cycle_time_hrs: 0 },
];

test('[APP-503] [APP-504] a step has the median of its stage, or else the time of the last run, or what was typed', () => {
  const recorded = { stages, run_count: 3 };
  expect(stageTimeOf('press', recorded, new Map([['stamp', 40]]))).toEqual({ secs: 40, kind: 'usual' });
  expect(stageTimeOf('press', recorded, new Map([['pack', 40]]))).toEqual({ secs: 1_800, kind: 'last' });
  expect(stageTimeOf('Stamp', { stages, run_count: 0 })).toEqual({ secs: 1_800, kind: 'usual' });
  expect([stageTimeOf('Pack', recorded), stageTimeOf('Oil', recorded)]).toEqual([undefined, undefined]);
});
