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
];
