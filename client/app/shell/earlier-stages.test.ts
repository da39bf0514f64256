import type { Stage } from '../../client.ts';
import { expect, test } from 'vitest';
import { hasReplacedStages, listsPerMapMax, withEarlierStages, type EarlierStages } from './earlier-stages.ts';

const stage = (id: number, fields: Partial<Stage> = {}): Stage => ({
  id,
  map_id: 'map',
  stage: `Stage ${id}`,
  order: id,
  cycle_time_hrs: 1,
  wait_time_hrs: 2,
  work_type: 'waste',
  value_add: false,
  ...fields,
});
const three = [stage(1), stage(2), stage(3)];

test.each([
  ['a recording that replaces', [stage(7)], 1, true],
  ['a recording that removes one stage', three.slice(1), 1, true],
  ['a recording that removes a wait', [stage(1, { wait_time_hrs: 0 }), stage(2), stage(3)], 1, true],
  [
    'a recording that changes times and adds a stage',
    [...three.map(({ id }) => stage(id, { cycle_time_hrs: 3 })), stage(4)],
    1,
    false,
  ],
  ['a replacement of a stage by another', [stage(1), stage(2), stage(9)], 0, true],
  ['times of several stages', [stage(1, { cycle_time_hrs: 3 }), stage(2, { cycle_time_hrs: 4 }), stage(3)], 0, true],
  ['a deletion of one stage', three.slice(1), 0, false],
  ['an edit of one stage', [stage(1, { wait_time_hrs: 0, cycle_time_hrs: 5 }), stage(2), stage(3)], 0, false],
  ['new stages', [...three, stage(4), stage(5)], 0, false],
  ['another order', [stage(3), stage(1), stage(2)], 0, false],
] as const)('[APP-502] %s', (_of, stages, runs, isReplaced) => {
  const after = { last_run_number: 4 + runs, stages: [...stages] };
  expect(hasReplacedStages({ last_run_number: 4, stages: three }, after)).toBe(isReplaced);
});

test('[APP-502] each map keeps its last lists, each once, the latest first, within one length for all maps', () => {
  const list = (map_id: string, names: string[]): EarlierStages => ({
    map_id,
    replaced_at: '2026-11-01T08:00:00.000Z',
    run_number: null,
    stages: names.map((name, index) => stage(index + 1, { stage: name })),
  });
  const namesOf = (lists: EarlierStages[]) => lists.map(({ stages }) => stages[0]?.stage);
  let lists = [list('other', ['Saw'])];
  for (let nth = 1; nth <= listsPerMapMax + 2; nth++) lists = withEarlierStages(lists, list('map', [`Load ${nth}`]));
  expect(namesOf(lists)).toEqual(['Load 7', 'Load 6', 'Load 5', 'Load 4', 'Load 3', 'Saw']);
  expect(namesOf(withEarlierStages(lists, list('map', ['Load 5'])))).toEqual([
    'Load 5',
    'Load 7',
    'Load 6',
    'Load 4',
    'Load 3',
    'Saw',
  ]);
  const long = list(
    'long',
    Array.from({ length: 5_000 }, () => 'x'.repeat(40)),
  );
  expect(namesOf(withEarlierStages(lists, long))).toHaveLength(lists.length + 1);
  expect(withEarlierStages([long], { ...long, map_id: 'second' })).toHaveLength(1);
});
