import { expect, test } from 'vitest';
import { compareRuns, compareInPortions, median } from './compare.ts';
import { runOf, runSteps } from './recording.ts';

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

test('[COMPARE-2] [COMPARE-6] min, max, average and median of two runs, as reckoned by hand', () => {
  const first = run({ id: 10, version: 5 }, ['Setup', 10], ['Drill ', 30], ['drill', 6]);
  const second = run({ id: 11, version: 3 }, ['Weld', 4], ['SETUP', 20]);
  expect(compareRuns([first, second])).toStrictEqual({
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
  });
});

test('[COMPARE-3] a run that is still pending is newer than every other', () => {
  const pending = run({ id: 1, version: 0 }, ['New', 1], ['Old', 1]);
  const stored = run({ id: 2, version: 900 }, ['Old', 1]);
  expect(compareRuns([pending, stored]).stages.map(({ stage_name }) => stage_name)).toStrictEqual(['Old', 'New']);
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

function run(head: { id: number; version: number }, ...steps: [stageName: string, secs: number][]) {
  const recorded = steps.map(([stage_name, duration_secs], index) => ({ stage_name, duration_secs, order: index + 1 }));
  const runHead = {
    id: head.id,
    mapId: '00000000-0000-7000-8000-000000000001',
    number: head.id,
    recordingSessionId: `session-${head.id}`,
    deviceId: null,
    start: { started_at: null },
    createdAt: '2026-04-01T09:30:00.000Z',
  };
  return { ...runOf(runHead, runSteps(recorded)), version: head.version };
}
