import fc from 'fast-check';

/**
 * Checks a property with random examples. A failure prints its seed and its smallest counterexample;
 * `GEMBA_SEED=<seed>` repeats the examples, and `GEMBA_EXAMPLES` bounds their number.
 */
export function checkProperty<Examples extends [unknown, ...unknown[]]>(
  property: fc.IPropertyWithHooks<Examples>,
  { examples = 200 } = {},
): void {
  const seed = process.env['GEMBA_SEED'];
  const examplesMax = Number(process.env['GEMBA_EXAMPLES'] ?? Infinity);
  fc.assert(property, {
    numRuns: Math.min(examples, examplesMax),
    ...(seed === undefined ? {} : { seed: Number(seed) }),
  });
}
