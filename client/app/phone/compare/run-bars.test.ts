import type { RunDoc, Stage } from '../../../client.ts';
import { expect, test } from 'vitest';
import { compareRuns } from '../../../../shared/domain/study/compare.ts';
import { balanceTimesOf, barOfRun, joinThinSegments } from './run-bars.ts';

const run: RunDoc = {
  id: 7,
  map_id: 'map',
  number: 1,
  recording_session_id: 'session',
  device_id: null,
  started_at: null,
  created_at: '2026-11-20T06:00:00.000Z',
  version: 1,
  total_time_secs: 30,
  value_add_time_secs: 30,
  pce: 1,
  step_count: 1,
  steps: [
    {
      stage_name: 'Press',
      order: 1,
      duration_secs: 30,
      duration_estimated: false,
      work_type: 'valuable',
      value_add: true,
      notes: '',
      photos: [],
    },
  ],
};
const renamed: Stage = {
  id: 1,
  map_id: 'map',
  stage: 'Deep-draw',
  order: 1,
  cycle_time_hrs: 0,
  wait_time_hrs: 0,
  work_type: 'valuable',
  value_add: true,
  aliases: ['Press'],
};

test('[APP-167] a step counts for the renamed stage in its bar, and a run that is left out has no segments', () => {
  const mapStages = [renamed];
  const comparison = compareRuns([run], { stagesOf: () => mapStages });
  expect(barOfRun(run, { comparison, mapStages }).segments).toEqual([{ stageIndex: 0, type: 'valuable', secs: 30 }]);
  expect(barOfRun(run, { comparison, mapStages: [] }).segments).toEqual([]);
  expect(barOfRun({ ...run, id: 8 }, { comparison, mapStages })).toMatchObject({ isLeftOut: true, segments: [] });
});

test('[APP-371] thin neighbours of a bar are joined by work type, and each total stays', () => {
  const thin = Array.from({ length: 1_000 }, (_, stageIndex) => ({
    stageIndex,
    type: stageIndex % 2 === 0 ? ('valuable' as const) : ('waste' as const),
    secs: stageIndex === 500 ? 100 : 1,
  }));
  const joined = joinThinSegments(thin, { thinSecs: 5, joinedSecs: 40 });
  expect(joined.length).toBeLessThan(60);
  expect(joined).toContainEqual({ stageIndex: 500, lastStageIndex: 500, type: 'valuable', secs: 100 });
  const total = (type: string) => joined.filter((one) => one.type === type).reduce((sum, { secs }) => sum + secs, 0);
  expect([total('valuable'), total('waste')]).toEqual([599, 500]);
  expect(joined.at(-1)?.lastStageIndex).toBe(999);
  const two = [
    { stageIndex: 0, type: 'valuable' as const, secs: 1 },
    { stageIndex: 1, type: 'valuable' as const, secs: 1 },
    { stageIndex: 1, type: 'waste' as const, secs: 1 },
  ];
  expect(joinThinSegments(two, { thinSecs: 5, joinedSecs: 40 })).toEqual([
    { stageIndex: 0, lastStageIndex: 1, type: 'valuable', secs: 2 },
    { stageIndex: 1, lastStageIndex: 1, type: 'waste', secs: 1 },
  ]);
  const few = thin.slice(0, 3).map((segment) => ({ ...segment, secs: 30 }));
  expect(joinThinSegments(few, { thinSecs: 5, joinedSecs: 40 })).toEqual(
    few.map((segment) => ({ ...segment, lastStageIndex: segment.stageIndex })),
  );
});

test('[APP-512] the balance of bars is that of their mean against the longest', () => {
  const bars = (...secs: number[]) => secs.map((each) => ({ secs: each }));
  expect(balanceTimesOf(bars(60, 90, 120))).toEqual({ meanSecs: 90, longestSecs: 120 });
  expect(balanceTimesOf(bars(60))).toBeUndefined();
  expect(balanceTimesOf([])).toBeUndefined();
  expect(balanceTimesOf(bars(0, 0))).toBeUndefined();
});
