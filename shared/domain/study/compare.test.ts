import { expect, test } from 'vitest';
import { compareRuns, compareInPortions, median, ratingErrors } from './compare.ts';
import { runOf, toRunSteps } from '../run.ts';
import { newStage } from '../stages/stages.ts';

test('[COMPARE-2] both forms in which Unicode composes a name are one stage', () => {
  const first = run({ id: 10, version: 5 }, ['Caf\u00e9', 10], ['A\u030angstr\u00f6m', 1]);
  const second = run({ id: 11, version: 6 }, ['CAFE\u0301', 20], ['\u00c5NGSTRO\u0308M', 2]);
  const { stages } = compareRuns([first, second]);
  expect(stages.map(({ stage_name, runs }) => [stage_name, runs])).toEqual([
    ['Caf\u00e9', 2],
    ['A\u030angstr\u00f6m', 2],
  ]);
});

test('[REST-74] a comparison is made in pieces, a run or some hundred stages at a time', () => {
  const runs = [1, 2, 3].map((id) =>
    run({ id, version: id }, ...Array.from({ length: 900 }, (_, index) => [`${id} ${index}`, 1] as [string, number])),
  );
  const work = compareInPortions(runs);
  let pieces = 0;
  let step = work.next();
  for (; !step.done; step = work.next()) pieces += 1;
  // The generator yields twice for each run (once for its names, once for its times), and after each 500 stages.
  expect(pieces).toBe(2 * runs.length + Math.floor(2_700 / 500));
  expect(step.value).toStrictEqual(compareRuns(runs));
});

test('[COMPARE-2] [COMPARE-6] [STAT-16] min, max, average and median of two runs and their totals, as reckoned by hand', () => {
  const first = run({ id: 10, version: 5 }, ['Setup', 10], ['Drill ', 30], ['drill', 6]);
  const second = run({ id: 11, version: 3 }, ['Weld', 4], ['SETUP', 20]);
  expect(compareRuns([first, second])).toMatchObject({
    runs: [
      { id: 10, map_id: first.map_id, number: 10, total_time_secs: 46, pce: 0 },
      { id: 11, map_id: first.map_id, number: 11, total_time_secs: 24, pce: 0 },
    ],
    stages: [
      {
        stage_name: 'Weld',
        runs: 1,
        min_secs: 4,
        max_secs: 4,
        avg_secs: 4,
        median_secs: 4,
        per_run: [{ run_id: 11, secs: 4 }],
      },
      {
        stage_name: 'SETUP',
        runs: 2,
        min_secs: 10,
        max_secs: 20,
        avg_secs: 15,
        median_secs: 15,
        per_run: [
          { run_id: 10, secs: 10 },
          { run_id: 11, secs: 20 },
        ],
      },
      {
        stage_name: 'Drill',
        runs: 1,
        min_secs: 36,
        max_secs: 36,
        avg_secs: 36,
        median_secs: 36,
        per_run: [{ run_id: 10, secs: 36 }],
      },
    ],
    totals: { runs: 2, min_secs: 24, max_secs: 46, avg_secs: 35, median_secs: 35, p25_secs: 29.5 },
  });
});

test('[COMPARE-3] a run that is still pending is newer than every other', () => {
  const pending = run({ id: 1, version: 0 }, ['New', 1], ['Old', 1]);
  const stored = run({ id: 2, version: 900 }, ['Old', 1]);
  expect(compareRuns([pending, stored]).stages.map(({ stage_name }) => stage_name)).toStrictEqual(['Old', 'New']);
});

test('[COMPARE-8] a run that was corrected since keeps its place among the others', () => {
  const first = run({ id: 1, version: 3 }, ['Load', 1], ['Cut', 1]);
  const second = run({ id: 2, version: 4 }, ['Cut', 1], ['Load', 1]);
  const corrected = { ...first, version: 900 };
  const order = (runs: ReturnType<typeof run>[]) => compareRuns(runs).stages.map(({ stage_name }) => stage_name);
  expect(order([second, corrected])).toEqual(['Load', 'Cut']);
  expect(order([second, corrected])).toEqual(order([second, first]));
  const twin = run({ id: 9, version: 5, arrivedSec: 3 }, ['Cut', 1]);
  expect(order([twin, corrected])).toEqual(['Load', 'Cut']);
});

test('[COMPARE-6] runs that arrived at one moment stand in the order of their numbers, and then of their ids', () => {
  const arrived = { version: 1, arrivedSec: 3 };
  const first = { ...run({ id: 9, ...arrived }, ['Load', 1], ['Cut', 1]), number: 1 };
  const second = { ...run({ id: 2, ...arrived }, ['Cut', 1], ['Load', 1]), number: 5 };
  const third = { ...second, id: 4, steps: second.steps.toReversed() };
  const firstStageOf = (runs: ReturnType<typeof run>[]) => compareRuns(runs).stages[0]?.stage_name;
  for (const runs of [
    [first, second],
    [second, first],
  ]) {
    expect(firstStageOf(runs)).toBe('Load');
  }
  for (const runs of [
    [second, third],
    [third, second],
  ]) {
    expect(firstStageOf(runs)).toBe('Cut');
  }
});

