import { expect, test } from 'vitest';
import type { Stage } from '../schema/stage.ts';
import { analyticsOf } from './analytics.ts';
import { insertStage, newStage } from './stages/stages.ts';

test('[ANALYTICS-3] the analytics of three stages, as reckoned by hand', () => {
  const stages = [
    newStage({ id: 1, mapId: 'map' }, { stage: 'Weld', cycle_time_hrs: 2, wait_time_hrs: 1, work_type: 'valuable' }),
    newStage({ id: 2, mapId: 'map' }, { stage: 'Check', cycle_time_hrs: 0.5 }),
    newStage({ id: 3, mapId: 'map' }, { stage: 'Rework', cycle_time_hrs: 1.5, wait_time_hrs: 3, value_add: false }),
  ].reduce<Stage[]>((list, stage) => insertStage(list, stage), []);
  expect(analyticsOf({ stages, run_count: 4, last_run_at: '2026-04-01T09:30:00.000Z' })).toStrictEqual({
    stage_count: 3,
    total_cycle_time_hrs: 4,
    total_wait_time_hrs: 4,
    lead_time_hrs: 8,
    value_add_time_hrs: 2,
    pce: 0.25,
    by_work_type: {
      valuable: { stages: 1, cycle_time_hrs: 2, wait_time_hrs: 1 },
      incidental: { stages: 1, cycle_time_hrs: 0.5, wait_time_hrs: 0 },
      waste: { stages: 1, cycle_time_hrs: 1.5, wait_time_hrs: 3 },
    },
    run_count: 4,
    last_run_at: '2026-04-01T09:30:00.000Z',
  });
});

test('[ANALYTICS-4] a map without stages, or whose stages take no time, has no PCE', () => {
  const stage = newStage({ id: 1, mapId: 'map' }, { stage: 'Weld', work_type: 'valuable' });
  expect(analyticsOf({ stages: [], run_count: 0, last_run_at: null }).pce).toBeNull();
  expect(analyticsOf({ stages: [stage], run_count: 0, last_run_at: null }).pce).toBeNull();
});
