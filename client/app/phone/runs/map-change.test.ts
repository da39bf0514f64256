import type { RunDoc, RunStep, Stage } from '../../../client.ts';
import { expect, test } from 'vitest';
import { compareRuns } from '../../../../shared/domain/study/compare.ts';
import { proposeMedianTimes, proposeRunStages } from './map-change.ts';

const stage = (id: number, name: string, secs: number, aliases?: string[]): Stage => ({
  id,
  map_id: 'map',
  stage: name,
  order: id,
  cycle_time_hrs: secs / 3_600,
  wait_time_hrs: 1,
  work_type: 'valuable',
  value_add: true,
  ...(aliases && { aliases }),
});
const run = (id: number, times: Record<string, number>): RunDoc => {
  const steps = Object.entries(times).map(([stage_name, duration_secs], index): RunStep => {
    const fields = { stage_name, duration_secs, order: index + 1, duration_estimated: false };
    return { ...fields, work_type: 'waste', value_add: false, notes: '', photos: [] };
  });
  return {
    id,
    map_id: 'map',
    number: id,
    recording_session_id: `session-${id}`,
    device_id: null,
    started_at: null,
    created_at: '2026-11-20T06:00:00.000Z',
    version: id,
    total_time_secs: steps.reduce((sum, { duration_secs }) => sum + duration_secs, 0),
    value_add_time_secs: 0,
    pce: 0,
    step_count: steps.length,
    steps,
  };
};

test('[APP-168] the medians of runs update the stages that they have, add those that the map lacks, and keep the others', () => {
  const stages = [stage(1, 'Load', 12), stage(2, 'Deep-draw', 30, ['Press']), stage(3, 'Pack', 60)];
  const runs = [
    run(1, { Load: 10, Press: 40 }),
    run(2, { Load: 12, Press: 44, Search: 9 }),
    run(3, { Load: 30, Press: 42 }),
  ];
  const comparison = compareRuns(runs, { stagesOf: () => stages });
  const { updates, additions, keptCount } = proposeMedianTimes(stages, { comparison, runs });
  expect(updates.map(({ stage: { id }, time }) => [id, time])).toEqual([[2, { secs: 42, runs: 3 }]]);
  expect(additions).toEqual([{ name: 'Search', time: { secs: 9, runs: 1 }, type: 'waste' }]);
  expect(keptCount).toBe(2);
});

test('[APP-266] the steps of a run become the stages, and those that match by name keep their ids, waits and names', () => {
  const stages = [stage(1, 'Load', 30), stage(2, 'Press', 60, ['Form']), stage(3, 'Inspect', 5)];
  const { stages: proposed, removed, addedCount } = proposeRunStages(stages, run(1, { form: 90, LOAD: 36, Pack: 18 }));
  expect(proposed).toEqual([
    { id: 2, stage: 'Press', cycle_time_hrs: 0.025, wait_time_hrs: 1, work_type: 'waste', aliases: ['Form'] },
    { id: 1, stage: 'Load', cycle_time_hrs: 0.01, wait_time_hrs: 1, work_type: 'waste', aliases: [] },
    { stage: 'Pack', cycle_time_hrs: 0.005, work_type: 'waste' },
  ]);
  expect(removed).toEqual([stages[2]]);
  expect(addedCount).toBe(1);
});
