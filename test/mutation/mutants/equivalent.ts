/** Changes that no test can notice, since the code does the same with them, each with the reason. */
export interface EquivalentMutant {
  file: string;
  /** The text that is changed, white space aside; `*` as a replacement stands for any. */
  from: string;
  to: string;
  why: string;
}

export const equivalentMutants: readonly EquivalentMutant[] = [
  {
    file: 'shared/domain/guards.ts',
    from: '[]',
    to: '["Stryker was here"]',
    why: 'A text is no id: none is taken, and none is lower than a number.',
  },
  {
    file: 'shared/domain/apply.ts',
    from: 'idsTaken === 0',
    to: 'false',
    why: 'The first free id is at most 2^31, so that the other side holds where no id is taken.',
  },
  {
    file: 'shared/domain/apply-stage.ts',
    from: 'repeated >= 0',
    to: 'repeated > 0',
    why: 'The first entry of a list repeats none before it.',
  },
  {
    file: 'shared/domain/apply-stage.ts',
    from: 'a === b',
    to: 'false',
    why: 'The comparison of the texts says the same of one object, only slower.',
  },
  {
    file: 'shared/domain/stages/stages.ts',
    from: 'order === before.order',
    to: 'false',
    why: 'Taking a stage out and inserting it at its own position gives the same list, only slower.',
  },
  {
    file: 'shared/domain/stages/stage-names.ts',
    from: '!stages.some(({ aliases }) => aliases !== undefined)',
    to: 'false',
    why: 'The early return saves time alone: stages without earlier names lead to none below either.',
  },
  {
    file: 'shared/domain/stages/stage-names.ts',
    from: 'aliases !== undefined',
    to: 'true',
    why: 'The early return saves time alone, as above.',
  },
  {
    file: 'shared/domain/stages/stage-names.ts',
    from: '[]',
    to: '["Stryker was here"]',
    why: 'Only a step that somebody records as "Stryker was here" would meet this earlier name.',
  },
  {
    file: 'shared/domain/stages/stage-names.ts',
    from: 'before.stage === name && before.aliases === undefined',
    to: 'false',
    why: 'The early return saves time alone: the name that stays is no earlier name below either.',
  },
  {
    file: 'shared/domain/stages/replaced-stages.ts',
    from: 'replacement.id === undefined',
    to: 'false',
    why: 'No stage has the id undefined, so that none is found. The types want the question.',
  },
];