test('figures of no runs are a bug', () => {
  expect(() => compareRuns([])).toThrow('figures need observations');
});

test('[COMPARE-7] steps that were recorded under an earlier name count for the stage', () => {
  const runs = [
    run({ id: 1, version: 1 }, ['Step 1', 10], ['Step 2', 5]),
    run({ id: 2, version: 2 }, ['load', 20], ['Step 1', 1]),
  ];
  const load = { ...newStage({ id: 1, mapId: runs[0]?.map_id ?? '' }, { stage: 'Load' }), aliases: ['Step 1'] };
  const { stages } = compareRuns(runs, { stagesOf: () => [load] });
  expect(stages.map(({ stage_name, per_run }) => [stage_name, per_run.map(({ secs }) => secs)])).toEqual([
    ['Load', [10, 21]],
    ['Step 2', [5]],
  ]);
});

test('[COMPARE-4] the median of an even count is the mean of the middle two', () => {
  expect(median([7])).toBe(7);
  expect(median([1, 2])).toBe(1.5);
  expect(median([1, 2, 90])).toBe(2);
  expect(median([1, 2, 4, 90])).toBe(3);
  expect(() => median([])).toThrow('a median needs numbers');
});

test('[COMPARE-5] an average lies between the minimum and the maximum, however the sum is rounded', () => {
  const runs = [1, 2, 3].map((id) => run({ id, version: id }, ['Cut', 0.1]));
  expect(compareRuns(runs).stages).toMatchObject([{ min_secs: 0.1, max_secs: 0.1, avg_secs: 0.1 }]);
});

test('[STAT-8] a chart takes the runs in the order in which they began, not in that of the request', () => {
  // The runs of 10 s arrived before those of 11 s.
  const begun = [10, 11, 10, 11, 10, 11, 10, 11].map((secs, index) => ({
    ...run({ id: index + 1, version: secs * 10 + index }, ['Cut', secs]),
    started_at: `2026-04-01T09:3${index}:00.000Z`,
  }));
  const { chart } = compareRuns(begun).totals;
  expect(chart).toMatchObject({ upper_secs: 10.5 + 2.66 });
  const shuffled = [3, 0, 6, 1, 7, 4, 2, 5].flatMap((index) => begun[index] ?? []);
  expect(compareRuns(shuffled).totals.chart).toEqual(chart);
  const [first] = begun;
  const unsaid = begun.map((one) =>
    one === first ? { ...one, started_at: null, created_at: '2026-04-01T09:29:00.000Z' } : one,
  );
  expect(compareRuns(unsaid).totals.chart).toEqual(chart);
});

test('[STAT-10] a stage counts the runs in which one of its steps is estimated', () => {
  const measured = run({ id: 1, version: 1 }, ['Cut', 1], ['cut', 2], ['Weld', 1]);
  const estimated = {
    ...measured,
    id: 2,
    steps: measured.steps.map((step, index) => ({ ...step, duration_estimated: index === 1 })),
  };
  const { stages, totals } = compareRuns([measured, estimated]);
  expect(stages.map(({ stage_name, estimated_runs }) => [stage_name, estimated_runs])).toEqual([
    ['Cut', 1],
    ['Weld', 0],
  ]);
  expect(totals.estimated_runs).toBe(1);
});

test('[STAT-15] ratings of runs that are not compared, and second ratings of a run, are wrong fields', () => {
  const ratings = [1, 3, 1].map((run_id) => ({ run_id, rating: 1 }));
  expect(ratingErrors({ run_ids: [1, 2], ratings })).toEqual([
    { path: '/ratings/1/run_id', message: 'must be one of run_ids' },
    { path: '/ratings/2/run_id', message: 'must have one rating' },
  ]);
  expect(ratingErrors({ run_ids: [1, 2] })).toEqual([]);
});

/** Builds a run that arrived at the second `arrivedSec`, by default the number of its version. */
function run(
  head: { id: number; version: number; arrivedSec?: number },
  ...steps: [stageName: string, secs: number][]
) {
  const recorded = steps.map(([stage_name, duration_secs], index) => ({ stage_name, duration_secs, order: index + 1 }));
  const runHead = {
    id: head.id,
    mapId: '00000000-0000-7000-8000-000000000001',
    number: head.id,
    recordingSessionId: `session-${head.id}`,
    deviceId: null,
    start: { started_at: null },
    createdAt: new Date(Date.UTC(2026, 3, 1) + (head.arrivedSec ?? head.version) * 1000).toISOString(),
  };
  return { ...runOf(runHead, toRunSteps(recorded)), version: head.version };
}
