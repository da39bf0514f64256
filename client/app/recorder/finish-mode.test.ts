import { expect, test } from 'vitest';
import type { RecordedStep } from '../../client.ts';
import { recordedStageCount, stagesModeOf } from './finish-mode.ts';

const stepsOf = (names: string[]): RecordedStep[] =>
  names.map((stage_name) => ({
    stage_name,
    work_type: 'waste',
    notes: '',
    started_at: '2026-04-01T08:00:00.000Z',
    duration_secs: null,
    interruption: false,
  }));
const stagesOf = (names: string[]) => names.map((stage) => ({ stage }));
const map = { state: 'current' as const, stages: stagesOf(['Load', 'Press', 'Wait', 'Pack']) };

test.each([
  ['half of the stages', map, ['load ', 'Wait'], 'merge'],
  ['fewer than half', map, ['Load'], undefined],
  ['many steps, few stages', map, ['Load', 'Oil', 'Clean', 'Sweep'], undefined],
  ['all stages of a future map', { ...map, state: 'future' as const }, ['Load', 'Press', 'Wait', 'Pack'], undefined],
  ['a map without stages', { ...map, stages: [] }, ['Load'], 'merge'],
  ['a future map without stages', { state: 'future' as const, stages: [] }, ['Load'], 'merge'],
  ['a map that the device does not have', undefined, ['Load'], 'merge'],
])('[APP-169] a recording of %s', (_of, recorded, names, mode) => {
  expect(stagesModeOf({ new_map_name: null, steps: stepsOf(names) }, recorded)).toBe(mode);
});

test('[APP-169] a recording that makes its map asks nothing', () => {
  expect(stagesModeOf({ new_map_name: 'Saw', steps: stepsOf(['Load']) }, undefined)).toBe('replace');
});

test('[APP-503] a step recorded under an earlier name of a stage counts as that stage', () => {
  const renamed = { ...map, stages: [{ stage: 'Fetch', aliases: ['Load'] }, ...map.stages.slice(1)] };
  expect(recordedStageCount(renamed, stepsOf(['Load', 'Press']))).toBe(2);
  expect(stagesModeOf({ new_map_name: null, steps: stepsOf(['Load', 'Press']) }, renamed)).toBe('merge');
});
