import type { EquivalentChanges } from './changes.ts';

export const equivalentInDomain: EquivalentChanges = {
  'shared/domain/apply-stage.ts': [
    ['repeated >= 0', 'repeated > 0', 'The first entry of a list repeats none before it.'],
    ['a === b', 'false', 'The comparison of the texts says the same of one object, only slower.'],
  ],
  'shared/domain/apply.ts': [
    [
      'idsTaken === 0',
      'false',
      'The first free id is at most 2^31, so that the other side holds where no id is taken.',
    ],
  ],
  'shared/domain/guards.ts': [
    ['[]', '["Stryker was here"]', 'A text is no id: none is taken, and none is lower than a number.'],
  ],
  'shared/domain/stages/replaced-stages.ts': [
    [
      'replacement.id === undefined',
      'false',
      'No stage has the id undefined, so that none is found. The types want the question.',
    ],
  ],
  'shared/domain/stages/stage-names.ts': [
    [
      '!stages.some(({ aliases }) => aliases !== undefined)',
      'false',
      'The early return saves time alone: stages without earlier names lead to none below either.',
    ],
    [
      'aliases !== undefined',
      'true',
      'The early return saves time alone: stages without earlier names lead to none below either.',
    ],
    [
      '[]',
      '["Stryker was here"]',
      'Only a step that somebody records as "Stryker was here" would meet this earlier name.',
    ],
    [
      'before.stage === name && before.aliases === undefined',
      'false',
      'The early return saves time alone: the name that stays is no earlier name below either.',
    ],
  ],
  'shared/domain/stages/stages.ts': [
    [
      'order === before.order',
      'false',
      'Taking a stage out and inserting it at its own position gives the same list, only slower.',
    ],
  ],
  'shared/domain/study/compare.ts': [
    [
      '[]',
      '["Stryker was here"]',
      'Each name has its list of observations, and a text in the place of a stage has no earlier names.',
    ],
    [
      'observationsByKey.get(key)?.push',
      'observationsByKey.get(key).push',
      'Each name of a step has its list. The types want the question.',
    ],
    ["'each run has its map'", '*', 'The maps are those of the same runs, so that nobody reads this.'],
    ['least !== undefined && most !== undefined', '*', 'A list has a first and a last number, or neither.'],
    ['least !== undefined', '*', 'A list has a first and a last number, or neither.'],
    ['most !== undefined', '*', 'A list has a first and a last number, or neither.'],
  ],
  'shared/domain/study/statistics.ts': [
    ['mean === 0', 'false', 'Times are not negative: where their mean is 0, so is s.'],
    ['least !== undefined && most !== undefined', '*', 'A list has a first and a last number, or neither.'],
    ['least !== undefined', '*', 'A list has a first and a last number, or neither.'],
    ['most !== undefined', '*', 'A list has a first and a last number, or neither.'],
    [
      'lower !== undefined && upper !== undefined',
      '*',
      'The rank lies between two numbers of the list, unless it has none.',
    ],
    ['lower !== undefined', '*', 'The rank lies between two numbers of the list, unless it has none.'],
    ['upper !== undefined', '*', 'The rank lies between two numbers of the list, unless it has none.'],
    ['rest += value - mean', 'rest -= value - mean', 'Only the square of the sum counts.'],
    [
      'observations[index]?.secs',
      'observations[index].secs',
      'Each range has a run before it. The types want the question.',
    ],
  ],
  'shared/domain/study/t-quantile.ts': [
    ["'the list ends with infinity'", '*', 'No degrees are above infinity, so that nobody reads this.'],
  ],
};
