import { expect, test } from 'vitest';
import { computeStagesByMode } from './stages-after-recording.ts';
import { toRunSteps } from '../run.ts';
import { insertStage, newStage } from './stages.ts';

const mapId = '00000000-0000-7000-8000-000000000001';

test('[RECORDING-12] a replacement makes all stages of the steps', () => {
  expect(shown('replace', ['Load', 'Wait'], [['Weld', 36]])).toEqual(['101 Weld 0.01 0 incidental']);
});

test('[RECORDING-14] a merged stage takes the time, and keeps its id, its name, its work type and its wait', () => {
  expect(shown('merge', ['Load', 'Press'], [[' PRESS', 36]])).toEqual([
    '1 Load 1 0.5 valuable',
    '2 Press 0.01 0.5 valuable',
  ]);
});

test('[RECORDING-15] stages of one name take the steps in turn, and the last of them the rest', () => {
  const steps: Step[] = [
    ['Walk', 36],
    ['Load', 72],
    ['walk', 108],
    ['Walk', 36],
  ];
  expect(shown('merge', ['Walk', 'Load', 'Walk'], steps)).toEqual([
    '1 Walk 0.01 0.5 valuable',
    '2 Load 0.02 0.5 valuable',
    '3 Walk 0.04 0.5 valuable',
  ]);
  expect(shown('merge', ['Walk'], steps.slice(0, 1).concat(steps.slice(2)))).toEqual(['1 Walk 0.05 0.5 valuable']);
});

test('[RECORDING-23] the time of a merged or new stage stays within what a stage can have', () => {
  const steps = Array.from({ length: 1_000 }, () => ['Load', 31_536_000] as Step);
  expect(shown('merge', ['Load'], steps)).toEqual(['1 Load 1000000 0.5 valuable']);
  expect(shown('replace', [], [['Load', 31_536_000_000]])).toEqual(['101 Load 1000000 0 incidental']);
});

test('[RECORDING-22] a step recorded under an earlier name of a stage gives it its time', () => {
  const renamed = { ...newStage({ id: 7, mapId }, { stage: 'Load' }), aliases: ['Step 1'] };
  const steps = toRunSteps([{ stage_name: 'step 1', order: 1, duration_secs: 36 }]);
  const merged = computeStagesByMode.merge({ mapId, stages: [renamed], steps, stageIdAt: () => 101 });
  expect(merged).toEqual([{ ...renamed, cycle_time_hrs: 0.01 }]);
});

test('[RECORDING-17] new stages go in where they were met', () => {
  const names = (stages: string[], steps: string[]) =>
    shown(
      'merge',
      stages,
      steps.map((name) => [name, 36]),
    ).map((text) => text.split(' ')[1]);
  expect(names(['A', 'B', 'C'], ['A', 'X', 'Y', 'B', 'C'])).toEqual(['A', 'X', 'Y', 'B', 'C']);
  expect(names(['A', 'B', 'C'], ['X', 'B'])).toEqual(['A', 'X', 'B', 'C']);
  expect(names(['A', 'B', 'C'], ['C', 'X', 'A', 'Y'])).toEqual(['A', 'Y', 'B', 'C', 'X']);
  expect(names(['A', 'B'], ['X', 'Y'])).toEqual(['A', 'B', 'X', 'Y']);
  expect(names(['A', 'B'], ['A', 'X', 'B', 'A', 'Z', 'B'])).toEqual(['A', 'X', 'Z', 'B']);
});

test('[RECORDING-18] merging into a map without stages is replacing', () => {
  const steps: Step[] = [
    ['Walk', 36],
    ['Load', 72],
    ['Walk', 108],
  ];
  expect(shown('merge', [], steps)).toEqual(shown('replace', [], steps));
});

type Step = [name: string, secs: number];

/** Records the steps over a map whose stages have a cycle time of 1 h and a wait of 0.5 h. */
function shown(mode: keyof typeof computeStagesByMode, names: string[], steps: Step[]): string[] {
  const stages = names.reduce(
    (list, name, index) =>
      insertStage(
        list,
        newStage(
          { id: index + 1, mapId },
          { stage: name, cycle_time_hrs: 1, wait_time_hrs: 0.5, work_type: 'valuable' },
        ),
      ),
    [] as ReturnType<typeof insertStage>,
  );
  const recorded = computeStagesByMode[mode]({
    mapId,
    stages,
    steps: toRunSteps(steps.map(([stage_name, duration_secs], order) => ({ stage_name, duration_secs, order }))),
    stageIdAt: (index) => 101 + index,
  });
  expect(recorded.map(({ order }) => order)).toEqual(recorded.map((_, index) => index + 1));
  return recorded.map(({ id, stage, cycle_time_hrs, wait_time_hrs, work_type }) =>
    [id, stage, cycle_time_hrs, wait_time_hrs, work_type].join(' '),
  );
}
