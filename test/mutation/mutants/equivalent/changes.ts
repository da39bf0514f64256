/** The changes of each file: the text that is changed, white space aside, the replacement, `*` for any, and the reason. */
export type EquivalentChanges = Record<string, [from: string, to: string, why: string][]>;
