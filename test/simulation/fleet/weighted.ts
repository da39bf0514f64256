/** Each thing as often as its weight says, to be drawn from. */
export const weighted = <Thing>(weights: readonly (readonly [weight: number, thing: Thing])[]): Thing[] =>
  weights.flatMap(([weight, thing]) => Array.from({ length: weight }, () => thing));
