import { expect, test } from 'vitest';
import type { Stage, StageReplacement } from '../../schema/stage.ts';
import { repeatedIdIndex, replaceStages } from './replaced-stages.ts';
import { newStage, withPositions } from './stages.ts';

const mapId = 'map';
const stage = (id: number, name: string, more: Partial<Stage> = {}): Stage => ({
  ...newStage({ id, mapId }, { stage: name, cycle_time_hrs: 1, wait_time_hrs: 2, work_type: 'waste' }),
  ...more,
});
const stages = withPositions([stage(1, 'Load'), stage(2, 'Press', { aliases: ['Form'] }), stage(3, 'Inspect')]);
const replace = (replacements: StageReplacement[], before = stages) =>
  replaceStages({ mapId, stages: before, replacements, stageIdAt: (index) => 100 + index });

test('[STAGE-13] listed ids keep their stages and the fields left out, other entries are new, the rest is gone', () => {
  const replaced = replace([
    { stage: ' New ' },
    { id: 3, stage: 'Inspect', cycle_time_hrs: 5 },
    { id: 77, stage: 'Odd' },
  ]);
  expect(replaced).toEqual([
    newStage({ id: 100, mapId }, { stage: 'New', order: 1 }),
    { ...stages[2], order: 2, cycle_time_hrs: 5 },
    newStage({ id: 102, mapId }, { stage: 'Odd', order: 3 }),
  ]);
  expect(replace([])).toEqual([]);
});

test('[STAGE-14] earlier names go on to the stage that is kept or matches by name, unless it names its own', () => {
  const aliasesOf = (replacement: StageReplacement) => replace([replacement])[0]?.aliases;
  expect(aliasesOf({ stage: 'press' })).toEqual(['Form']);
  expect(aliasesOf({ stage: 'form' })).toEqual(['Press']);
  expect(aliasesOf({ id: 2, stage: 'Stamp' })).toEqual(['Press', 'Form']);
  expect(aliasesOf({ id: 2, stage: 'Stamp', aliases: ['STAMP', 'Hit', 'hit'] })).toEqual(['Hit']);
  expect(aliasesOf({ id: 2, stage: 'Press', aliases: [] })).toBeUndefined();
  const twins = withPositions([stage(1, 'Walk', { aliases: ['Go'] }), stage(2, 'Walk', { aliases: ['Run'] })]);
  expect(replace([{ stage: 'walk' }], twins)[0]?.aliases).toEqual(['Go']);
});

test('[STAGE-16] the stages before, sent back, undo a replacement', () => {
  const asReplacement = ({ id, stage: name, cycle_time_hrs, wait_time_hrs, work_type, aliases = [] }: Stage) => {
    return { id, stage: name, cycle_time_hrs, wait_time_hrs, work_type, aliases };
  };
  const before = stages.map(asReplacement);
  const renamed = replace([
    { id: 2, stage: 'Stamp' },
    { id: 1, stage: 'Load', wait_time_hrs: 0 },
    { id: 3, stage: 'Look' },
  ]);
  expect(replace(before, renamed)).toEqual(stages);
  const without = replace([{ id: 1, stage: 'Load' }]);
  expect(replace(before, without)).toEqual([stages[0], { ...stages[1], id: 101 }, { ...stages[2], id: 102 }]);
});

test('[STAGE-15] an id that is listed twice is found', () => {
  expect(repeatedIdIndex([{ id: 1, stage: 'A' }, { stage: 'B' }, { stage: 'C' }, { id: 1, stage: 'D' }])).toBe(3);
  expect(repeatedIdIndex([{ id: 1, stage: 'A' }, { stage: 'B' }, { stage: 'C' }])).toBe(-1);
});
