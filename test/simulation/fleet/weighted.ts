/** Repeats each thing as often as its weight says, for a weighted draw. */
export const weighted = <Thing>(weights: readonly (readonly [weight: number, thing: Thing])[]): Thing[] =>
  weights.flatMap(([weight, thing]) => Array.from({ length: weight }, () => thing));
