import { expect, test } from 'vitest';
import type { Stage } from '../../schema/stage.ts';
import { insertStage, newStage, removeStage, reorderStages, updateStage, withPositions } from './stages.ts';

const stage = (id: number, name: string, more: Partial<Stage> = {}): Stage => ({
  ...newStage({ id, mapId: 'map' }, { stage: name, cycle_time_hrs: 1, wait_time_hrs: 2, work_type: 'waste' }),
  ...more,
});
const stages = withPositions([stage(1, 'Load'), stage(2, 'Press', { aliases: ['Form'] }), stage(3, 'Pack')]);
const idsOf = (list: Stage[] | undefined) => list?.map(({ id }) => id);

test('[STAGE-10] a new stage has the fields that were given, without white space around its name', () => {
  expect(newStage({ id: 1, mapId: 'map' }, { stage: ' Load ' })).toStrictEqual({
    id: 1,
    map_id: 'map',
    stage: 'Load',
    order: 1,
    cycle_time_hrs: 0,
    wait_time_hrs: 0,
    work_type: 'incidental',
    value_add: false,
  });
  const given = { stage: 'Load', order: 2, cycle_time_hrs: 3, wait_time_hrs: 4, work_type: 'valuable' } as const;
  expect(newStage({ id: 1, mapId: 'map' }, given)).toStrictEqual({ id: 1, map_id: 'map', ...given, value_add: true });
});

test('[STAGE-2] an order with a stage too few, too many, twice or unknown is refused', () => {
  expect(idsOf(reorderStages(stages, [3, 1, 2]))).toEqual([3, 1, 2]);
  for (const wrong of [[], [1, 2], [1, 2, 3, 4], [1, 2, 3, 3], [1, 2, 2], [1, 2, 4]]) {
    expect(reorderStages(stages, wrong), wrong.join()).toBeUndefined();
  }
});

test('[STAGE-3] a stage that moves keeps all its fields, and a stage that stays is the same object', () => {
  const inserted = insertStage(stages, stage(4, 'Check'), 2);
  expect(inserted[0]).toBe(stages[0]);
  expect(inserted.slice(1)).toStrictEqual([
    stage(4, 'Check', { order: 2 }),
    stage(2, 'Press', { aliases: ['Form'], order: 3 }),
    stage(3, 'Pack', { order: 4 }),
  ]);
  expect(removeStage(inserted, 4)).toStrictEqual(stages);
});

test('[STAGE-4] [STAGE-11] a change gives a stage the aliases that it names, and none to a stage that the map lacks', () => {
  const aliasesAfter = (id: number, patch: Parameters<typeof updateStage>[2]) =>
    updateStage(stages, id, patch).find((one) => one.id === id)?.aliases;
  expect(aliasesAfter(2, { cycle_time_hrs: 5 })).toEqual(['Form']);
  expect(aliasesAfter(2, { stage: 'Stamp' })).toEqual(['Press', 'Form']);
  expect(aliasesAfter(2, { aliases: ['Hit'] })).toEqual(['Hit']);
  expect(aliasesAfter(2, { stage: 'Stamp', aliases: ['Hit'] })).toEqual(['Press', 'Hit']);
  expect(updateStage(stages, 2, { aliases: [] })[1]).not.toHaveProperty('aliases');
  expect(updateStage(stages, 1, { cycle_time_hrs: 5 })[0]).not.toHaveProperty('aliases');
  expect(updateStage(stages, 9, { stage: 'Stamp' })).toBe(stages);
});
